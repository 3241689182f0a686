"""What goes over the sockets: one JSON object a line, in both directions.

The public socket carries `PublicMessage`, and nothing comes in. The console's socket carries
`TableMessage` and `Answer` out, `Request` in. What a viewer may see is decided by the rules; a
message only wraps their views.
"""

from typing import Any, Final

import msgspec

from pi_table.errors import InputError
from pi_table.rules.profile import Settings
from pi_table.rules.views import PublicView

LONGEST_LINE: Final = 64 * 1024
"""Bytes; whoever sends the table a longer line is not one of ours."""
LONGEST_ANSWER: Final = 4 * 1024 * 1024
"""Bytes of a line that the table sends: the record of a long game is the longest."""


class PublicMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="public"):
    """The table as anybody may see it; ``view`` is None before the first game."""

    view: PublicView | None
    out_of_order: bool
    """The table cannot play at the moment; what ails it is for the staff."""


class TableMessage(msgspec.Struct, frozen=True, tag_field="kind", tag="table"):
    """The table as the spymasters' screen shows it."""

    public: PublicView | None
    """None before the first game."""
    key: str | None
    """The 25 letters; never None while there is a game."""
    may: dict[str, tuple[str, ...]]
    """The acts that each seat may do now."""
    settings: Settings | None
    game: int | None
    """The number of the game in the journal."""
    cards: str
    """How the next game gets its words: ``own`` or ``dealt``."""
    faults: tuple[str, ...]
    """What is wrong with the table, in sentences for the staff."""

    def __repr__(self) -> str:
        return f"TableMessage(game {self.game}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("game", self.game), ("key", "hidden")]  # msgspec's own would show it


class Request(msgspec.Struct, frozen=True):
    """An act that somebody asks for at the console; ``do`` is what `rules.text` reads."""

    id: int
    do: dict[str, Any]


class Answer(msgspec.Struct, frozen=True, tag_field="kind", tag="answer"):
    """What became of a request: done, with what the seat alone is ``told``, or refused."""

    id: int
    ok: bool
    reason: str | None = None
    sentence: str | None = None
    told: Any = None

    def __repr__(self) -> str:
        return f"Answer({self.id}, {'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("id", self.id), ("ok", self.ok), ("reason", self.reason)]  # not what is told


ToConsole = TableMessage | Answer


def line(message: PublicMessage | TableMessage | Answer | Request) -> bytes:
    """A message as a line, its line feed included."""
    return msgspec.json.encode(message) + b"\n"


def read_request(text: bytes) -> Request:
    """Raises InputError for what is no request."""
    try:
        return _REQUEST.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is no request: {error}.") from None


def read_public(text: bytes) -> PublicMessage:
    """Raises InputError for what the table would not have sent."""
    try:
        return _PUBLIC.decode(text)
    except ValueError as error:
        raise InputError(f"This is no public message: {error}.") from None


def read_to_console(text: bytes) -> ToConsole:
    """Raises InputError for what the table would not have sent."""
    try:
        return _TO_CONSOLE.decode(text)
    except ValueError as error:
        raise InputError(f"This is no message for the console: {error}.") from None


_REQUEST: Final = msgspec.json.Decoder(Request)
_PUBLIC: Final = msgspec.json.Decoder(PublicMessage)
_TO_CONSOLE: Final[msgspec.json.Decoder[ToConsole]] = msgspec.json.Decoder(ToConsole)
