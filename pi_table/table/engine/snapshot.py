"""A snapshot of the table's state. Requests are checked against it, and messages are made
from it."""

from collections.abc import Mapping

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.geometry import PLACE_COUNT, PLACES
from pi_table.common.house_settings import House, offers
from pi_table.common.language import say
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import OfferedPack
from pi_table.protocols.ipc.records import Won
from pi_table.protocols.ipc.service import TILES
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.desk.desk import Desk
from pi_table.table.engine.desk.line import DeskLine
from pi_table.table.engine.idle import Idle, OngoingGame
from pi_table.table.engine.phones.phones import Phones
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.house_orders import HouseOrders
from pi_table.table.engine.state.lock import Lock
from pi_table.table.engine.state.marks import Marks
from pi_table.table.engine.state.peek import PEEK_SECONDS, Peek
from pi_table.table.engine.state.service import Service


class Snapshot(msgspec.Struct, frozen=True):
    game: GameInPlay | None
    closed: bool
    fault: str | None
    """The fault of the journal as a sentence; None if it works."""
    touch: TouchFrame
    cards: Cards
    """The default source of a game's words: the guests' own cards, or words that the
    table deals."""
    every_pack: tuple[OfferedPack, ...]
    chance: Chance
    unsettled: TableError | None = None
    """Why the disk could not store what time has changed in `game`; None if nothing is missing.
    Set only while a request is judged (`Job.unsettled`)."""
    sound_trouble: str | None = None
    """The fault of the loudspeaker as a sentence. Play continues without sound."""
    peek: Peek | None = None
    peek_seconds: float = PEEK_SECONDS
    """Seconds that a peek at a key lasts; 0 for no limit."""
    has_screen: bool = True
    """True if the table has a hidden screen. Without one, the desk begins games and links the
    phones of seats."""
    string: tuple[tuple[int, ...], ...] = TILES
    """For each light, in the order of the string: the LEDs (0 … 103) that it shows."""

    house: House = House()
    time_of_day: str | None = None
    """Hours and minutes in the house's own time, such as ``22:30``."""
    house_faults: tuple[str, ...] = ()
    """Faults of the house's files (settings, PIN, links), as sentences."""

    idle: Idle = Idle()
    lock: Lock = Lock()
    """The PIN lock of the operator's page at the hidden screen."""
    pin_wait: float = 0.0
    """Seconds until the hidden screen accepts another PIN."""
    service: Service | None = None
    """The state of service mode; None if the table is not in service mode."""
    desk: Desk = Desk()
    line: DeskLine = DeskLine(b"")
    counts: Mapping[str, int] = {}
    """Number of faults of each kind since the engine's start, by name."""

    in_force: HouseOrders = HouseOrders()
    """Current orders of the house, such as to blink, or to let no game begin."""
    latest: Latest | None = None
    """The last finished game; None if there is none."""
    tonight: tuple[Won, ...] = ()
    """The number of this evening's games that each team has won, by profile."""

    phones: Phones = Phones(b"")
    marks: Marks = Marks()

    @property
    def played(self) -> OngoingGame | None:
        """The facts about the game in play on which `Idle` depends; None if no game is in play."""
        return None if self.game is None else ongoing_game(self.game)

    @property
    def played_number(self) -> int | None:
        """The number of the game in play; None if no game is in play, or if the journal
        is closed."""
        game = None if self.closed or self.played is None else self.game
        return None if game is None else game.number

    @property
    def seated(self) -> tuple[Seat, ...]:
        """The seats that have a phone in the game in play."""
        return () if self.game is None else self.phones.seats_in(self.game.number)

    @property
    def packs(self) -> tuple[OfferedPack, ...]:
        return tuple(pack for pack in self.every_pack if offers(self.house, pack.name, pack.adults))

    @property
    def faults(self) -> tuple[str, ...]:
        """All faults of the table, in sentences for the staff."""
        troubles = (self.fault, self.touch.trouble, self.sound_trouble, *self.house_faults)
        faults = [fault for fault in troubles if fault]
        told = self.touch.trouble or self.touch.deaf_briefly  # a trouble names the places
        if self.touch.deaf and not told:
            names = ", ".join(PLACES[place] for place in sorted(self.touch.deaf))
            faults.append(
                say("These places cannot feel a finger at the moment: {names}.", names=names)
            )
        return tuple(faults)

    @property
    def out_of_service(self) -> bool:
        """True if the house does not allow a game to begin."""
        return self.house.out_of_service or self.in_force.free_until is not None

    @property
    def out_of_order(self) -> bool:
        """True if a fault prevents play."""
        return self.fault is not None or len(self.touch.deaf) == PLACE_COUNT


def ongoing_game(game: GameInPlay) -> OngoingGame | None:
    """Return the facts about this game on which `Idle` depends; None if the game is over."""
    board = game.board
    if board.outcome is not None:
        return None
    countdown, settings = board.countdown, board.settings
    ends_turns = settings.timer == "clock" and settings.clock_end == "end-turn"
    if countdown is None or countdown.ends is None or ends_turns:
        return OngoingGame(board.paused)  # the clock ends each turn, even without players
    return OngoingGame(board.paused, game.zero + countdown.ends)
