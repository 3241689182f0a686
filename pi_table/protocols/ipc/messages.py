"""What goes over the sockets: one JSON object a line, in both directions.

The public socket carries `PublicMessage` (`CodexPublicMessage` where that is played), and nothing
comes in. The console's socket carries `TableMessage` (`CodexMessage`) and `Answer` out, `Request`
in; a second console gets `Busy`. What a viewer may see is decided by the rules; a message only
wraps their views. The README beside this file has an example of each.
"""

import enum
from typing import Any, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.house import House
from pi_table.common.language import say
from pi_table.games.rules.codex.views import AgentView, CodexView, Guard
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.service import InService
from pi_table.protocols.ipc.texts import encode, read

LONGEST_LINE: Final = 64 * 1024
"""Bytes of the longest line that the table hears. Who sends a longer one is none of ours."""
LONGEST_ANSWER: Final = 4 * 1024 * 1024
"""Bytes of the longest line that the table sends: the record of a long game."""


class Said(msgspec.Struct, frozen=True):
    """Something that was announced to everybody at the table."""

    number: int
    """From 1 since the table was switched on, one more with each."""
    what: str
    """What was announced, as a short name for programs."""
    words: dict[str, str]
    """The sentence for people, by the code of each language."""
    after: float
    """The seconds from what happened until it is to be told. A guess is answered after a while of
    tension."""
    spoken: bool
    """May the sentence be spoken aloud?"""


class Presence(enum.Enum):
    """Is anybody there?"""

    PLAYING = "playing"
    """Somebody has touched or pressed something not long ago."""
    ASKED = "asked"
    """The table asks whether anybody still plays. Any touch or press answers."""
    IDLE = "idle"
    """The table sleeps and invites. A game that was played is set apart; a touch only wakes."""


class PublicMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="public"):
    """The table as anybody may see it, where a word game is played or none yet."""

    view: PublicView | None
    """The game as anybody may see it; None before the first one."""
    out_of_order: bool
    """Can the table not be played at? What is wrong is told to the staff alone."""
    said: tuple[Said, ...] = ()
    """What was announced last, the newest last."""
    idle: Presence = Presence.PLAYING
    """Is anybody there?"""
    idle_left: float | None = None
    """The seconds until the question, or the game that is set apart, is given up; else None."""
    service: bool = False
    """Is the table in service? Its parts are tried then, and nobody can play."""
    out_of_service: bool = False
    """Does no game begin at the table? One that is being played goes on."""
    seated: tuple[Seat, ...] = ()
    """The seats that a phone has in this game: it can show what they may see."""
    marks: dict[str, Team] = {}
    """The cells that operatives have marked as meant, by their names, each with the team that
    did. A mark is no guess."""


class CodexPublicMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="public-codex"):
    """The table as anybody may see it, where Codex is played."""

    view: CodexView
    """The game as anybody may see it."""
    out_of_order: bool
    """Can the table not be played at? What is wrong is told to the staff alone."""
    said: tuple[Said, ...] = ()
    """What was announced last, the newest last."""
    idle: Presence = Presence.PLAYING
    """Is anybody there?"""
    idle_left: float | None = None
    """The seconds until the question, or the game that is set apart, is given up; else None."""
    service: bool = False
    """Is the table in service? Its parts are tried then, and nobody can play."""
    out_of_service: bool = False
    """Does no game begin at the table? One that is being played goes on."""
    seated: tuple[Seat, ...] = ()
    """The seats that a phone has in this game: it can show what they may see."""


AnyPublicMessage = PublicMessage | CodexPublicMessage
AnyView = PublicView | CodexView


class OfferedPack(msgspec.Struct, frozen=True):
    """A word pack that games may be dealt from."""

    name: str
    """The name by which the pack is asked for."""
    title: str
    """What people call the pack, in its own language."""
    language: str
    """The code of the language of its words."""
    adults: bool
    """Is the pack for adults only?"""


class Peeking(msgspec.Struct, frozen=True):
    """Somebody at the hidden screen looks at what is hidden."""

    seat: Seat
    """The seat that was named: a spymaster's, or that of the agent whose visit it is."""
    left: float | None
    """The seconds until the peek ends by itself; None where it does not."""


class PhoneState(enum.Enum):
    """How it stands with the phone of a seat."""

    WAITING = "waiting"
    """Nobody has opened the link yet."""
    ASKED = "asked"
    """The phone is asked to confirm, by holding, that it keeps its seat in this game."""
    HERE = "here"
    AWAY = "away"
    """Nothing was heard of the phone for some seconds: it is locked, asleep, or out of reach."""


class SeatPhone(msgspec.Struct, frozen=True):
    """A phone with a seat, or a link for one."""

    seat: Seat
    state: PhoneState
    tried: bool = False
    """Has another phone tried to open the link?"""


class Pages(msgspec.Struct, frozen=True):
    """The pages for screens and phones, while they are served."""

    address: str
    """What people open, such as ``http://192.168.1.7:8080``."""
    phones: tuple[SeatPhone, ...] = ()
    """The seats that have a link, in the order of the links."""


class DeskState(msgspec.Struct, frozen=True):
    """The operator's desk: a page on somebody's laptop or phone, behind the PIN."""

    state: PhoneState
    """How it stands with the device that has the link."""
    open: bool = False
    """Was the PIN entered there?"""
    tried: bool = False
    """Has another device tried to open the link?"""


class PageLock(msgspec.Struct, frozen=True):
    """The lock of the operator's page."""

    pin: bool = False
    """Is a PIN set? Without one everything is open to everybody."""
    open: bool = True
    """May everything be done now?"""
    wait: float = 0.0
    """For how many seconds no PIN is looked at."""


class ConsoleMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The table as the hidden screen shows it, whatever is played."""

    may: dict[str, tuple[str, ...]]
    """The acts that each seat may do now."""
    settings: Settings | None
    """The settings of the game; None before the first."""
    game: int | None
    """The number of the game in the journal; None before the first."""
    cards: str
    """How the next game gets its words unless it is said otherwise: ``own`` or ``dealt``."""
    packs: tuple[OfferedPack, ...]
    """What words may be dealt from."""
    faults: tuple[str, ...]
    """What is wrong with the table, in sentences for the staff."""
    said: tuple[Said, ...] = ()
    """What was announced last to everybody, the newest last."""
    house: House = House()
    """How the house wants its table."""
    idle: Presence = Presence.PLAYING
    """Is anybody there?"""
    idle_left: float | None = None
    """The seconds until the question, or the game that is set apart, is given up; else None."""
    lock: PageLock = PageLock()
    """The lock of the operator's page."""
    peek: Peeking | None = None
    """The peek that is on. Without one a message holds nothing that is hidden."""
    service: InService | None = None
    """What is tried in service; None where the table is not in service."""
    pages: Pages | None = None
    """The pages for screens and phones; None while nobody serves them."""
    desk: DeskState | None = None
    """The operator's desk; None where nobody has a link for one."""


class TableMessage(ConsoleMessage, frozen=True, tag="table"):
    """A word game as the spymasters' screen shows it, or a table before its first game."""

    public: PublicView | None
    """The game as anybody may see it; None before the first one."""
    key: str | None
    """The 25 letters of the key, while somebody peeks; None at any other time."""

    def __repr__(self) -> str:
        return f"TableMessage(game {self.game}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("key", "hidden")]  # msgspec's own would show it


class Door(msgspec.Struct, frozen=True):
    """Who is at the hidden screen, and how that agent gets in: with a code of their own (CX-19)."""

    seat: Seat
    """The seat of the agent whose visit it is."""
    code: Guard
    """What the agent has to do about the code before anything is shown."""
    tries_left: int
    """How many wrong codes there may be until the visit is lost."""
    done: bool = False
    """Has the agent said that nothing more comes in this visit?"""
    entered: tuple[str, ...] = ()
    """The acts that the agent has entered, of those whose refusal tells nothing that is hidden."""


class AgentOutside(msgspec.Struct, frozen=True):
    """What an agent is told who looks while nobody peeks: nothing that is hidden."""

    seat: Seat
    """The seat that looks."""
    public: CodexView
    """The game as anybody may see it."""
    door: Door | None
    """Who is at the hidden screen; None where nobody is."""


class CodexMessage(ConsoleMessage, frozen=True, tag="codex"):
    """A game of Codex as the hidden screen shows it."""

    public: CodexView
    """The game as anybody may see it."""
    door: Door | None
    """Who is at the hidden screen; None where nobody is."""
    agent: AgentView | None
    """What the agent at the screen may see, while that agent peeks; None at any other time."""

    def __repr__(self) -> str:
        return f"CodexMessage(game {self.game}, agent hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("agent", "hidden")]


AnyTableMessage = TableMessage | CodexMessage


class Request(msgspec.Struct, frozen=True):
    """An act that somebody asks for at the console."""

    id: int
    """The number of the request, which comes back in its answer."""
    do: dict[str, Any]
    """The act as JSON, with its name in ``act`` and the seat in ``seat``."""


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    """What became of a request."""

    id: int
    """The number of the request."""
    ok: bool
    """Was it done? If not, it was refused."""
    reason: str | None = None
    """Why the request was refused, as a short name for programs; None if it was not."""
    sentence: str | None = None
    """Why the request was refused, as a sentence for people; None if it was not."""
    told: Any = None
    """What the seat that asked is told, and nobody else."""

    def __repr__(self) -> str:
        return f"Answer({self.id}, {'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("id", self.id), ("ok", self.ok), ("reason", self.reason)]  # not what is told


class Busy(msgspec.Struct, frozen=True, tag_field="kind", tag="busy"):
    """Another viewer is connected where there is room for one, and this connection ends.

    The console's socket takes one connection at a time. Whoever is told this may come again every
    few seconds, and is taken once the other has gone.
    """

    sentence: str = say(
        "Another screen is connected to this table, which serves one at a time. Close that one, "
        "or come again when it has gone."
    )


ToConsole = AnyTableMessage | Answer | Busy


def line(message: AnyPublicMessage | ToConsole | Request) -> bytes:
    """A message as a line, its line feed included."""
    return encode(message) + b"\n"


def read_request(text: bytes) -> Request:
    """The request that a line is. Raises InputError for a line that is none."""
    try:
        return _REQUEST.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is no request: {error}.", error=error)) from None


def read_public(text: bytes) -> AnyPublicMessage:
    """The public message that a line is. Raises InputError for a line that is none."""
    try:
        return _PUBLIC.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is no public message: {error}.", error=error)) from None


def read_to_console(text: bytes) -> ToConsole:
    """The message for the console that a line is. Raises InputError for a line that is none."""
    try:
        return read(_TO_CONSOLE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is no message for the console: {error}.", error=error)) from None


_REQUEST: Final = msgspec.json.Decoder(Request)
_PUBLIC: Final[msgspec.json.Decoder[AnyPublicMessage]] = msgspec.json.Decoder(AnyPublicMessage)
_TO_CONSOLE: Final[msgspec.json.Decoder[ToConsole]] = msgspec.json.Decoder(ToConsole)
