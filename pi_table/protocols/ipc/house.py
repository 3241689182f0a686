"""Messages on the house socket: the table's health, finished games, and a few orders.

The socket is for an operator of several tables, who sees faults and finished games and may send an
`Order`. No order is an act of a game, so nobody can start, alter or end a running game, and nothing
hidden is sent. The README beside this file has an example.
"""

import enum
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.house_settings import Percent, TimeOfDay
from pi_table.common.language import say
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Number
from pi_table.protocols.ipc.messages import Answer
from pi_table.protocols.ipc.texts import encode, read

MAX_CONNECTIONS: Final = 4
"""Connections at a time: a bridge, an update, and two broken ones not noticed yet."""
MAX_FINISHED_GAMES: Final = 16
"""Largest number of finished games in one answer."""
MAX_LOCATE_SECONDS: Final = 300
MAX_CLOSING_MINUTES: Final = 120
MAX_FREE_SECONDS: Final = 1800
NIGHT: Final = timedelta(hours=6)
"""Hours after midnight that belong to the evening before. Tonight's tally also ends an evening
after this many hours without a game."""


def evening_of(at: datetime, zone: tzinfo | None) -> date:
    """Return the date of the evening of ``at``, in a time zone; None: in this machine's."""
    return (at.astimezone(zone) - NIGHT).date()


class Order(enum.Enum):
    """The orders that the house may send: the ``act`` of a request."""

    LOCATE = "locate"
    """Blink the lights for ``seconds``, so that somebody finds the table; 0: stop."""
    SET = "set"
    """Change settings of the house: ``settings`` holds values by the names of `HouseSettings`."""
    CLOSING = "closing"
    """Announce that the house closes in ``minutes``."""
    KEEP_FREE = "keep-free"
    """Let no game begin for ``seconds``, for work on the machine; 0: stop. Refused in a game."""
    FINISHED = "finished"
    """Ask for finished games as `FinishedGame`, the oldest first, at most `MAX_FINISHED_GAMES`.

    ``after`` is the last known game (`Latest`), or null. That game is sent again if its revision is
    higher now. If the journal's game of that number has another id, the journal was replaced; then
    all games of the new journal are sent from the first.
    """


class HouseSettings(msgspec.Struct, frozen=True):
    """The settings of the house that can be changed over this socket; see `House`."""

    brightness: Percent
    volume: Percent
    muted: bool
    quiet_from: TimeOfDay
    quiet_until: TimeOfDay
    idle_lights: bool
    out_of_service: bool


class Latest(msgspec.Struct, frozen=True):
    """The latest finished game of the journal."""

    number: int
    """The game's number in the journal, from 1."""
    game: str
    """The game's id: 32 random hexadecimal digits, which never change."""
    revision: int
    """Number of times that the game has ended: more than 1 after a correction."""


class HouseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="house"):
    """The table's health: sent when it changes, and at each full minute."""

    version: str
    faults: tuple[str, ...]
    """Faults of the table, in sentences for the staff; the most serious first."""
    out_of_order: bool
    """True if the table cannot be played at."""
    link: bool
    """True if the touch controller answers the table."""
    deaf: tuple[str, ...]
    """Names of the places that cannot feel a finger."""
    wet: bool
    """True if the table is wet, or something lies on its rim."""
    can_store: bool
    """True if there is a journal to store a game in."""
    counts: dict[str, int]
    """Number of failures of each kind since the engine was started, by the name of the kind."""
    settings: HouseSettings
    latest: Latest | None
    locating: bool
    """True if the lights blink so that somebody finds the table."""
    kept_free: bool
    """True if the table is kept free, so that no game begins."""


class FinishedClue(msgspec.Struct, frozen=True):
    """A clue of a finished game."""

    team: Team
    word: str | None
    """The word of the clue; None if the clue was only spoken."""
    number: Number
    seconds: float
    """Seconds from the beginning of the turn to the clue."""


class FinishedGuess(msgspec.Struct, frozen=True):
    """A guess of a finished game, with its result."""

    team: Team
    word: str | None
    """The guessed word; None for a card of the players' own, whose word is unknown."""
    was: str
    """The result: ``right``, ``nobody`` (bystander or decoy), ``other`` (team's) or ``fatal``."""


class FinishedGame(msgspec.Struct, frozen=True, kw_only=True):
    """The public record of a finished game, without names of guests and without the key."""

    game: str
    """The game's id: 32 random hexadecimal digits, which never change."""
    number: int
    revision: int
    """Revision: of two records of the same game, the record with the higher revision is valid."""
    begun: str
    """Time at which the game started, by the table's clock: ISO 8601, UTC."""
    profile: str
    lang: str
    seconds: float
    """Seconds of play, without pauses."""
    outcome: Outcome
    turns: int
    clues: tuple[FinishedClue, ...] = ()
    guesses: tuple[FinishedGuess, ...] = ()
    dealt: tuple[str, ...] = ()
    """The words on the table, without those of guests and those that the table does not know."""


ToHouse = HouseMessage | Answer


def line(message: HouseMessage) -> bytes:
    """Encode a message as a line, with its line feed."""
    return encode(message) + b"\n"


def read_to_house(text: bytes) -> ToHouse:
    """Decode a message for the house. Raises InputError for any other line."""
    try:
        return read(_TO_HOUSE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the house: {error}.", error=error)
        ) from None


def read_finished(told: object) -> tuple[FinishedGame, ...]:
    """Decode the answer to `Order.FINISHED`. Raises InputError if the answer is invalid."""
    try:
        return msgspec.convert(told, tuple[FinishedGame, ...])
    except (ValueError, RecursionError) as error:
        raise InputError(say("These are not finished games: {error}.", error=error)) from None


_TO_HOUSE: Final[msgspec.json.Decoder[ToHouse]] = msgspec.json.Decoder(ToHouse)
