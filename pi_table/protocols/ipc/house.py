"""What goes over the socket of the house: how the table fares, finished games, and a few orders.

Who runs several tables sees by it what ails each one and what was played there, and may be heard
with the orders of `Order`. No act of a game is among them: nobody can start, alter or end one that
is being played, and nothing that is hidden is told. The README beside this file has an example.
"""

import enum
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.house import Percent, TimeOfDay
from pi_table.common.language import say
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Number
from pi_table.protocols.ipc.messages import Answer
from pi_table.protocols.ipc.texts import encode, read

MOST_CONNECTIONS: Final = 4
"""Connections to the socket: the bridge's, an update's, and some for those that have not been
noticed to be gone."""
MOST_TOLD: Final = 16
"""Finished games of one answer."""
MOST_LOCATE_SECONDS: Final = 300
MOST_CLOSING_MINUTES: Final = 120
MOST_FREE_SECONDS: Final = 1800
NIGHT: Final = timedelta(hours=6)
"""A game that is begun before six in the morning is of the evening before. In tonight's tally an
evening ends after as many hours without a game, too."""


def evening_of(at: datetime, zone: tzinfo | None) -> date:
    """The evening that a moment is of. ``zone`` is where the table stands; None: where this machine
    thinks it is."""
    return (at.astimezone(zone) - NIGHT).date()


class Order(enum.Enum):
    """What the house may ask of the table: the ``act`` of a request."""

    LOCATE = "locate"
    """The lights blink for ``seconds``, so that somebody finds the table; 0: no longer."""
    SET = "set"
    """Settings of the house change: ``settings`` holds values by the names of `HouseSettings`."""
    CLOSING = "closing"
    """Everybody is told that the house closes in ``minutes``."""
    KEEP_FREE = "keep-free"
    """No game begins for ``seconds``, while the machine is being worked on; 0: no longer. Refused
    while a game is being played."""
    FINISHED = "finished"
    """The finished games ``after`` one, the oldest first, `MOST_TOLD` at most, as `FinishedGame`.
    ``after`` is what is known of the latest one that was told (`Latest`); null: none was. That game
    comes once more where its revision is higher by now. Where the journal's game of that number has
    another id, it is another journal, which is told from its first game on."""


class HouseSettings(msgspec.Struct, frozen=True):
    """The settings of the house that can be changed over this socket, with their values."""

    brightness: Percent
    volume: Percent
    muted: bool
    quiet_from: TimeOfDay
    quiet_until: TimeOfDay
    idle_lights: bool
    """Does a table at which nobody is invite with its lights?"""
    out_of_service: bool
    """Does no game begin at the table? One that is being played goes on to its end."""


class Latest(msgspec.Struct, frozen=True):
    """The latest finished game of the journal."""

    number: int
    """From 1, in the order of the journal."""
    game: str
    """The game's id: 32 hexadecimal digits of chance, the same for ever."""
    revision: int
    """How often the game has ended: more than once where it was taken up again after its end, to be
    corrected."""


class HouseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="house"):
    """How the table fares: sent when it changes, and at each full minute."""

    version: str
    """The version of the table's program."""
    faults: tuple[str, ...]
    """What is wrong with the table, in sentences for the staff; the first is the gravest."""
    out_of_order: bool
    """Can the table not be played at?"""
    link: bool
    """Does the device that feels touches answer?"""
    deaf: tuple[str, ...]
    """The places that cannot feel a finger."""
    wet: bool
    """Is the table wet, or does something lie on its rim?"""
    can_store: bool
    """Is there a journal to store a game in?"""
    counts: dict[str, int]
    """How often each thing has gone wrong since the program was started, by its name."""
    settings: HouseSettings
    latest: Latest | None
    """The latest finished game; None before the first."""
    locating: bool
    """Do the lights blink so that somebody finds the table?"""
    kept_free: bool
    """Is it kept free, so that no game begins?"""


class FinishedClue(msgspec.Struct, frozen=True):
    """A clue of a finished game."""

    team: Team
    word: str | None
    """None where it was only spoken."""
    number: Number
    seconds: float
    """From the beginning of the turn to the clue."""


class FinishedGuess(msgspec.Struct, frozen=True):
    """A guess of a finished game, and what it came to."""

    team: Team
    word: str | None
    """None where players laid out cards of their own, which the table does not know."""
    was: str
    """``right``, ``nobody`` (a bystander or decoy), ``other`` (the other team's), ``fatal``."""


class FinishedGame(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody saw of a finished game. No name of a guest and nothing of a key is in it."""

    game: str
    """The game's id: 32 hexadecimal digits of chance, the same for ever."""
    number: int
    revision: int
    """Of two records of one game the one with the higher revision holds."""
    begun: str
    """When the game began, by the table's clock: ISO 8601, UTC."""
    profile: str
    lang: str
    seconds: float
    """How long the game was, pauses left out."""
    outcome: Outcome
    turns: int
    clues: tuple[FinishedClue, ...] = ()
    guesses: tuple[FinishedGuess, ...] = ()
    dealt: tuple[str, ...] = ()
    """The words that lay on the table, as far as the table knew them."""


ToHouse = HouseMessage | Answer


def line(message: HouseMessage) -> bytes:
    """A message as a line, its line feed included."""
    return encode(message) + b"\n"


def read_to_house(text: bytes) -> ToHouse:
    """The message that a line is. Raises InputError for a line that is none."""
    try:
        return read(_TO_HOUSE, text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is no message for the house: {error}.", error=error)) from None


def read_finished(told: object) -> tuple[FinishedGame, ...]:
    """The games that `Order.FINISHED` was answered with. Raises InputError where it is none."""
    try:
        return msgspec.convert(told, tuple[FinishedGame, ...])
    except (ValueError, RecursionError) as error:
        raise InputError(say("These are no finished games: {error}.", error=error)) from None


_TO_HOUSE: Final[msgspec.json.Decoder[ToHouse]] = msgspec.json.Decoder(ToHouse)
