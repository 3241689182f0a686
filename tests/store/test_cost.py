"""Cost of a journal: bytes on the disk, syncs, for each of which it waits, and memory."""

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from filled import filled
from powercut_recorder import RecordedDisk, Recorder
from powercut_scribe import DATABASE
from powercut_surface import Operation, Sync, SyncNames, Write

from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal
from pi_table.table.store.mark import REGION_BYTES

NOW = "2026-11-21T08:15:00.000+00:00"
EVENT = Entry(3.0, b"{}".ljust(256))
FRAME = 24 + 4096


class Cost(NamedTuple):
    written: int
    syncs: int


class Recorded:
    """A journal, and what it has asked of the disk."""

    def __init__(self, folder: Path) -> None:
        self.operations: list[Operation] = []
        disk = RecordedDisk(recorder=Recorder(self.operations, names_synced=True))
        self.journal = Journal.open(folder / DATABASE, disk=disk)
        self.cost()

    def cost(self) -> Cost:
        """Return the cost since the last call."""
        asked = [*self.operations]
        self.operations.clear()
        written = sum(len(one.data) for one in asked if isinstance(one, Write))
        return Cost(written, sum(isinstance(one, Sync | SyncNames) for one in asked))


@pytest.fixture
def recorded(tmp_memory: Path) -> Recorded:
    return Recorded(tmp_memory)


def test_an_act_is_a_region_of_the_mark_and_later_two_pages_and_a_sync_for_each(
    recorded: Recorded,
) -> None:
    game = recorded.journal.begin([EVENT], NOW)
    recorded.cost()
    recorded.journal.append(game, [EVENT, EVENT], NOW)
    assert recorded.cost() == Cost(REGION_BYTES, 1)
    recorded.journal.settle()
    assert recorded.cost() == Cost(2 * FRAME, 1)
    recorded.journal.close()


def test_a_note_of_the_time_is_the_mark_alone(recorded: Recorded) -> None:
    game = recorded.journal.begin([EVENT], NOW)
    recorded.cost()
    recorded.journal.note_time(game, 5.0)
    assert recorded.cost() == Cost(REGION_BYTES, 1)
    recorded.journal.close()


def test_an_evening_costs_little_more_and_leaves_little_beside_the_database(
    recorded: Recorded, tmp_memory: Path
) -> None:
    costs = []
    for _ in range(12):
        game = recorded.journal.begin([EVENT], NOW)
        costs.append(recorded.cost())
        for _ in range(40):
            recorded.journal.append(game, [EVENT, EVENT], NOW)
            recorded.journal.settle()
            costs.append(recorded.cost())
    wal = (tmp_memory / f"{DATABASE}-wal").stat().st_size
    recorded.journal.close()
    written = sum(cost.written for cost in costs) / len(costs)
    syncs = sum(cost.syncs for cost in costs) / len(costs)
    print(f"{written:.0f} bytes and {syncs:.2f} syncs an act; {wal} bytes of -wal")
    assert written < 27_000
    assert syncs < 2.25
    assert max(cost.syncs for cost in costs) <= 5
    assert wal < 320_000


COPY_GAME = (
    "WITH RECURSIVE copy(number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM copy LIMIT ?)"
    " INSERT INTO games SELECT copy.number, salt, count, last FROM copy, games",
    "INSERT INTO events SELECT number, seq, at, wall, body, link FROM games, events"
    " WHERE number > 1",
)


def peak_of_a_check(path: Path, games: int) -> int:
    """Return the most memory in bytes that Python uses to check a journal of so many games, all
    with the events of the first."""
    filled(path, games=1)
    copy_games, copy_events = COPY_GAME
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(copy_games, (games - 1,))
        connection.execute(copy_events)
    with closing(Journal.open_to_read(path)) as journal:
        assert journal.latest_number() == games
        tracemalloc.start()
        try:
            journal.check()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_the_memory_of_a_check_does_not_grow_with_the_games(tmp_memory: Path) -> None:
    few, many = (peak_of_a_check(tmp_memory / f"{games}.sqlite", games) for games in (200, 2_000))
    assert many < 1.2 * few
