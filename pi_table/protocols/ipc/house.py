"""Messages on the house socket: the table's health, finished games, and a few orders.

The socket serves an operator of several tables. The operator sees faults and finished games, and
may send an `Order`. No order is a move in a game, and no order starts, changes or ends a game. No
secret of a game is sent. The README beside this file has an example.
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
"""Maximum number of connections at the same time: the bridge, an update, and two dead connections
that the table has not closed yet."""
MAX_FINISHED_GAMES: Final = 16
"""Maximum number of finished games in one answer."""
MAX_LOCATE_SECONDS: Final = 300
MAX_CLOSING_MINUTES: Final = 120
MAX_FREE_SECONDS: Final = 1800
NIGHT: Final = timedelta(hours=6)
"""Time after midnight that counts as the evening before. The tally of tonight's games also ends
after the same time without a game."""


def evening_of(at: datetime, zone: tzinfo | None) -> date:
    """Return the date of the evening to which the time ``at`` belongs. If ``zone`` is None, the
    time zone of this machine is used."""
    return (at.astimezone(zone) - NIGHT).date()


class Order(enum.Enum):
    """The orders that the house may send, as the field ``act`` of a request."""

    LOCATE = "locate"
    """Blink the lights for ``seconds``, so that staff can find the table. 0 stops the blinking."""
    SET = "set"
    """Change settings of the house. ``settings`` maps names of fields of `HouseSettings` to values.
    """
    CLOSING = "closing"
    """Announce that the house closes after ``minutes`` minutes."""
    KEEP_FREE = "keep-free"
    """Let no game begin for ``seconds``, so that staff can work on the machine. 0 allows games
    again. The order is refused during a game."""
    FINISHED = "finished"
    """Request the games that finished after the game ``after``. The answer is a list of
    `FinishedGame`, the oldest first, with at most `MAX_FINISHED_GAMES` games.

    ``after`` is the last game that the house knows (`Latest`), or null. That game is sent again if
    its revision is higher now. If the journal has another game with that number, the journal was
    replaced. The answer then begins with the journal's first game.
    """


class HouseSettings(msgspec.Struct, frozen=True):
    """Settings of the house that can be changed over the house socket. `House` explains them."""

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
    """The game's id: 32 random hexadecimal digits. A correction of the game does not change it."""
    revision: int
    """Number of times that the game has ended. It is more than 1 if an end was taken back and the
    game ended again."""


class HouseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="house"):
    """The table's health. It is sent when it changes, and at each full minute."""

    version: str
    faults: tuple[str, ...]
    """Sentences for the staff about faults of the table; the most serious fault comes first."""
    out_of_order: bool
    """True if nobody can play at the table."""
    link: bool
    """True if the touch controller answers the table."""
    deaf: tuple[str, ...]
    """Names of the places that cannot feel a finger."""
    wet: bool
    """True if the table is wet, or something lies on its rim."""
    can_store: bool
    """True if there is a journal in which games can be stored."""
    counts: dict[str, int]
    """Number of failures since the engine was started, by the name of the kind of failure."""
    settings: HouseSettings
    latest: Latest | None
    locating: bool
    """True if the lights blink so that staff can find the table."""
    kept_free: bool
    """True if no game may begin, because of `Order.KEEP_FREE`."""


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
    """The guessed word; None if the table does not know it, or if a guest typed it."""
    was: str
    """The guessed card: ``right`` (the guessing team's), ``other`` (the other team's), ``nobody``
    (a bystander or decoy) or ``fatal`` (it loses the game)."""


class FinishedGame(msgspec.Struct, frozen=True, kw_only=True):
    """The public record of a finished game, without the key and without what guests typed."""

    game: str
    """The game's id: 32 random hexadecimal digits. A correction of the game does not change it."""
    number: int
    revision: int
    """Number of times that the game has ended. Of two records of the same game, the record with the
    higher revision is valid."""
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
    """The words on the table. Words that guests typed, and words unknown to the table, are left
    out."""


ToHouse = HouseMessage | Answer


def line(message: HouseMessage) -> bytes:
    """Encode a message as one line, with its line feed."""
    return encode(message) + b"\n"


def read_to_house(text: bytes) -> ToHouse:
    """Decode a message for the house. Raises InputError if the line is not such a message."""
    try:
        return read(_TO_HOUSE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the house: {error}.", error=error)
        ) from None


def read_finished(told: object) -> tuple[FinishedGame, ...]:
    """Decode the data of the answer to `Order.FINISHED`. Raises InputError if they are invalid."""
    try:
        return msgspec.convert(told, tuple[FinishedGame, ...])
    except (ValueError, RecursionError) as error:
        raise InputError(say("These are not finished games: {error}.", error=error)) from None


_TO_HOUSE: Final[msgspec.json.Decoder[ToHouse]] = msgspec.json.Decoder(ToHouse)
