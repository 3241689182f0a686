"""Measures how the journal grows: what it costs to store a game, to start a table, to show the
records and to check everything, with many games stored."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, Final

from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.bench.peak import measure_command
from pi_table.lab.bench.table import WALL, build_game, folder_on_disk
from pi_table.lab.running_table import RunningTable
from pi_table.table.engine.storage.storage import pad_body
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

SIZES: Final = (1_000, 10_000, 100_000)
BRIEF: Final[dict[str, Any]] = {"sizes": (40, 80), "stored": 20}
STORED: Final = 500
"""Number of games whose storing is measured. All others are copies of them."""
COPY: Final = (
    "INSERT INTO games SELECT number + ?, salt, count, last FROM games WHERE number <= ?",
    "INSERT INTO events SELECT game + ?, seq, at, wall, body, link FROM events WHERE game <= ?",
)
"""SQL that copies the first games of a journal. A game's hash chain does not contain its number, so
the copies are games like all others."""


def measure(sizes: Sequence[int] = SIZES, stored: int = STORED) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench journal`, for each of these numbers of games. The
    numbers rise, each by at least ``stored``."""
    random = Random(1)
    games = [
        [Entry(entry.at, pad_body(entry.body)) for entry in build_game(random)]
        for _ in range(stored)
    ]
    with folder_on_disk() as folder:
        path = folder / "state" / "journal.sqlite"
        path.parent.mkdir()
        with closing(Journal.open(path)) as journal:
            journal.begin(games[0], WALL)
        for size in sizes:
            _copy_games(path, size - stored)
            yield _store(path, games, size)
            with RunningTable(folder) as table:
                ready = table.wait()
                table.stop()
            yield {"name": f"journal/{size}/ready", "value": round(ready, 3), "unit": "s"}
            for name, command in (("record", ("record",)), ("check", ("journal", "check"))):
                cost = measure_command(*command, "--config", str(table.config))
                yield {
                    "name": f"journal/{size}/{name}",
                    "value": cost.seconds,
                    "unit": "s",
                    "peak_mib": cost.mib,
                }


def _copy_games(path: Path, size: int) -> None:
    """Copy the first games of a journal until it has ``size``."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (count,) = connection.execute("SELECT count(*) FROM games").fetchone()
        while count < size:
            more = min(count, size - count)
            for statement in COPY:
                connection.execute(statement, (count, more))
            count += more


def _store(path: Path, games: Sequence[Sequence[Entry]], size: int) -> Measurement:
    """Store these games, which are then the last of ``size``."""
    with closing(Journal.open(path)) as journal:
        started, begun = process_time(), perf_counter()
        for game in games:
            journal.begin(game, WALL)
        processor, wall = process_time() - started, perf_counter() - begun
    return {
        "name": f"journal/{size}/store",
        "value": round(1e6 * processor / len(games)),
        "unit": "µs",
        "wall": round(1e6 * wall / len(games)),
        "size_mb": round(path.stat().st_size / 1e6, 1),
        "events": sum(map(len, games)) // len(games),
    }
