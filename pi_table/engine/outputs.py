"""What the table wants done: the outputs of its machine.

Orders are for the disk, which takes its time; what comes of an order is an input later. Everything
else is done at once.
"""

import enum
from typing import Any

import msgspec

from pi_table.announcer.announcement import Announcement
from pi_table.engine.dealing import Wish
from pi_table.engine.desk.orders import DeskOrder
from pi_table.engine.phones.links import Keeps
from pi_table.engine.phones.phones import Claim
from pi_table.errors import TableError
from pi_table.ipc.house import Latest
from pi_table.language import Lang
from pi_table.lights.picture import Picture
from pi_table.rules.events import Event
from pi_table.rules.games import Opening
from pi_table.rules.seat import Seat


class Store(msgspec.Struct, frozen=True):
    """The order to store events; Stored or NotStored answers."""

    game: int | None
    """The number of the game; None for a new game, which begins with these events."""
    happened: tuple[Event, ...]
    """The events, in order."""


class Settle(msgspec.Struct, frozen=True):
    """The order to finish, now that nobody waits for it, what was stored. Nothing is lost if that
    fails: NotSettled answers; otherwise nothing does."""


class Note(msgspec.Struct, frozen=True):
    """The order to note how far the time of a game has come. Nothing answers; a note may be
    lost."""

    game: int
    """The number of the game."""
    at: float
    """The time of the game, in seconds."""


class Open(msgspec.Struct, frozen=True):
    """The order to close the journal and to open it again; Opened or NotOpened answers."""

    aside: bool
    """Is the journal to be set aside before, so that an empty one is opened?"""


class Deal(msgspec.Struct, frozen=True):
    """The order to make the opening of a game; Dealt or NotFetched answers."""

    to: object
    """The name of the request."""
    game: object
    """The game as JSON."""
    wish: Wish
    """The words that the game is to have if it names none."""
    keeps: Keeps = Keeps.NONE
    """Which phones keep their seats."""


class Begun(msgspec.Struct, frozen=True):
    """The order to remember that a game was begun: its words are used, and no game before it
    changes any more. Nothing answers."""

    game: int
    """The number of the game."""
    opening: Opening


class ListGames(msgspec.Struct, frozen=True):
    """The order to read which games are finished; Fetched or NotFetched answers."""

    to: object
    """The name of the request."""
    playing: int | None
    """The number of the game that is being played; None where none is."""


class ReadTally(msgspec.Struct, frozen=True):
    """The order to count what was won this evening; Fetched or NotFetched answers."""

    to: object
    """The name of the request."""
    playing: int | None
    """The number of the game that is being played; None where none is."""


class ReadRecord(msgspec.Struct, frozen=True):
    """The order to read the record of a finished game; Fetched or NotFetched answers."""

    to: object
    """The name of the request."""
    number: int
    """The number of the game."""
    lang: Lang | None
    """The language of the record; None for that of the game."""


class FindLatest(msgspec.Struct, frozen=True):
    """The order to look which game of the journal was finished last; LatestFound answers."""

    to: None = None


class ReadFinished(msgspec.Struct, frozen=True):
    """The order to read what everybody saw of finished games; Fetched or NotFetched answers."""

    to: object
    """The name of the request."""
    after: Latest | None
    """The game that was told last; None: none was."""


class ChangeHouse(msgspec.Struct, frozen=True):
    """The order to change settings of the house, and to keep them; HouseChanged or NotFetched
    answers."""

    to: object
    """The name of the request."""
    settings: dict[str, Any]
    """The new values by the names of the settings, as JSON."""


class TryPin(msgspec.Struct, frozen=True):
    """The order to count a PIN, and then to look whether it is right; PinTried or NotFetched
    answers."""

    to: object
    """The name of the request."""
    pin: str

    def __repr__(self) -> str:
        return "TryPin(…)"


class SetPin(msgspec.Struct, frozen=True):
    """The order to keep another PIN; PinSet or NotFetched answers."""

    to: object
    """The name of the request."""
    pin: str | None
    """None: no PIN from now on."""

    def __repr__(self) -> str:
        return "SetPin(…)"


class MakeLink(msgspec.Struct, frozen=True):
    """The order to keep a new link for a seat; LinksKept or LinksNotKept answers."""

    to: object
    """The name of the request."""
    seat: Seat
    game: int | None
    """The number of the game that the link is for; None for a desk's."""


class KeepClaim(msgspec.Struct, frozen=True):
    """The order to keep that a phone owns a link; LinksKept or LinksNotKept answers."""

    to: Claim


class EndLinks(msgspec.Struct, frozen=True):
    """The order to end links; LinksKept or LinksNotKept answers."""

    to: object = None
    """The name of the request; None where nobody asked."""
    seat: Seat | None = None
    """Whose link ends; None: those of all phones."""


class FollowGame(msgspec.Struct, frozen=True):
    """The order to keep that phones have their seats in another game; LinksKept or LinksNotKept
    answers."""

    game: int
    """The number of that game."""
    seats: tuple[Seat, ...]
    to: None = None


class ChangePin(msgspec.Struct, frozen=True):
    """The order to keep another PIN for whoever knows the one that holds, which is counted first
    and looked at; PinSet, PinTried or NotFetched answers."""

    to: object
    """The name of the request."""
    pin: str
    new: str

    def __repr__(self) -> str:
        return "ChangePin(…)"


class AtDesk(msgspec.Struct, frozen=True):
    """The order to do something for the operator's desk; Fetched, PacksChanged or NotFetched
    answers."""

    to: object
    """The name of the request; None where nobody has to be answered."""
    order: DeskOrder


class Restore(msgspec.Struct, frozen=True):
    """The order to put a backup in the place of what the table has; Restored, HalfRestored,
    NotRestored or NotFetched answers. The journal is closed meanwhile."""

    to: object
    """The name of the request."""


class SwitchOff(msgspec.Struct, frozen=True):
    """The order to have the system switch the machine off; Fetched or NotFetched answers."""

    to: object
    """The name of the request."""


Write = Store | Settle | Note | Open | Restore
"""An order that changes the journal."""
KeepLinks = MakeLink | KeepClaim | EndLinks | FollowGame
"""An order that changes who has a link."""
Fetch = (
    Deal
    | ListGames
    | ReadTally
    | ReadRecord
    | FindLatest
    | ReadFinished
    | ChangeHouse
    | TryPin
    | SetPin
    | KeepLinks
    | ChangePin
    | AtDesk
    | SwitchOff
)
"""An order that leaves the journal as it is, and that something answers."""
Beside = Begun | Fetch
"""An order that does not change the journal: it may be carried out beside one that does."""
Order = Write | Beside


class Show(msgspec.Struct, frozen=True):
    """The lights are to show this from now on."""

    picture: Picture


class Announce(msgspec.Struct, frozen=True):
    """This is to be said to everybody, in this order."""

    said: tuple[Announcement, ...]
    lang: Lang | None
    """The language of the game; None before the first."""


class TrySound(msgspec.Struct, frozen=True):
    """The loudspeaker is to be tried, also where the house is silent."""

    lang: Lang | None
    """The language in which a sentence is spoken; None: a sound is played."""


class Measure(msgspec.Struct, frozen=True):
    """The touch grid is to tell what it measures from now on, or no longer."""

    on: bool
    pads: bool = False
    """Is it to tell also what each pad reads?"""


class AskReferee(msgspec.Struct, frozen=True):
    """The referee is to be asked what it thinks of a clue; Judged answers."""

    to: object
    """The name of the request."""
    clue: dict[str, Any]
    """The clue and everything that the referee has to know of the table (`referee.lines.Clue`)."""

    def __repr__(self) -> str:
        return "AskReferee(…)"


class SendBlock(msgspec.Struct, frozen=True):
    """Every phone is to be sent these frames, at the beat that they were made for."""

    frames: tuple[bytes, ...]
    """A frame for each place."""


class Audience(enum.Enum):
    """Who is told how the table stands."""

    PUBLIC = "public"
    CONSOLE = "console"
    HOUSE = "house"


class Publish(msgspec.Struct, frozen=True):
    """An audience is to be sent the machine's newest message for it."""

    to: Audience


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request."""

    ok: bool
    """Was the request accepted, and stored if there was anything to store?"""
    reason: str | None = None
    """Why the request was refused, as a short name for programs; None if it was not."""
    sentence: str | None = None
    """Why the request was refused, as a sentence for people; None if it was not."""
    told: Any = None
    """What the seat that asked is told, and nobody else."""

    def __repr__(self) -> str:
        return f"Verdict({'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("ok", self.ok), ("reason", self.reason)]  # not what is told


class Answer(msgspec.Struct, frozen=True):
    """A request is to be answered."""

    to: object
    """The name of the request."""
    verdict: Verdict
    """What became of the request."""
    refusal: TableError | None = None
    """The error behind a refusal, for a caller in the same process; None if there is none."""


class ReplyToDesk(msgspec.Struct, frozen=True):
    """Whoever has called at a desk is to be answered."""

    to: object
    """The name of the call."""
    sealed: bytes
    """Empty where nobody could open what was asked."""


class End(msgspec.Struct, frozen=True):
    """The table is to end, as soon as what was answered has gone out, and to be started again."""


Seen = Show | Announce | TrySound | Publish | Answer
"""An output that somebody outside the process can see or hear."""
Immediate = Seen | SendBlock | AskReferee | ReplyToDesk | Measure | End
"""An output that is done at once, without the disk."""
Output = Order | Immediate
