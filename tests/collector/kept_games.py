"""The games of a collector’s database as fields of records, and those that ought to be there."""

from collections.abc import Iterable
from typing import Any, Final

from pi_table.fleet.collector.database import Database
from pi_table.fleet.collector.record import Record

Game = dict[str, Any]


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
    """What is to be stored where all of these were told: of each game the highest revision."""
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
