"""Stores received messages in the database, each game exactly once.

A record is identified by its game's id. If several records of one game arrive, in any order, the
record with the highest revision counts. A game belongs to the table that reported it first; a
record of the game from another table is rejected. Everything is durable when `keep` returns.
"""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import as_line, in_english
from pi_table.fleet.collector.database import Database, UnfitError, as_text
from pi_table.fleet.collector.record import Faults, Heard, Record, is_clock_doubtful, read

MAX_REJECTS: Final = 1_000
"""Maximum number of rejected messages that are stored; the newest are kept."""
MAX_GAMES_PER_TABLE: Final = 100_000
"""Maximum number of stored games of one table: enough for ten games an evening for 27 years."""
MAX_FAULTS_PER_TABLE: Final = 10_000
"""Maximum number of stored faults of one table; the newest faults are kept."""
MAX_REJECT_BYTES: Final = 4_096
"""Maximum number of bytes that are stored of a rejected message."""
MAX_REASON_LENGTH: Final = 500
MAX_TOPIC_LENGTH: Final = 200
"""Maximum number of characters that are stored or logged of a rejected message's topic."""
SAME_FAULT_SECONDS: Final = 120
"""Longest pause in seconds within one fault. If a fault returns later, it counts as a new fault."""


class Delivery(msgspec.Struct, frozen=True):
    """A received message, and the time of its arrival by the collector's clock."""

    topic: str
    payload: bytes
    at: datetime


Reject = tuple[Delivery, str]
"""A message that is not counted, and the reason why not."""


def keep(
    database: Database, prefixes: tuple[str, ...], deliveries: Sequence[Delivery]
) -> list[str]:
    """Store messages in order, if possible in one transaction. A message that cannot be counted,
    such as one without any of these topic ``prefixes``, is stored as a reject.

    Return a sentence for each reject, and for each table whose old faults were deleted. Raises
    DatabaseAwayError; a later call with the same messages can then succeed.
    """
    try:
        return _keep(database, prefixes, deliveries)
    except UnfitError as error:
        if len(deliveries) == 1:
            with database.transaction():
                return _insert_rejects(database, [(deliveries[0], str(error))])
    return [why for each in deliveries for why in keep(database, prefixes, [each])]


def _keep(
    database: Database, prefixes: tuple[str, ...], deliveries: Sequence[Delivery]
) -> list[str]:
    heard: list[tuple[Delivery, Heard]] = []
    rejects: list[Reject] = []
    told: list[str] = []
    for each in deliveries:
        try:
            heard.append((each, read(each.topic, each.payload, prefixes)))
        except InputError as error:
            rejects.append((each, str(error)))
    with database.transaction():
        _keep_tables(database, heard)
        rejects += _keep_games(database, heard)
        for each, one in heard:
            if isinstance(one.what, Faults):
                told += _keep_faults(database, one.table, one.what, each.at)
        return told + _insert_rejects(database, rejects)


def _keep_tables(database: Database, heard: Sequence[tuple[Delivery, Heard]]) -> None:
    seen: dict[str, tuple[datetime, str, str | None]] = {}
    for each, one in heard:
        _, bar, version = seen.get(one.table, (each.at, one.bar, None))
        if isinstance(one.what, Record):
            # Take no bar from faults: retained faults may be from another bar, where the table was
            # before.
            bar, version = one.bar, one.what.version
        seen[one.table] = (each.at, bar, version)
    rows = [
        (name, bar, as_text(at), as_text(at), version) for name, (at, bar, version) in seen.items()
    ]
    # Sorted, so that two collectors lock the rows in the same order.
    database.put(TABLE, sorted(rows, key=lambda row: row[0]))


def _keep_games(database: Database, heard: Sequence[tuple[Delivery, Heard]]) -> list[Reject]:
    """Store the games in the records, in order; return the rejected messages."""
    rejects: list[Reject] = []
    records = [(each, one.bar, one.what) for each, one in heard if isinstance(one.what, Record)]
    told: list[tuple[Delivery, str, Record]] = []
    owners = _owners(database, {record.game for _, _, record in records})
    room: dict[str, int] = {}
    """For each table, the number of further games that the database may store."""
    for each, bar, record in records:
        table, is_new = record.table, record.game not in owners
        if table not in room:
            ((count,),) = database.ask(COUNT, (table,))
            room[table] = MAX_GAMES_PER_TABLE - count
        if is_new and room[table] <= 0:
            why = (
                f"{MAX_GAMES_PER_TABLE:,} games of the table {table} are kept, and no table plays "
                "as many. Shut the table out if it is not yours; otherwise delete games from the "
                "database."
            )
            rejects.append((each, why))
        else:
            room[table] -= is_new
            owners.setdefault(record.game, table)
            told.append((each, bar, record))
    kept: dict[int, Record] = {}
    """The newest record of each game, by the key of the game's row."""
    keys = database.ask_each(GAME, [_game(record, bar, each.at) for each, bar, record in told])
    for (_, _, record), found in zip(told, keys, strict=True):
        kept.update((key, record) for (key,) in found)
    # Read the owners only now: another collector may have stored a game in the meantime.
    unkept = [one for one, found in zip(told, keys, strict=True) if not found]
    owners = _owners(database, {record.game for _, _, record in unkept})
    for each, _, record in unkept:
        if (owner := owners[record.game]) != record.table:
            why = f"The table {owner} told this game first, and it stays that table's."
            rejects.append((each, why))
    if kept:
        for part, rows in (("clues", _clues), ("guesses", _guesses), ("dealt", _dealt)):
            database.ask(f"DELETE FROM {part} WHERE game IN ({_marks(kept)})", [*kept])
            database.add(part, rows(kept))
    return rejects


def _owners(database: Database, games: Collection[str]) -> dict[str, str]:
    """Return the table that first reported each game, by game id. Unknown games are missing."""
    if not games:
        return {}
    return dict(
        database.ask(f"SELECT id, table_name FROM games WHERE id IN ({_marks(games)})", [*games])
    )


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _game(record: Record, bar: str, at: datetime) -> tuple[Any, ...]:
    begun, outcome = record.at, record.outcome
    doubted = is_clock_doubtful(begun, at)
    return (
        record.game,
        record.table,
        bar,
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
            number = clue.number if isinstance(clue.number, int) else None
            yield key, position, clue.team.value, clue.word, number, float(clue.seconds)


def _guesses(kept: dict[int, Record]) -> Any:
    for key, record in kept.items():
        for position, guess in enumerate(record.guesses):
            yield key, position, guess.team.value, guess.word, guess.was


def _dealt(kept: dict[int, Record]) -> Any:
    for key, record in kept.items():
        for position, word in enumerate(record.dealt):
            yield key, position, word


def _keep_faults(database: Database, table: str, told: Faults, at: datetime) -> list[str]:
    """Store a table's present faults. New faults begin; stored faults that are not reported any
    more end. Return a sentence if old faults were deleted."""
    now, wrong = as_text(at), dict.fromkeys(told.faults)
    ended: dict[str, int] = {}
    lately = as_text(at - timedelta(seconds=SAME_FAULT_SECONDS))
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
            database.put(FAULT, [(table, in_english(sentence), now)])
            if made_from := as_line(sentence):
                database.put(TEXT, [(in_english(sentence), made_from)])
    if not wrong or not database.ask(FORGET_FAULTS, (table, table, MAX_FAULTS_PER_TABLE)):
        return []
    database.ask(FORGET_TEXTS)
    return [f"Only the newest {MAX_FAULTS_PER_TABLE:,} faults of the table {table} are kept."]


def _insert_rejects(database: Database, rejects: Sequence[Reject]) -> list[str]:
    if rejects:
        database.put(REJECT, [_reject(each, why) for each, why in rejects])
        database.ask(FORGET, (MAX_REJECTS,))
    return [
        f"What came in {_short(each.topic, MAX_TOPIC_LENGTH)} is not counted. {_short(why)}"
        for each, why in rejects
    ]


def _short(text: str, most: int = MAX_REASON_LENGTH) -> str:
    """Return a text, cut to ``most`` characters, because an error's text may repeat a whole
    payload."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _reject(delivery: Delivery, why: str) -> tuple[Any, ...]:
    topic = delivery.topic.replace("\0", "")
    digest = hashlib.sha256(topic.encode() + b"\0" + delivery.payload).hexdigest()
    beginning = delivery.payload[:MAX_REJECT_BYTES]
    size = len(delivery.payload)
    why = _short(why.replace("\0", ""))
    return digest, as_text(delivery.at), _short(topic, MAX_TOPIC_LENGTH), why, size, beginning


TABLE: Final = """INSERT INTO tables (name, bar, first_seen, last_seen, version)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET
        last_seen = excluded.last_seen, version = coalesce(excluded.version, tables.version),
        bar = CASE WHEN excluded.version IS NULL THEN tables.bar ELSE excluded.bar END"""
"""SQL statement that stores a table. A message about faults leaves the table's version unchanged;
only a record of a game has a version."""

_COLUMNS: Final = (
    *("id", "table_name", "bar", "number", "revision", "begun", "received_at", "clock_doubtful"),
    *("played", "profile", "lang", "seconds", "winner", "why", "score", "turns"),
    "first_clue_seconds",
)
GAME: Final = f"""INSERT INTO games ({", ".join(_COLUMNS)})
    VALUES ({", ".join("?" * len(_COLUMNS))})
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)}
    WHERE games.revision < excluded.revision AND games.table_name = excluded.table_name
    RETURNING key"""
"""SQL statement that stores a game. It returns the game's key if this record is the newest of the
game, otherwise no row."""
COUNT: Final = "SELECT count(*) FROM games WHERE table_name = ?"

FAULTS: Final = """SELECT key, sentence, until FROM faults
    WHERE table_name = ? AND (until IS NULL OR until >= ?) ORDER BY key"""
FAULT: Final = "INSERT INTO faults (table_name, sentence, since) VALUES (?, ?, ?)"
FORGET_FAULTS: Final = """DELETE FROM faults
    WHERE table_name = ? AND until IS NOT NULL AND key NOT IN
        (SELECT key FROM faults WHERE table_name = ? ORDER BY key DESC LIMIT ?)
    RETURNING key"""
TEXT: Final = "INSERT INTO texts VALUES (?, ?) ON CONFLICT (sentence) DO NOTHING"
FORGET_TEXTS: Final = """DELETE FROM texts
    WHERE sentence NOT IN (SELECT sentence FROM faults) RETURNING sentence"""
REJECT: Final = """INSERT INTO rejects (digest, received_at, topic, why, bytes, beginning)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"""
FORGET: Final = """DELETE FROM rejects
    WHERE key NOT IN (SELECT key FROM rejects ORDER BY key DESC LIMIT ?)"""
