"""What the table wants done: the outputs of its machine.

Orders are for the disk, which takes its time; what comes of an order is an input later. Everything
else is done at once.
"""

import enum
from typing import Any

import msgspec

from pi_table.engine.dealing import Wish
from pi_table.errors import TableError
from pi_table.hal.contracts import LightFrame
from pi_table.language import Lang
from pi_table.rules.events import Event
from pi_table.rules.games import Opening


class Store(msgspec.Struct, frozen=True):
    """Store these events; the answer is Stored or NotStored."""

    game: int | None
    """The number of their game, None for a new one that begins with them."""
    happened: tuple[Event, ...]


class Note(msgspec.Struct, frozen=True):
    """Note how far the time of a game has come, in seconds; nothing answers, and it may be lost."""

    game: int
    at: float


class Open(msgspec.Struct, frozen=True):
    """Close the journal, set it ``aside`` or not, and open it again; the answer is Opened or
    NotOpened."""

    aside: bool


class Deal(msgspec.Struct, frozen=True):
    """Make the opening of a game that is given as JSON; the answer is Dealt or NotFetched."""

    to: object
    game: object
    wish: Wish


class Begun(msgspec.Struct, frozen=True):
    """Remember that this game was begun: its words are used. Nothing answers."""

    opening: Opening


class ListGames(msgspec.Struct, frozen=True):
    """Read which games are finished; the answer is Fetched or NotFetched."""

    to: object


class ReadRecord(msgspec.Struct, frozen=True):
    """Read the record of a finished game; the answer is Fetched or NotFetched."""

    to: object
    number: int
    lang: Lang | None


Order = Store | Note | Open | Deal | Begun | ListGames | ReadRecord


class Show(msgspec.Struct, frozen=True):
    """Make the lights look like this."""

    frame: LightFrame


class Audience(enum.Enum):
    """Who is told how the table stands."""

    PUBLIC = "public"
    CONSOLE = "console"


class Publish(msgspec.Struct, frozen=True):
    """There is something new to tell this audience: the machine's message for it."""

    to: Audience


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request: accepted, and stored if there was anything to store; or refused."""

    ok: bool
    reason: str | None = None
    """Why it was refused, as a short name for programs."""
    sentence: str | None = None
    """Why it was refused, as a sentence for people."""
    told: Any = None
    """What the seat that asked is told, and nobody else."""

    def __repr__(self) -> str:
        return f"Verdict({'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("ok", self.ok), ("reason", self.reason)]  # not what is told


class Answer(msgspec.Struct, frozen=True):
    """Answer the request that was asked with ``to``."""

    to: object
    verdict: Verdict
    refusal: TableError | None = None
    """The error behind a refusal, for a caller in the same process."""


Output = Order | Show | Publish | Answer
