"""Reads messages of tables: finished games and faults.

The functions are pure: a topic and a payload in, a value out. Any client that may write to the
broker can send any topic and payload, so everything is checked.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.protocols.ipc.house import FinishedGame
from pi_table.protocols.ipc.texts import read as read_texts

MAX_PAYLOAD_BYTES: Final = 256 * 1024
"""Maximum size in bytes of a payload that is read."""
MAX_PARTS: Final = 5_000
"""Maximum number in one game of each of these: clues, guesses, dealt words."""
MAX_FAULTS: Final = 200
"""Maximum number of simultaneous faults of a table."""
MAX_NAME_LENGTH: Final = 200
"""Maximum number of characters of a word, a language or a version."""
MAX_SENTENCE_LENGTH: Final = 2_000
MAX_REVISION: Final = 1_000
"""Maximum revision of a record. The revision counts how often the game ended; it ends again after a
correction. A false record with a huge revision could block every true record of the game forever.
"""
MAX_INTEGER: Final = 2**31 - 1
"""Largest integer that a column holds in both databases."""
COMMANDS: Final = "do"
"""Topic level before a command's name. Other topics have the table's name in this position, so no
table may be called ``do``."""
CLOCKS_FROM: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""Earliest time that a correct clock can show, because no table is older."""
AHEAD: Final = timedelta(days=1)
"""Maximum time by which a game may seem to begin after the arrival of its record. If it begins even
later, the table's clock is wrong."""


class Record(FinishedGame, frozen=True, kw_only=True):
    """A finished game as a table's bridge publishes it."""

    table: str
    version: str

    @property
    def at(self) -> datetime:
        """Return the time at which the game began, by the table's clock. Raises ValueError or
        OverflowError for a text that is not a time with an offset from UTC."""
        at = datetime.fromisoformat(self.begun)
        if at.tzinfo is None:
            raise ValueError("it has no offset from UTC")
        return at.astimezone(UTC)


class Faults(msgspec.Struct, frozen=True):
    """The present faults of a table."""

    faults: Annotated[tuple[str, ...], msgspec.Meta(max_length=MAX_FAULTS)]
    """Sentences about the faults as plain text, without their ids and fields."""


NOTHING_WRONG: Final = Faults(())
"""The faults in an empty payload: none. An empty payload deletes the retained faults of a removed
table."""


class Heard(msgspec.Struct, frozen=True):
    """The content of a message that was read."""

    bar: str
    """Name of the table's bar (venue): the topic levels between the prefix and the table's name. ""
    if there are none."""
    table: str
    what: Record | Faults


def topics(prefix: str) -> Iterator[str]:
    """Yield the topic filters below a prefix for the messages that a collector reads: finished
    games and faults."""
    for kind in ("record", "faults"):
        yield f"{prefix}/+/{kind}"
        yield f"{prefix}/+/+/{kind}"  # for tables in a bar


def read(topic: str, payload: bytes, prefixes: tuple[str, ...]) -> Heard:
    """Return the content of a message. If several prefixes match, the longest counts. Raises
    InputError, with the reason, for a message that no table publishes."""
    prefix = max((each for each in prefixes if topic.startswith(f"{each}/")), key=len, default=None)
    if prefix is None:
        raise InputError("Its topic does not begin with the prefix of the settings.")
    *bars, table, kind = ["", *topic.removeprefix(f"{prefix}/").split("/")]
    bar = "/".join(bars).removeprefix("/")
    _check_text("topic", bar, MAX_NAME_LENGTH)
    _check_text("topic", table, MAX_NAME_LENGTH)
    if table == COMMANDS:
        raise InputError("It is a command to a table, not a message from one.")
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise InputError(
            f"It has {len(payload):,} bytes, and no more than {MAX_PAYLOAD_BYTES:,} are read."
        )
    try:
        if kind == "faults":
            told = read_texts(_FAULTS, payload) if payload else NOTHING_WRONG
            return Heard(bar, table, _check_faults(told))
        record = _RECORD.decode(payload)
    except (ValueError, RecursionError) as error:
        raise InputError(f"It cannot be read: {error}.") from None
    if record.table != table:
        raise InputError(
            f"It came in the topic of {table!r}, and says that it is of another table."
        )
    _check(record)
    return Heard(bar, table, record)


def is_clock_doubtful(begun: datetime, received: datetime) -> bool:
    """True if the table's clock was wrong when a game began; ``received`` is the time at which the
    game's record arrived."""
    return begun < CLOCKS_FROM or begun > received + AHEAD


def _check_faults(told: Faults) -> Faults:
    for sentence in told.faults:
        _check_text("faults", sentence, MAX_SENTENCE_LENGTH)
    return told


def _check(record: Record) -> None:
    """Raise InputError if a value cannot be stored in a database or cannot be from a game."""
    if not _ID.fullmatch(record.game):
        raise InputError("Its game is not an id of 32 hexadecimal digits.")
    for name, most in (("number", MAX_INTEGER), ("revision", MAX_REVISION), ("turns", MAX_INTEGER)):
        if not 0 <= getattr(record, name) <= most:
            raise InputError(f"Its {name} is out of range.")
    for name in ("table", "version", "profile", "lang"):
        _check_text(name, getattr(record, name), MAX_NAME_LENGTH)
    score = record.outcome.score
    if score is not None and not 0 <= score <= MAX_INTEGER:
        raise InputError("Its score is out of range.")
    if not 0 <= record.seconds <= MAX_INTEGER:
        raise InputError("Its seconds are out of range.")
    try:
        record.at  # noqa: B018 - is asked only whether it can be read
    except (ValueError, OverflowError) as error:
        raise InputError(f"Its begun is not a time: {error}.") from None
    for name in ("clues", "guesses", "dealt"):
        if len(getattr(record, name)) > MAX_PARTS:
            raise InputError(f"It has more {name} than any game.")
    for clue in record.clues:
        _check_text("clues", clue.word or "", MAX_NAME_LENGTH)
        if isinstance(clue.number, int) and not 0 <= clue.number <= MAX_INTEGER:
            raise InputError("The number of a clue is out of range.")
        if not 0 <= clue.seconds <= MAX_INTEGER:
            raise InputError("The seconds of a clue are out of range.")
    for guess in record.guesses:
        _check_text("guesses", guess.word or "", MAX_NAME_LENGTH)
        if guess.was not in FATES:
            raise InputError("The result of a guess is unknown.")
    for word in record.dealt:
        _check_text("dealt", word, MAX_NAME_LENGTH)


def _check_text(name: str, text: str, longest: int) -> None:
    if len(text) > longest or "\0" in text:
        raise InputError(f"A text in its {name} is too long, or contains U+0000.")


FATES: Final = ("right", "nobody", "other", "fatal")
"""The possible results of a guess."""
_ID: Final = re.compile("[0-9a-f]{32}")
_RECORD: Final[msgspec.json.Decoder[Record]] = msgspec.json.Decoder(Record)
_FAULTS: Final[msgspec.json.Decoder[Faults]] = msgspec.json.Decoder(Faults)
