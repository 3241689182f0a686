"""Deliveries go into the database, each game exactly once.

A record is known by its game's id, and of two of one game the higher revision holds, in whatever
order they come and however often. What is kept of a delivery is durable when `keep` returns.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from pi_table.collector.database import Database, UnfitError, as_text
from pi_table.collector.record import Faults, Heard, Record, doubtful, read
from pi_table.errors import InputError
from pi_table.ipc.house import FinishedClue

MOST_REJECTS: Final = 1_000
"""How many of those that could not be read are kept, the newest."""
BEGINNING: Final = 4_096
"""Bytes that are kept of each."""
LONGEST_WHY: Final = 500
LONGEST_TOPIC: Final = 200
"""Characters that are kept, and said, of why it is one, and of its topic."""
THE_SAME_SECONDS: Final = 120
"""A fault that comes back so soon is the same one still. So is one that is told twice."""


class Delivery(msgspec.Struct, frozen=True):
    """What came in a topic, and when, by the collector's clock."""

    topic: str
    payload: bytes
    at: datetime


def keep(database: Database, prefix: str, deliveries: Sequence[Delivery]) -> list[str]:
    """Put all that came under ``prefix`` into the database, in its order, as one transaction; what
    cannot be read goes among the rejects. The answer says what was wrong with those.

    Raises DatabaseAwayError, and then nothing has changed.
    """
    try:
        return _keep(database, prefix, deliveries)
    except UnfitError as error:
        if len(deliveries) == 1:
            return _keep_rejects(database, [(deliveries[0], str(error))])
    return [why for each in deliveries for why in keep(database, prefix, [each])]


def _keep(database: Database, prefix: str, deliveries: Sequence[Delivery]) -> list[str]:
    heard: list[tuple[Heard, datetime]] = []
    rejects: list[tuple[Delivery, str]] = []
    for each in deliveries:
        try:
            heard.append((read(each.topic, each.payload, prefix), each.at))
        except InputError as error:
            rejects.append((each, str(error)))
    with database.transaction():
        _keep_tables(database, heard)
        records = [(one.what, at) for one, at in heard if isinstance(one.what, Record)]
        _keep_games(database, records)
        for one, at in heard:
            if isinstance(one.what, Faults):
                _keep_faults(database, one.table, one.what, at)
        return _put_rejects(database, rejects)


def _keep_tables(database: Database, heard: Sequence[tuple[Heard, datetime]]) -> None:
    seen: dict[str, tuple[datetime, str | None]] = {}
    for one, at in heard:
        version = one.what.version if isinstance(one.what, Record) else None
        known = seen.get(one.table)
        seen[one.table] = (at, version or (known and known[1]))
    rows = [(name, as_text(at), as_text(at), version) for name, (at, version) in seen.items()]
    database.put(TABLE, sorted(rows))


def _keep_games(database: Database, records: Sequence[tuple[Record, datetime]]) -> None:
    kept: dict[int, Record] = {}
    """The records that hold, by the keys of their games."""
    keys = database.ask_each(GAME, [_game(record, at) for record, at in records])
    for (record, _), found in zip(records, keys, strict=True):
        kept.update((key, record) for (key,) in found)
    if kept:
        marks = ", ".join("?" * len(kept))
        for part, rows in (("clues", _clues), ("guesses", _guesses), ("dealt", _dealt)):
            database.ask(f"DELETE FROM {part} WHERE game IN ({marks})", [*kept])
            database.add(part, rows(kept))


def _game(record: Record, at: datetime) -> tuple[Any, ...]:
    begun, outcome = record.at, record.outcome
    doubted = doubtful(begun, at)
    return (
        record.game,
        record.table,
        record.number,
        record.revision,
        as_text(begun),
        as_text(at),
        doubted,
        as_text(at if doubted else begun),
        record.profile,
        record.lang,
        float(record.seconds),
        None if outcome.winner is None else outcome.winner.value,
        outcome.why.value,
        outcome.score,
        record.turns,
        float(record.clues[0].seconds) if record.clues else None,
    )


def _clues(kept: dict[int, Record]) -> Any:
    for key, record in kept.items():
        for position, clue in enumerate(record.clues):
            number = _number(clue)
            yield key, position, clue.team.value, clue.word, number, float(clue.seconds)


def _number(clue: FinishedClue) -> int | None:
    return clue.number if isinstance(clue.number, int) else None


def _guesses(kept: dict[int, Record]) -> Any:
    for key, record in kept.items():
        for position, guess in enumerate(record.guesses):
            yield key, position, guess.team.value, guess.word, guess.was


def _dealt(kept: dict[int, Record]) -> Any:
    for key, record in kept.items():
        for position, word in enumerate(record.dealt):
            yield key, position, word


def _keep_faults(database: Database, table: str, told: Faults, at: datetime) -> None:
    """What is wrong with a table now begins, unless it is known, and all else ends."""
    now, wrong = as_text(at), dict.fromkeys(told.faults)
    ended: dict[str, int] = {}
    lately = as_text(at - timedelta(seconds=THE_SAME_SECONDS))
    for key, sentence, until in database.ask(FAULTS, (table, lately)):
        if until is not None:
            ended[sentence] = key
        elif sentence in wrong:
            del wrong[sentence]
        else:
            database.put("UPDATE faults SET until = ? WHERE key = ?", [(now, key)])
    for sentence in wrong:
        if sentence in ended:
            database.put("UPDATE faults SET until = NULL WHERE key = ?", [(ended[sentence],)])
        else:
            database.put(FAULT, [(table, sentence, now)])


def _keep_rejects(database: Database, rejects: Sequence[tuple[Delivery, str]]) -> list[str]:
    with database.transaction():
        return _put_rejects(database, rejects)


def _put_rejects(database: Database, rejects: Sequence[tuple[Delivery, str]]) -> list[str]:
    if rejects:
        database.put(REJECT, [_reject(each, why) for each, why in rejects])
        database.ask(FORGET, (MOST_REJECTS,))
    return [
        f"What came in {_short(each.topic, LONGEST_TOPIC)} is not counted. {_short(why)}"
        for each, why in rejects
    ]


def _short(text: str, most: int = LONGEST_WHY) -> str:
    """A text with no more than so many characters; why something is wrong may repeat all of it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _reject(delivery: Delivery, why: str) -> tuple[Any, ...]:
    topic = delivery.topic.replace("\0", "")
    digest = hashlib.sha256(topic.encode() + b"\0" + delivery.payload).hexdigest()
    beginning = delivery.payload[:BEGINNING]
    size = len(delivery.payload)
    why = _short(why.replace("\0", ""))
    return digest, as_text(delivery.at), _short(topic, LONGEST_TOPIC), why, size, beginning


TABLE: Final = """INSERT INTO tables VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET
        last_seen = excluded.last_seen, version = coalesce(excluded.version, tables.version)"""

_COLUMNS: Final = (
    *("id", "table_name", "number", "revision", "begun", "received_at", "clock_doubtful"),
    *("played", "profile", "lang", "seconds", "winner", "why", "score", "turns"),
    "first_clue_seconds",
)
GAME: Final = f"""INSERT INTO games ({", ".join(_COLUMNS)})
    VALUES ({", ".join("?" * len(_COLUMNS))})
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)}
    WHERE games.revision < excluded.revision
    RETURNING key"""
"""Comes to the game's key where the record holds, and to nothing where it is an old one."""

FAULTS: Final = """SELECT key, sentence, until FROM faults
    WHERE table_name = ? AND (until IS NULL OR until >= ?) ORDER BY key"""
FAULT: Final = "INSERT INTO faults (table_name, sentence, since) VALUES (?, ?, ?)"
REJECT: Final = """INSERT INTO rejects (digest, received_at, topic, why, bytes, beginning)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"""
FORGET: Final = """DELETE FROM rejects
    WHERE key NOT IN (SELECT key FROM rejects ORDER BY key DESC LIMIT ?)"""
