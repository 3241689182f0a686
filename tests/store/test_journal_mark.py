"""A journal goes on from its mark: the latest act is in it, and nothing is missing unnoticed."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from filled import assert_refused, contents, count_in
from listening import ListeningDisk

from pi_table.common.errors import StorageError
from pi_table.table.store.disk import Disk, SmallFile, mark_of
from pi_table.table.store.entries import Entry, Listed
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalFullError,
    JournalMissingError,
)
from pi_table.table.store.journal import Journal
from pi_table.table.store.mark import (
    MARK_BYTES,
    PAGE_BYTES,
    REGION_BYTES,
    SECTOR_BYTES,
    Act,
    Mark,
    decode,
)

NOW = "2026-11-21T08:15:00Z"
EVENT = Entry(3.0, b'{"event":"guessed"}')


def marked(path: Path) -> Mark | None:
    return decode(mark_of(path).read_bytes())


def test_the_mark_says_how_far_the_journal_got(path: Path, journal: Journal) -> None:
    assert marked(path) == Mark(serial=1)
    game = journal.begin([EVENT, EVENT], NOW)
    first = marked(path)
    assert first is not None
    assert first == Mark(1, 2, first.last, serial=2)
    journal.note_time(game, 9.5)
    journal.append(game, [EVENT], NOW)
    mark = marked(path)
    assert mark is not None
    assert mark == Mark(1, 3, mark.last, 9.5, 4, Act((EVENT,), NOW, first.last))
    journal.settle()
    with closing(sqlite3.connect(path)) as other:
        (last,) = other.execute("SELECT link FROM events WHERE game = 1 AND seq = 3").fetchone()
    assert mark.last == last
    journal.begin([EVENT], NOW)
    mark = marked(path)
    assert mark is not None
    assert (mark.game, mark.count, mark.noted_at, mark.act) == (2, 1, None, None)


def test_an_act_is_told_as_stored_when_its_mark_is_on_the_disk_and_asks_nothing_of_sqlite(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Mark | None] = []
    asked: list[str] = []
    fdatasync = os.fdatasync

    def watched(descriptor: int) -> None:
        synced.append(decode(os.pread(descriptor, MARK_BYTES, 0)))
        fdatasync(descriptor)

    def hear(sql: str) -> str:
        asked.append(sql)
        return sql

    monkeypatch.setattr(os, "fdatasync", watched)
    with closing(Journal.open(path, disk=ListeningDisk(hear=hear))) as journal:
        game = journal.begin([EVENT], NOW)
        synced.clear()
        asked.clear()
        journal.append(game, [EVENT], NOW)
        assert (synced, asked) == ([marked(path)], [])
        journal.settle()
        assert asked[-1] == "COMMIT"
        asked.clear()
        journal.settle()
        assert asked == []
        journal.note_time(game, 5.0)
        assert (synced[1:], asked) == ([marked(path)], [])


def crashed(path: Path, settled: bool = True) -> None:
    """A journal of one finished act in the database and another in the -wal; the latest is in the
    mark, and in the -wal if it is ``settled``."""
    journal = Journal.open(path)
    game = journal.begin([EVENT], NOW)
    journal.close()
    journal = Journal.open(path)
    journal.append(game, [EVENT], NOW)
    journal.append(game, [EVENT, EVENT], NOW)
    if settled:
        journal.settle()
    away = path.with_name("away")
    away.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copyfile(file, away / file.name)
    journal.close()
    for file in away.iterdir():
        file.replace(path.parent / file.name)
    away.rmdir()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    """One bit of the first frame."""
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


def flipped_at_the_end(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def four_events(path: Path) -> None:
    """All that ``crashed`` stored is there, to whoever reads and to whoever writes."""
    with closing(Journal.open_to_read(path)) as reader:
        read = [reader.read(1), reader.latest()]
        assert reader.games() == [Listed(1, NOW, 4)]
        assert [*reader.openings()] == [EVENT.body]
        reader.check()
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(1).entries) == 4
        assert [journal.read(1), journal.latest()] == read
        journal.check()
        journal.append(1, [EVENT], NOW)
        assert len(journal.read(1).entries) == 5


@pytest.mark.parametrize("harm", [lambda path: None, flipped_at_the_end])
def test_the_latest_act_is_had_from_the_mark_whatever_became_of_it_in_the_wal(
    path: Path, harm: Callable[[Path], object]
) -> None:
    crashed(path)
    harm(Path(f"{path}-wal"))
    four_events(path)


def test_an_act_that_was_not_entered_yet_is_read_and_entered_later(path: Path) -> None:
    crashed(path, settled=False)
    before = contents(path.parent)
    with closing(Journal.open_to_read(path)) as reader:
        assert len(reader.read(1).entries) == 4
    after = contents(path.parent)
    for files in (before, after):
        files.pop(f"{path.name}-shm", None)
    assert after == before
    four_events(path)


def test_what_is_shown_before_it_is_entered_stays_in_memory(path: Path) -> None:
    crashed(path, settled=False)
    with closing(Disk().connect(path, read_only=True)) as connection:
        Journal(path, Disk(), connection, ExitStack())
        assert connection.execute("PRAGMA temp_store").fetchone() == (2,)


def test_an_act_that_does_not_fit_into_the_mark_is_entered_at_once(
    path: Path, journal: Journal
) -> None:
    journal.begin([EVENT], NOW)
    journal.append(1, [Entry(3.0, bytes(PAGE_BYTES))], NOW)
    mark = marked(path)
    assert mark is not None
    assert (mark.count, mark.act) == (2, None)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT max(seq) FROM events").fetchone() == (2,)


def test_closing_enters_what_is_left(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        journal.append(journal.begin([EVENT], NOW), [EVENT], NOW)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT max(seq) FROM events").fetchone() == (2,)


@pytest.mark.parametrize(
    ("ending", "harm", "finding"),
    [
        ("-wal", Path.unlink, "event 4 of game 1 was stored, and is missing"),
        ("-wal", emptied, "event 4 of game 1 was stored, and is missing"),
        ("-wal", flipped, "event 4 of game 1 was stored, and is missing"),
        ("", Path.unlink, "it is empty or gone, and event 4 of game 1 was stored"),
        ("", emptied, "it is empty or gone, and event 4 of game 1 was stored"),
        (".mark", Path.unlink, "journal.sqlite.mark is missing or empty"),
        (".mark", emptied, "journal.sqlite.mark is missing or empty"),
        (".mark", lambda path: path.write_bytes(b"x"), "neither of its two regions can be read"),
    ],
)
def test_what_lost_an_act_is_told_and_left_as_it_is(
    path: Path, ending: str, harm: Callable[[Path], object], finding: str
) -> None:
    crashed(path)
    harm(Path(f"{path}{ending}"))
    before = contents(path.parent)
    before.pop(f"{path.name}-shm")
    with pytest.raises(JournalDamagedError, match=finding) as error:
        Journal.open(path)
    assert "pi-table journal set-aside" in str(error.value)
    with pytest.raises(JournalDamagedError, match=finding):  # noqa: SIM117 - the reader may open
        with closing(Journal.open_to_read(path)) as reader:
            reader.check()
    for reading in (Journal.latest, Journal.games, lambda journal: journal.read(1)):
        with pytest.raises(JournalDamagedError), closing(Journal.open_to_read(path)) as reader:
            reading(reader)
    assert {
        file.name: file.read_bytes() for file in path.parent.iterdir()
    }.items() >= before.items()


@pytest.mark.parametrize("ending", ["-shm", ".lock"])
def test_what_holds_nothing_may_be_lost(path: Path, ending: str) -> None:
    crashed(path)
    Path(f"{path}{ending}").unlink()
    assert count_in(path) == 4


def test_a_journal_replaced_by_an_earlier_copy_of_itself_is_told(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        game = journal.begin([EVENT], NOW)
    copy = path.read_bytes()
    with closing(Journal.open(path)) as journal:
        journal.append(game, [EVENT], NOW)
        journal.append(game, [EVENT], NOW)
    path.write_bytes(copy)
    with pytest.raises(JournalDamagedError, match="event 3 of game 1 was stored"):
        Journal.open(path)


def test_a_journal_replaced_by_another_is_told(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    for each in (path, other):
        with closing(Journal.open(each)) as journal:
            journal.begin([EVENT], NOW)
    other.replace(path)
    with pytest.raises(JournalDamagedError, match="event 1 of game 1 is not"):
        Journal.open(path)


def test_a_wal_without_its_database_and_without_a_mark_is_told(path: Path) -> None:
    crashed(path)
    path.unlink()
    mark_of(path).unlink()
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(JournalDamagedError, match=r"it is empty or gone, and .*-wal is not"):
            opening(path)


def test_a_journal_without_games_needs_no_mark(path: Path) -> None:
    Journal.open(path).close()
    mark_of(path).unlink()
    with pytest.raises(JournalMissingError):
        Journal.open_to_read(path.with_name("none.sqlite"))
    Journal.open_to_read(path).close()
    with closing(Journal.open(path)) as journal:
        assert journal.begin([EVENT], NOW) == 1


def test_what_a_killed_table_left_in_the_wal_is_on_the_disk_before_the_mark_forgets_it(
    path: Path,
) -> None:
    crashed(path)
    done: list[str] = []

    class NotingPlace(FailingPlace):
        def write(self, data: bytes, offset: int = 0) -> None:
            done.append("mark")
            self.place.write(data, offset)

    class NotingDisk(Disk):
        def hold_mark(self, path: Path) -> SmallFile | None:
            place = super().hold_mark(path)
            return None if place is None else NotingPlace(place, kept=True)

        def sync(self, path: Path) -> None:
            done.append(path.name)
            super().sync(path)

    # A reader keeps SQLite from moving the -wal, and SQLite does not sync it then.
    with closing(Journal.open_to_read(path)) as reader:
        reader.latest()
        Journal.open(path, disk=NotingDisk()).close()
    assert done[:3] == [f"{path.name}-wal", mark_of(path).name, "mark"]


@pytest.mark.parametrize("written", [0, SECTOR_BYTES, PAGE_BYTES, 3 * PAGE_BYTES])
def test_a_mark_for_which_there_was_no_space_is_made_when_there_is(
    path: Path, written: int
) -> None:
    class FullPlace(FailingPlace):
        def write(self, data: bytes, offset: int = 0) -> None:
            self.place.write(data[: max(0, written - offset)], offset)
            raise OSError(28, "No space left on device")

    class FullDisk(Disk):
        def hold_mark(self, path: Path) -> SmallFile | None:
            place = super().hold_mark(path)
            return None if place is None else FullPlace(place, kept=False)

    for _ in range(2):
        with pytest.raises(JournalFullError):
            Journal.open(path, disk=FullDisk())
    with closing(Journal.open(path)) as journal:
        assert mark_of(path).stat().st_size == MARK_BYTES
        assert journal.begin([EVENT], NOW) == 1


def test_a_time_of_minus_zero_is_a_time(path: Path, journal: Journal) -> None:
    journal.begin([EVENT, Entry(-0.0, b"{}")], NOW)
    assert journal.read(1).entries[-1].at == 0.0
    journal.close()
    assert count_in(path) == 2


class FailingPlace:
    def __init__(self, place: SmallFile, kept: bool) -> None:
        self.place = place
        self.kept = kept
        self.close = place.close
        self.read = place.read

    def write(self, data: bytes, offset: int = 0) -> None:
        mark = decode((data * 2)[:MARK_BYTES])
        if mark is None or mark.count != 2:
            self.place.write(data, offset)
        else:
            if self.kept:
                self.place.write(data, offset)
            raise OSError(28, "No space left on device")


@pytest.mark.parametrize("kept", [False, True])
def test_an_act_that_could_not_be_marked_is_not_told_as_stored_and_is_read_again(
    path: Path, kept: bool
) -> None:
    class FailingDisk(Disk):
        def hold_mark(self, path: Path) -> SmallFile | None:
            place = super().hold_mark(path)
            return None if place is None else FailingPlace(place, kept)

    with closing(Journal.open(path, disk=FailingDisk())) as journal:
        game = journal.begin([EVENT], NOW)
        with pytest.raises(JournalFailingError, match="No space left on device"):
            journal.append(game, [EVENT], NOW)
        assert_refused(journal, game, JournalFailingError, match="has to be read again")
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 1 + kept
        mark = marked(path)
        assert mark is not None
        assert mark.count == 1 + kept


@pytest.mark.parametrize("settled", [True, False])
def test_whatever_is_done_to_a_mark_tells_or_does_no_harm(path: Path, settled: bool) -> None:
    crashed(path, settled)
    good = mark_of(path).read_bytes()
    chance = random.Random(0)
    told = 0
    for _ in range(300):
        data = bytearray(good)
        for _ in range(chance.choice((1, 2, 8))):
            length = chance.choice((1, 16, SECTOR_BYTES, PAGE_BYTES, REGION_BYTES))
            start = chance.randrange(0, MARK_BYTES, chance.choice((1, SECTOR_BYTES)))
            data[start : start + length] = chance.choice((bytes, chance.randbytes))(length)
        mark_of(path).write_bytes(
            data[: chance.choice((MARK_BYTES, MARK_BYTES, SECTOR_BYTES, 100))]
        )
        try:
            with closing(Journal.open_to_read(path)) as journal:
                assert len(journal.read(1).entries) == 4
        except StorageError:
            told += 1
    assert 0 < told < 300
