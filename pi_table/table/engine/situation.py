"""How the table stands at an instant: requests are judged by it, and messages made of it."""

from collections.abc import Mapping

import msgspec

from pi_table.common.geometry import PLACE_COUNT, PLACES
from pi_table.common.house import House, offers
from pi_table.common.language import say
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import OfferedPack
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.desk.line import DeskLine
from pi_table.table.engine.desk.session import Desk
from pi_table.table.engine.idle import Idle, Played
from pi_table.table.engine.phones.phones import Phones
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.in_force import InForce
from pi_table.table.engine.state.lock import Lock
from pi_table.table.engine.state.marks import Marks
from pi_table.table.engine.state.peek import PEEK_SECONDS, Peek
from pi_table.table.engine.state.service import Service


class Situation(msgspec.Struct, frozen=True):
    """A table at one instant."""

    game: GameInPlay | None
    """The game in play, None before the first."""
    closed: bool
    """Is there no journal to store anything in?"""
    fault: str | None
    """What is wrong with the journal, None if nothing is."""
    touch: TouchFrame
    """What is felt of the table."""
    cards: Cards
    """How games get their words unless it is said otherwise."""
    every_pack: tuple[OfferedPack, ...]
    """The word packs of the table."""
    chance: Chance
    """Where what an act draws comes from."""
    sound_trouble: str | None = None
    """What is wrong with the loudspeaker, None if nothing is: play goes on without."""
    peek: Peek | None = None
    """The peek that is on."""
    peek_seconds: float = PEEK_SECONDS
    """How long a peek at a key lasts, 0: without end."""

    house: House = House()
    """How the house wants its table."""
    time_of_day: str | None = None
    """Hours and minutes in the house's own time, ``22:30``; None where nobody has told."""
    house_faults: tuple[str, ...] = ()
    """What is wrong with what the house keeps."""

    idle: Idle = Idle()
    """Is anybody there?"""
    lock: Lock = Lock()
    """The lock of the operator's page."""
    pin_wait: float = 0.0
    """For how many seconds no PIN is looked at."""
    service: Service | None = None
    """What is tried in service; None where the table is not in service."""
    desk: Desk = Desk()
    """The operator's desk."""
    line: DeskLine = DeskLine(b"")
    """The line of that desk."""
    counts: Mapping[str, int] = {}
    """How often each thing has gone wrong since the table was switched on, by its name."""

    in_force: InForce = InForce()
    """What the house has ordered, and what holds for a while."""
    latest: Latest | None = None
    """The game that was finished last; None before that."""

    phones: Phones = Phones(b"")
    """The phones that have a seat, and whether anybody serves the pages."""
    marks: Marks = Marks()
    """The cells that operatives have marked as meant."""

    @property
    def played(self) -> Played | None:
        """The game that is being played; None where none is, or it is over."""
        return None if self.game is None else played(self.game)

    @property
    def played_number(self) -> int | None:
        """The number of the game that is being played; None where none is, or it is not known."""
        game = None if self.closed or self.played is None else self.game
        return None if game is None else game.number

    @property
    def seated(self) -> tuple[Seat, ...]:
        """The seats that a phone has in the game in play."""
        return () if self.game is None else self.phones.seated(self.game.number)

    @property
    def packs(self) -> tuple[OfferedPack, ...]:
        """What words may be dealt from."""
        return tuple(pack for pack in self.every_pack if offers(self.house, pack.name, pack.adults))

    @property
    def faults(self) -> tuple[str, ...]:
        """All that is wrong with the table, in sentences for the staff."""
        troubles = (self.fault, self.touch.trouble, self.sound_trouble, *self.house_faults)
        faults = [fault for fault in troubles if fault]
        if self.touch.deaf and not self.touch.trouble:  # which would name them too
            names = ", ".join(PLACES[place] for place in sorted(self.touch.deaf))
            faults.append(
                say("These places cannot feel a finger at the moment: {names}.", names=names)
            )
        return tuple(faults)

    @property
    def out_of_service(self) -> bool:
        """Can no game begin at the table, because the house wants none to?"""
        return self.house.out_of_service or self.in_force.free_until is not None

    @property
    def out_of_order(self) -> bool:
        """Can the table not be played at?"""
        return self.fault is not None or len(self.touch.deaf) == PLACE_COUNT


def played(game: GameInPlay) -> Played | None:
    """The game, as far as it matters to whether anybody is there; None if it is over."""
    board = game.board
    if board.outcome is not None:
        return None
    countdown, settings = board.countdown, board.settings
    ends_turns = settings.timer == "clock" and settings.clock_end == "end-turn"
    if countdown is None or countdown.ends is None or ends_turns:
        return Played(board.paused)  # a clock that ends turns would run on for ever
    return Played(board.paused, game.zero + countdown.ends)
