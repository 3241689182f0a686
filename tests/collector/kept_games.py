"""The games of a collector’s database as fields of records, and those that ought to be there."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from pi_table.fleet.collector.database import Database
from pi_table.fleet.collector.ingest import Delivery, keep
from pi_table.fleet.collector.record import Record

Game = dict[str, Any]


NOON: Final = datetime(2026, 11, 24, 12, tzinfo=UTC)


def delivery(record: Record, at: datetime = NOON, bar: str = "") -> Delivery:
    """A record as a collector is given it, of a table of a ``bar`` (``BAR/``) or of none."""
    return Delivery(f"pi-table/{bar}{record.table}/record", msgspec.json.encode(record), at)


def take(database: Database, *deliveries: Delivery) -> list[str]:
    """Have the collector of ``pi-table`` keep these."""
    return keep(database, ("pi-table",), deliveries)


def stored(database: Database) -> dict[str, Game]:
    """All games of a database, by their ids, as the fields of records."""
    with database.transaction():
        games = {
            key: {"game": game, **dict(zip(FIELDS, values, strict=True))}
            for key, game, *values in database.ask(
                f"SELECT key, id, {', '.join(COLUMNS)} FROM games"
            )
        }
        for part, columns in PARTS.items():
            for game in games.values():
                game[part] = []
            sql = f"SELECT game, {columns} FROM {part} ORDER BY game, position"
            for key, *values in database.ask(sql):
                games[key][part].append(tuple(values))
    return {game["game"]: game for game in games.values()}


def expected(records: Iterable[Record]) -> dict[str, Game]:
    """Return the games to be stored after all of these arrived: the highest revision of each."""
    best: dict[str, Record] = {}
    for record in records:
        if record.game not in best or best[record.game].revision < record.revision:
            best[record.game] = record
    return {game: _fields(record) for game, record in best.items()}


def _fields(record: Record) -> Game:
    winner = record.outcome.winner
    return {
        "game": record.game,
        **{name: getattr(record, name) for name in FIELDS if hasattr(record, name)},
        "winner": None if winner is None else winner.value,
        "why": record.outcome.why.value,
        "clues": [
            (c.team.value, c.word, None if c.number == "unlimited" else c.number, c.seconds)
            for c in record.clues
        ],
        "guesses": [(g.team.value, g.word, g.was) for g in record.guesses],
        "dealt": [(word,) for word in record.dealt],
    }


FIELDS: Final = (
    *("table", "number", "revision", "profile", "lang", "seconds", "turns", "winner", "why"),
)
COLUMNS: Final = ("table_name", *FIELDS[1:])
PARTS: Final = {
    "clues": "team, word, number, seconds",
    "guesses": "team, word, was",
    "dealt": "word",
}
