"""Messages on the sockets: one JSON object a line, in both directions.

The public socket sends `PublicMessage` (`CodexPublicMessage` for Codex) and receives nothing. The
console's socket sends `TableMessage` (`CodexMessage`) and `Answer`, and receives `Request`; a
second console gets `Busy`. The rules decide what a viewer may see; messages only wrap their views.
The README beside this file has an example of each.
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
"""Bytes of the longest line that the table accepts. A longer line comes from a foreign program."""
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Bytes of the longest line that the table sends: the record of a long game."""


View = TypeVar("View")


class Said(msgspec.Struct, frozen=True):
    """An announcement to everybody at the table."""

    number: int
    """Number of the announcement since the table was switched on, from 1."""
    what: str
    """The kind of the announcement, as a short name for programs."""
    words: dict[str, str]
    """The sentence for people, by language code."""
    after: float
    """Seconds from the event to its announcement."""
    spoken: bool
    """True if the sentence may be spoken aloud."""


class Presence(enum.Enum):
    """Presence of people at the table."""

    PLAYING = "playing"
    """Somebody has touched or pressed something lately."""
    ASKED = "asked"
    """The table asks if anybody still plays; any touch or press answers."""
    IDLE = "idle"
    """Attract mode. A touch only wakes the table; an interrupted game waits."""


class AnyGame(msgspec.Struct, Generic[View], frozen=True, tag_field="kind"):
    """The public state of the table, whatever is played."""

    view: View
    """The public view of the game, if one has begun."""
    out_of_order: bool
    """True if a fault prevents play. Only the staff see the fault."""
    said: tuple[Said, ...] = ()
    """The last announcements, the newest last."""
    idle: Presence = Presence.PLAYING
    """Presence of people at the table."""
    idle_left: float | None = None
    """Seconds until the question if anybody still plays expires, or until an interrupted game is
    abandoned; None otherwise."""
    service: bool = False
    """True while parts are tested and nobody can play."""
    out_of_service: bool = False
    """True if no game can begin. A running game goes on."""
    seated: tuple[Seat, ...] = ()
    """Seats that have a phone in this game."""
    tonight: tuple[Won, ...] = ()
    """This evening's finished games, by profile."""


class PublicMessage(AnyGame[PublicView | None], frozen=True, tag="public"):
    """The public state of the table in a word game, or before any game."""

    marks: dict[str, Team] = {}
    """Cells that operatives marked as candidates for a guess, each with the team that marked the
    cell. A mark is not a guess."""


class CodexPublicMessage(AnyGame[CodexView], frozen=True, tag="public-codex"):
    """The public state of the table in a game of Codex."""


AnyPublicMessage = PublicMessage | CodexPublicMessage
AnyView = PublicView | CodexView


class OfferedPack(msgspec.Struct, frozen=True):
    """A word pack that games may be dealt from."""

    name: str
    """The name by which a game requests the pack."""
    title: str
    language: str
    adults: bool


class Peeking(msgspec.Struct, frozen=True):
    """A peek: somebody at the hidden screen looks at hidden information."""

    seat: Seat
    """The seat for the peek: that of a spymaster or of the visiting agent."""
    left: float | None
    """Seconds until the peek ends by itself; None if the peek has no time limit."""


class PhoneState(enum.Enum):
    """State of a seat's phone."""

    WAITING = "waiting"
    """The link was not opened yet."""
    ASKED = "asked"
    """The phone must confirm, by holding, that it keeps its seat in this game."""
    HERE = "here"
    AWAY = "away"
    """No frame has come for some seconds: the phone is locked, asleep, or out of reach."""


class SeatPhone(msgspec.Struct, frozen=True):
    """The phone of a seat, or a link that no phone has opened yet."""

    seat: Seat
    state: PhoneState
    tried: bool = False
    """True if another phone has tried to open the link."""


def board_link(address: str) -> str:
    """Return the link for phones to the board at the pages' ``address``."""
    return f"{address}/#join"


class Pages(msgspec.Struct, frozen=True):
    """The pages for screens and phones, while they are served."""

    address: str
    """The address that people open, such as ``http://192.168.1.7:8080``."""
    phones: tuple[SeatPhone, ...] = ()
    """Seats that have a link, in the order of the links."""

    @property
    def board_link(self) -> str:
        """The link in the board's code: a phone that opens it is asked what it is for."""
        return board_link(self.address)


class DeskState(msgspec.Struct, frozen=True):
    """State of the operator's desk: a page on a laptop or phone, behind the PIN."""

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
    """True if the page is unlocked, so that acts which need the PIN are allowed."""
    wait: float = 0.0
    """Seconds until a PIN is accepted again; 0 if a PIN is accepted now."""


class ConsoleMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The table as the hidden screen shows it, for any game; see also `PublicMessage`."""

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
    """Faults of the table, in sentences for the staff."""
    said: tuple[Said, ...] = ()
    house: House = House()
    idle: Presence = Presence.PLAYING
    idle_left: float | None = None
    lock: PageLock = PageLock()
    peek: Peeking | None = None
    """The current peek; if it is None, the message contains nothing hidden."""
    service: InService | None = None
    pages: Pages | None = None
    """The pages for screens and phones; None while they are not served."""
    desk: DeskState | None = None
    """The operator's desk; None while the desk has no link."""


class TableMessage(ConsoleMessage, frozen=True, tag="table"):
    """A word game on the spymasters' screen, or a table before its first game."""

    public: PublicView | None
    key: str | None
    """The 25 letters of the key during a peek; None at any other time."""

    def __repr__(self) -> str:
        return f"TableMessage(game {self.game}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("key", "hidden")]  # msgspec's would show the key


class Door(msgspec.Struct, frozen=True):
    """The agent's visit to the hidden screen, which begins with a personal code (CX-19)."""

    seat: Seat
    code: Guard
    """The next step with the personal code; secrets are shown only after it was entered."""
    tries_left: int
    """Number of wrong codes that are still allowed before the visit is lost."""
    done: bool = False
    entered: tuple[str, ...] = ()
    """Names of the acts entered, except those whose refusal would reveal hidden information."""


class AgentOutside(msgspec.Struct, frozen=True):
    """The view of an agent who does not peek. The view contains nothing hidden."""

    seat: Seat
    """The seat that requested the view."""
    public: CodexView
    door: Door | None


class CodexMessage(ConsoleMessage, frozen=True, tag="codex"):
    """A game of Codex as the hidden screen shows it."""

    public: CodexView
    door: Door | None
    """The current visit at the hidden screen; None while no agent visits."""
    agent: AgentView | None
    """The view of the agent at the screen during that agent's peek; None at any other time."""

    def __repr__(self) -> str:
        return f"CodexMessage(game {self.game}, agent hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("agent", "hidden")]


AnyTableMessage = TableMessage | CodexMessage


class Request(msgspec.Struct, frozen=True):
    """A request from the console to do an act."""

    id: int
    """Number of the request, repeated in its answer."""
    do: dict[str, Any]
    """The act as JSON, with its name in ``act`` and the seat in ``seat``."""


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    """The result of a request."""

    id: int
    """The number of the request that is answered."""
    ok: bool
    """True if the act was done; False if it was refused."""
    reason: str | None = None
    """Reason for the refusal, as a short name for programs. None if nothing was refused."""
    sentence: str | None = None
    """Reason for the refusal, as a sentence for people. None if nothing was refused."""
    told: Any = None
    """Data of the result, as JSON, for the seat that asked alone; None if there are none."""

    def __repr__(self) -> str:
        return f"Answer({self.id}, {'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("id", self.id), ("ok", self.ok), ("reason", self.reason)]  # without `told`


class Busy(msgspec.Struct, frozen=True, tag_field="kind", tag="busy"):
    """All places are taken, and this connection ends.

    The console's socket serves one connection at a time. The refused viewer may try again every few
    seconds, and is served once the other viewer has disconnected.
    """

    sentence: str = say(
        "Another screen is connected to this table, and only one can be at a time. Close that "
        "one, or connect again later."
    )


ToConsole = AnyTableMessage | Answer | Busy


def line(message: AnyPublicMessage | ToConsole | Request) -> bytes:
    """Encode a message as a line, with its line feed."""
    return encode(message) + b"\n"


def read_request(text: bytes) -> Request:
    """Decode a request. Raises InputError for any other line."""
    try:
        return _REQUEST.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a request: {error}.", error=error)) from None


def read_public(text: bytes) -> AnyPublicMessage:
    """Decode a public message. Raises InputError for any other line."""
    try:
        return _PUBLIC.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a public message: {error}.", error=error)) from None


def read_to_console(text: bytes) -> ToConsole:
    """Decode a message for the console. Raises InputError for any other line."""
    try:
        return read(_TO_CONSOLE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the console: {error}.", error=error)
        ) from None


_REQUEST: Final = msgspec.json.Decoder(Request)
_PUBLIC: Final[msgspec.json.Decoder[AnyPublicMessage]] = msgspec.json.Decoder(AnyPublicMessage)
_TO_CONSOLE: Final[msgspec.json.Decoder[ToConsole]] = msgspec.json.Decoder(ToConsole)
