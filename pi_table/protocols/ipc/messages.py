"""Messages on the sockets: one JSON object on each line, in both directions.

The public socket sends `PublicMessage` (`CodexPublicMessage` for Codex) and receives nothing. The
console's socket sends `TableMessage` (`CodexMessage` for Codex) and `Answer`, and receives
`Request`; a second console gets `Busy`. The rules of the games decide what a viewer may see: they
build a view, and a message only contains this view. The README beside this file has an example of
each message.
"""

import enum
from typing import Any, Final, Generic, TypeVar

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.common.language import say
from pi_table.games.rules.codex.views import AgentView, CodexView, Guard
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.records import Won
from pi_table.protocols.ipc.service import InService
from pi_table.protocols.ipc.texts import encode, read

MAX_LINE_BYTES: Final = 64 * 1024
"""Maximum length in bytes of a line that the table accepts. Programs of this project send shorter
lines."""
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Maximum length in bytes of a line that the table sends. The longest is the record of a long
game."""


View = TypeVar("View")


class Said(msgspec.Struct, frozen=True):
    """An announcement to everybody at the table."""

    number: int
    """Number of the announcement. Numbers begin at 1 when the table is switched on."""
    what: str
    """The kind of the announcement, as a short name for programs."""
    words: dict[str, str]
    """The sentence that people see or hear, by language code."""
    after: float
    """Seconds from the event until the table announces it."""
    spoken: bool
    """True if the sentence may be spoken aloud."""


class Presence(enum.Enum):
    """The table's guess whether anybody is playing."""

    PLAYING = "playing"
    """Somebody has touched or pressed something lately."""
    ASKED = "asked"
    """The table asks whether anybody still plays. Any touch or press means yes."""
    IDLE = "idle"
    """Attract mode: nobody seems to be at the table. The next touch only wakes the table. An
    interrupted game waits."""


class AnyGame(msgspec.Struct, Generic[View], frozen=True, tag_field="kind"):
    """The public state of the table, for all families of games."""

    view: View
    """The public view of the game. In a `PublicMessage` it is None before the first game."""
    out_of_order: bool
    """True if a fault prevents play. Only messages to the staff say which fault."""
    said: tuple[Said, ...] = ()
    """The most recent announcements; the newest is last."""
    idle: Presence = Presence.PLAYING
    """The table's guess whether anybody is playing."""
    idle_left: float | None = None
    """Seconds until the table stops waiting for the answer to "Still playing?", or until it
    abandons an interrupted game. None if neither will happen."""
    service: bool = False
    """True in service mode: staff test the lights, touch or sound, and nobody can play."""
    out_of_service: bool = False
    """True if the staff allow no new game. A running game continues."""
    seated: tuple[Seat, ...] = ()
    """Seats whose players use a phone in this game."""
    tonight: tuple[Won, ...] = ()
    """Results of the games that were finished this evening: one entry for each profile."""


class PublicMessage(AnyGame[PublicView | None], frozen=True, tag="public"):
    """The public state of the table in a word game, or before any game."""

    marks: dict[str, Team] = {}
    """Cells that operatives marked as candidates for a guess, with the team that marked each cell.
    A mark is not a guess."""


class CodexPublicMessage(AnyGame[CodexView], frozen=True, tag="public-codex"):
    """The public state of the table in a game of Codex."""


AnyPublicMessage = PublicMessage | CodexPublicMessage
AnyView = PublicView | CodexView


class OfferedPack(msgspec.Struct, frozen=True):
    """A word pack from which a game may be dealt."""

    name: str
    """The name of the pack in a request for a game."""
    title: str
    language: str
    adults: bool


class Peeking(msgspec.Struct, frozen=True):
    """A peek: the hidden screen shows secrets to somebody."""

    seat: Seat
    """The seat whose secrets are shown: a spymaster, or the agent who visits the hidden screen."""
    left: float | None
    """Seconds until the peek ends by itself; None if the peek has no time limit."""


class PhoneState(enum.Enum):
    """State of a seat's phone."""

    WAITING = "waiting"
    """No phone has opened the link yet."""
    ASKED = "asked"
    """The user must hold a finger on the phone to keep its seat in this game."""
    HERE = "here"
    AWAY = "away"
    """The phone has sent no frame for some seconds: it is locked, asleep, or out of reach."""


class SeatPhone(msgspec.Struct, frozen=True):
    """The phone of a seat, or a link that no phone has opened yet."""

    seat: Seat
    state: PhoneState
    tried: bool = False
    """True if another phone has tried to open the link."""


def board_link(address: str) -> str:
    """Return the link that opens the board on a phone. ``address`` is the pages' address."""
    return f"{address}/#join"


class Pages(msgspec.Struct, frozen=True):
    """The web pages for screens and phones: their address, and the phones that have a link."""

    address: str
    """The address at which people open the pages, such as ``http://192.168.1.7:8080``."""
    phones: tuple[SeatPhone, ...] = ()
    """Seats that have a link, each with the state of its phone, in the order of the links."""

    @property
    def board_link(self) -> str:
        """The link in the QR code of the board. On a phone, the page then asks whether to watch the
        board or to see the key."""
        return board_link(self.address)


class DeskState(msgspec.Struct, frozen=True):
    """State of the operator's desk. A desk is a web page on a laptop or phone. The desk needs the
    PIN."""

    state: PhoneState
    open: bool = False
    """True if the PIN was entered at the desk."""
    tried: bool = False
    """True if another device has tried to open the link."""


class PageLock(msgspec.Struct, frozen=True):
    """The lock of the operator's page."""

    pin: bool = False
    """True if a PIN is set. Without a PIN nothing is locked."""
    open: bool = True
    """True if the page is unlocked. Then it may request acts that need the PIN."""
    wait: float = 0.0
    """Seconds until another PIN can be tried, after several wrong PINs; otherwise 0."""


class ConsoleMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The message to the hidden screen, for any game. `AnyGame` explains the fields that it shares
    with public messages."""

    may: dict[str, tuple[str, ...]]
    """Names of the acts that are allowed now, by seat."""
    settings: Settings | None
    """The settings of the game; None before the first game."""
    game: int | None
    """The number of the game in the journal; None before the first game."""
    cards: str
    """Default source of the next game's words: ``own`` (the players' own cards) or ``dealt``."""
    packs: tuple[OfferedPack, ...]
    faults: tuple[str, ...]
    """Sentences for the staff about faults of the table."""
    said: tuple[Said, ...] = ()
    house: House = House()
    idle: Presence = Presence.PLAYING
    idle_left: float | None = None
    lock: PageLock = PageLock()
    peek: Peeking | None = None
    """The current peek. If it is None, the message contains no secrets."""
    service: InService | None = None
    pages: Pages | None = None
    """The pages for screens and phones; None while they are not served."""
    desk: DeskState | None = None
    """The operator's desk; None while the desk has no link."""


class TableMessage(ConsoleMessage, frozen=True, tag="table"):
    """The message to the hidden screen in a word game, or before the first game."""

    public: PublicView | None
    key: str | None
    """The 25 letters of the key during a peek; None at any other time."""

    def __repr__(self) -> str:
        return f"TableMessage(game {self.game}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("key", "hidden")]  # the default of msgspec shows the key


class AgentVisit(msgspec.Struct, frozen=True):
    """An agent's visit to the hidden screen. First, the agent chooses or enters a personal code
    (CX-19)."""

    seat: Seat
    code: Guard
    """State of the agent's personal code: the agent must ``choose`` or ``enter`` it, has entered it
    (``open``), or has lost the visit (``locked``). Secrets are shown only if it is ``open``."""
    tries_left: int
    """Number of further wrong codes after which the visit is lost."""
    done: bool = False
    entered: tuple[str, ...] = ()
    """Names of the acts that were entered in this visit. Acts whose refusal is secret are left out.
    """


class AgentOutside(msgspec.Struct, frozen=True):
    """The view of an agent who is not peeking. The view contains no secrets."""

    seat: Seat
    """The seat that requested the view."""
    public: CodexView
    door: AgentVisit | None


class CodexMessage(ConsoleMessage, frozen=True, tag="codex"):
    """The message to the hidden screen in a game of Codex."""

    public: CodexView
    door: AgentVisit | None
    """The current visit at the hidden screen; None while no agent visits."""
    agent: AgentView | None
    """The view of the agent at the hidden screen, while that agent peeks; None at any other time.
    """

    def __repr__(self) -> str:
        return f"CodexMessage(game {self.game}, agent hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("agent", "hidden")]


AnyTableMessage = TableMessage | CodexMessage


class Request(msgspec.Struct, frozen=True):
    """A request of the console to the table: an act to carry out."""

    id: int
    """Number of the request, repeated in its answer."""
    do: dict[str, Any]
    """The act as JSON, with its name in ``act`` and the seat in ``seat``."""


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    """The result of a request."""

    id: int
    """The number of the request that is answered."""
    ok: bool
    """True if the act was carried out; False if it was refused."""
    reason: str | None = None
    """Reason for the refusal, as a short name for programs. None if nothing was refused."""
    sentence: str | None = None
    """Reason for the refusal, as a sentence for people. None if nothing was refused."""
    told: Any = None
    """Data of the result, as JSON; None if there are no data. Only the seat that asked gets them.
    """

    def __repr__(self) -> str:
        return f"Answer({self.id}, {'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("id", self.id), ("ok", self.ok), ("reason", self.reason)]  # without `told`


class Busy(msgspec.Struct, frozen=True, tag_field="kind", tag="busy"):
    """The refusal of a connection, because the maximum number of viewers is connected.

    The table then closes the connection. The console's socket serves one viewer at a time. A
    refused viewer may try again every few seconds, until it is accepted.
    """

    sentence: str = say(
        "Another screen is connected to this table, and only one can be at a time. Close that "
        "one, or connect again later."
    )


ToConsole = AnyTableMessage | Answer | Busy


def line(message: AnyPublicMessage | ToConsole | Request) -> bytes:
    """Encode a message as one line, with its line feed."""
    return encode(message) + b"\n"


def read_request(text: bytes) -> Request:
    """Decode a request. Raises InputError if the line is not a request."""
    try:
        return _REQUEST.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a request: {error}.", error=error)) from None


def read_public(text: bytes) -> AnyPublicMessage:
    """Decode a public message. Raises InputError if the line is not a public message."""
    try:
        return _PUBLIC.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a public message: {error}.", error=error)) from None


def read_to_console(text: bytes) -> ToConsole:
    """Decode a message for the console. Raises InputError if the line is not such a message."""
    try:
        return read(_TO_CONSOLE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the console: {error}.", error=error)
        ) from None


_REQUEST: Final = msgspec.json.Decoder(Request)
_PUBLIC: Final[msgspec.json.Decoder[AnyPublicMessage]] = msgspec.json.Decoder(AnyPublicMessage)
_TO_CONSOLE: Final[msgspec.json.Decoder[ToConsole]] = msgspec.json.Decoder(ToConsole)
