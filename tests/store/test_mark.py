"""The mark is read as it was written, or from its second line, or it is said to be damaged."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pi_table.errors import InputError, StorageError
from pi_table.store.disk import Disk, Place, mark_of
from pi_table.store.entries import Entry
from pi_table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalMissingError,
    JournalUnwritableError,
)
from pi_table.store.journal import Journal
from pi_table.store.mark import MARK_BYTES, SECTOR, Mark, decode, encode

NOW = "2026-11-21T08:15:00Z"
EVENT = Entry(3.0, b'{"event":"guessed"}')
MARK = Mark(game=3, count=14, last=bytes(range(32)), noted_at=0.1 + 0.2, serial=17)


def marked(path: Path) -> Mark | None:
    return decode(mark_of(path).read_bytes())


def test_a_mark_comes_back_as_it_was_written() -> None:
    for mark in (MARK, Mark(), Mark(10**9, 10**6, b"\xff" * 32, 1e15 / 3, 10**12)):
        assert len(encode(mark)) == MARK_BYTES
        assert decode(encode(mark)) == mark


def test_a_flipped_bit_of_a_mark_does_no_harm() -> None:
    good = encode(MARK)
    for place in range(8 * MARK_BYTES):
        data = bytearray(good)
        data[place // 8] ^= 1 << place % 8
        assert decode(bytes(data)) == MARK


def test_of_two_lines_the_newer_counts_whichever_it_is() -> None:
    older, newer = encode(MARK), encode(Mark(3, 15, bytes(32), None, 18))
    for torn in (newer[:SECTOR] + older[SECTOR:], older[:SECTOR] + newer[SECTOR:]):
        assert decode(torn) == decode(newer)


def test_nothing_but_zeros_was_never_a_mark_and_all_else_is_a_damaged_one() -> None:
    assert decode(b"") is decode(bytes(100)) is decode(bytes(MARK_BYTES)) is None
    for data in (b"x", encode(MARK)[:100], bytes(MARK_BYTES - 1) + b"\n"):
        with pytest.raises(ValueError, match="neither of its two lines"):
            decode(data)


def test_the_mark_says_how_far_the_journal_got(path: Path, journal: Journal) -> None:
    assert marked(path) == Mark(serial=1)
    game = journal.begin([EVENT, EVENT], NOW)
    journal.note_time(game, 9.5)
    journal.append(game, [EVENT], NOW)
    mark = marked(path)
    assert mark is not None
    with closing(sqlite3.connect(path)) as other:
        (last,) = other.execute("SELECT link FROM events WHERE game = 1 AND seq = 3").fetchone()
    assert mark == Mark(1, 3, last, 9.5, serial=4)
    journal.begin([EVENT], NOW)
    mark = marked(path)
    assert mark is not None
    assert (mark.game, mark.count, mark.noted_at) == (2, 1, None)


def test_a_mark_is_on_the_disk_before_an_act_is_told_as_stored(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Mark | None] = []
    fdatasync = os.fdatasync

    def watched(descriptor: int) -> None:
        synced.append(decode(os.pread(descriptor, MARK_BYTES, 0)))
        fdatasync(descriptor)

    monkeypatch.setattr(os, "fdatasync", watched)
    game = journal.begin([EVENT], NOW)
    assert synced == [marked(path)]
    journal.append(game, [EVENT], NOW)
    assert synced[1:] == [marked(path)]
    journal.note_time(game, 5.0)
    assert synced[2:] == [marked(path)]


def test_the_clock_of_an_earlier_game_is_not_noted(journal: Journal) -> None:
    journal.begin([EVENT], NOW)
    journal.begin([EVENT], NOW)
    for game in (0, 1, 3):
        with pytest.raises(InputError, match="not the latest game"):
            journal.note_time(game, 9.0)


def crashed(path: Path) -> None:
    """A journal of one finished act in the database, and another in the -wal."""
    journal = Journal.open(path)
    game = journal.begin([EVENT], NOW)
    journal.close()
    journal = Journal.open(path)
    journal.append(game, [EVENT], NOW)
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
    """One bit of the last frame."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("ending", "harm", "finding"),
    [
        ("-wal", Path.unlink, "event 2 of game 1 was stored, and is missing"),
        ("-wal", emptied, "event 2 of game 1 was stored, and is missing"),
        ("-wal", flipped, "event 2 of game 1 was stored, and is missing"),
        ("", Path.unlink, "it is empty or gone, and event 2 of game 1 was stored"),
        ("", emptied, "it is empty or gone, and event 2 of game 1 was stored"),
        (".mark", Path.unlink, "journal.sqlite.mark is missing or empty"),
        (".mark", emptied, "journal.sqlite.mark is missing or empty"),
        (".mark", lambda path: path.write_bytes(b"x"), "neither of its two lines can be read"),
    ],
)
def test_what_lost_an_act_is_told_and_left_as_it_is(
    path: Path, ending: str, harm: Callable[[Path], object], finding: str
) -> None:
    crashed(path)
    harm(Path(f"{path}{ending}"))
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
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
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(1).entries) == 2


def test_a_journal_replaced_by_an_earlier_copy_of_itself_is_told(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        game = journal.begin([EVENT], NOW)
    copy = path.read_bytes()
    with closing(Journal.open(path)) as journal:
        journal.append(game, [EVENT], NOW)
    path.write_bytes(copy)
    with pytest.raises(JournalDamagedError, match="event 2 of game 1 was stored"):
        Journal.open(path)


def test_a_journal_replaced_by_another_is_told(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    for each in (path, other):
        with closing(Journal.open(each)) as journal:
            journal.begin([EVENT], NOW)
    other.replace(path)
    with pytest.raises(JournalDamagedError, match="event 1 of game 1 is another than"):
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


class FailingPlace:
    def __init__(self, place: Place, kept: bool) -> None:
        self.place = place
        self.kept = kept
        self.close = place.close
        self.read = place.read

    def write(self, data: bytes) -> None:
        if b'"count":2' not in data:
            self.place.write(data)
        else:
            if self.kept:
                self.place.write(data)
            raise OSError(28, "No space left on device")


@pytest.mark.parametrize("kept", [False, True])
def test_an_act_that_could_not_be_marked_is_not_told_as_stored_and_is_read_again(
    path: Path, kept: bool
) -> None:
    class FailingDisk(Disk):
        def hold_mark(self, path: Path) -> Place | None:
            place = super().hold_mark(path)
            return None if place is None else FailingPlace(place, kept)

    with closing(Journal.open(path, disk=FailingDisk())) as journal:
        game = journal.begin([EVENT], NOW)
        with pytest.raises(JournalFailingError, match="No space left on device"):
            journal.append(game, [EVENT], NOW)
        for act in (
            lambda: journal.append(game, [EVENT], NOW),
            lambda: journal.begin([EVENT], NOW),
            lambda: journal.note_time(game, 9.0),
        ):
            with pytest.raises(JournalFailingError, match="is to be read again"):
                act()
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 2
        mark = marked(path)
        assert mark is not None
        assert mark.count == 2


def test_whatever_is_done_to_a_mark_tells_or_does_no_harm(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        journal.note_time(journal.begin([EVENT, EVENT], NOW), 7.25)
    good = mark_of(path).read_bytes()
    chance = random.Random(0)
    told = 0
    for _ in range(300):
        data = bytearray(good)
        for _ in range(chance.choice((1, 2, 8))):
            start = chance.randrange(MARK_BYTES)
            length = chance.choice((1, 16, SECTOR))
            data[start : start + length] = chance.choice((bytes, chance.randbytes))(length)
        mark_of(path).write_bytes(data[: chance.choice((None, None, SECTOR, 100))])
        try:
            with closing(Journal.open_to_read(path)) as journal:
                assert journal.read(1).noted_at == 7.25
        except StorageError:
            told += 1
    assert 0 < told < 300


def test_a_reader_may_not_write(path: Path, journal: Journal) -> None:
    game = journal.begin([EVENT], NOW)
    with closing(Journal.open_to_read(path)) as reader:
        for act in (
            lambda: reader.begin([EVENT], NOW),
            lambda: reader.append(game, [EVENT], NOW),
            lambda: reader.note_time(game, 5.0),
        ):
            with pytest.raises(JournalUnwritableError, match="opened to be read only"):
                act()
