"""A journal that is in use, or has no space, says so in sentences and loses nothing."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from filled import NOW, SECRET, assert_refused, count_in, entries, whole

from pi_table.table.store.disk import Connection, Disk
from pi_table.table.store.faults import (
    JournalFailingError,
    JournalFullError,
    JournalInUseError,
    storage_errors,
)
from pi_table.table.store.journal import Journal


def test_a_code_of_sqlite_that_python_has_no_name_for_is_a_disk_that_failed(path: Path) -> None:
    error = sqlite3.OperationalError("something new")
    error.sqlite_errorname = "unknown"
    with (
        pytest.raises(JournalFailingError, match="unknown"),
        storage_errors(path, "storing an event"),
    ):
        raise error


# Two at once


def test_a_second_table_is_refused_while_the_first_has_the_journal(
    path: Path, journal: Journal
) -> None:
    with pytest.raises(JournalInUseError, match="Another table is using"):
        Journal.open(path)
    script = f"from pi_table.table.store.journal import *; Journal.open(Path({str(path)!r}))"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "JournalInUseError: Another table is using the journal" in other.stderr
    journal.begin(entries(1), NOW)
    journal.close()
    Journal.open(path).close()


def test_a_program_that_holds_the_database_is_named_and_nothing_is_stored(path: Path) -> None:
    with closing(Journal.open(path, disk=Disk(patience=0))) as journal:
        game = journal.begin(entries(1), NOW)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalInUseError, match="Close it and try again"):
                journal.begin(entries(1), NOW)
            journal.append(game, entries(1), NOW)  # this has a place beside the database
            with pytest.raises(JournalInUseError, match="Close it and try again"):
                journal.settle()
            assert_refused(journal, game, JournalInUseError, match="Close it and try again")
            assert len(journal.read(game).entries) == 2
            other.execute("ROLLBACK")
        journal.append(game, entries(1), NOW)
        assert len(journal.read(game).entries) == 3
    assert count_in(path, game) == 3


# No space


class PagedDisk(Disk):
    """A disk with room for some pages of a database."""

    def connect(self, path: Path, read_only: bool) -> Connection:
        self.__dict__["connection"] = connection = super().connect(path, read_only)
        return connection

    def room(self, pages: int) -> None:
        self.__dict__["connection"].execute(f"PRAGMA max_page_count={pages}").fetchall()


def test_a_full_disk_refuses_and_the_journal_goes_on_when_there_is_space(path: Path) -> None:
    disk = PagedDisk()
    with closing(Journal.open(path, disk=disk)) as journal:
        game = journal.begin(entries(1), NOW)
        disk.room(pages=12)

        def fill() -> None:
            for _ in range(20):
                journal.append(game, entries(3, size=1500), NOW)

        with pytest.raises(JournalFullError, match=f"on the disk of {path.parent}") as error:
            fill()
        assert SECRET not in whole(error.value)
        stored = len(journal.read(game).entries)
        assert stored % 3 == 1  # each append is whole
        for act in (
            lambda: journal.begin(entries(9, 4000), NOW),
            lambda: journal.append(game, entries(9, 4000), NOW),
        ):
            with pytest.raises(JournalFullError):
                act()
        assert len(journal.read(game).entries) == stored
        disk.room(pages=1000)
        journal.append(game, entries(1), NOW)
        assert len(journal.read(game).entries) == stored + 1
        journal.check()


def test_an_act_for_which_the_tables_have_no_space_is_kept_and_the_next_is_refused(
    path: Path,
) -> None:
    disk = PagedDisk()
    with closing(Journal.open(path, disk=disk)) as journal:
        game = journal.begin(entries(1), NOW)
        disk.room(pages=1)  # from now on the database may not grow
        stored = 1

        def fill() -> None:
            nonlocal stored
            for _ in range(20):
                journal.append(game, entries(2, size=1500), NOW)
                stored += 2
                journal.settle()

        with pytest.raises(JournalFullError, match="acknowledged before is stored"):
            fill()
        assert_refused(journal, game, JournalFullError)
        assert len(journal.read(game).entries) == stored
        disk.room(pages=1000)
        journal.append(game, entries(1), NOW)
        assert len(journal.read(game).entries) == stored + 1
        journal.check()
    assert count_in(path, game) == stored + 1


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file may grow over this while it lasts: the kernel refuses the write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_the_system_refuses_stores_nothing_and_the_next_opening_goes_on(
    path: Path,
) -> None:
    with closing(Journal.open(path)) as journal:
        game = journal.begin(entries(1), NOW)
        wal = Path(f"{path}-wal").stat().st_size
        with (
            file_size_limit(wal + 6000),
            pytest.raises(JournalFailingError, match="disk failed") as error,
        ):
            journal.append(game, entries(30, size=1500), NOW)
        assert SECRET not in whole(error.value)
        assert len(journal.read(game).entries) == 1
        with pytest.raises(JournalFailingError, match="has to be read again"):
            journal.append(game, entries(30, size=1500), NOW)
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 1
        journal.append(game, entries(30, size=1500), NOW)
        assert len(journal.read(game).entries) == 31
        journal.check()
    assert count_in(path, game) == 31


def test_an_act_that_the_disk_keeps_from_the_tables_is_told_at_the_next_one_and_not_lost(
    path: Path,
) -> None:
    with closing(Journal.open(path)) as journal:
        game = journal.begin(entries(20, size=1500), NOW)
        wal = Path(f"{path}-wal").stat().st_size
        with file_size_limit(wal + 600):
            journal.append(game, entries(2), NOW)
            with pytest.raises(JournalFailingError, match="while entering what happened"):
                journal.settle()
        # The disk would do it now; but who knows what it did before?
        with pytest.raises(JournalFailingError):
            journal.settle()
        assert len(journal.read(game).entries) == 22
        with pytest.raises(JournalFailingError, match="while entering what happened"):
            journal.append(game, entries(1), NOW)
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 22
        journal.append(game, entries(1), NOW)
        journal.check()


PROLOGUE = """
import os
from contextlib import closing, suppress
from pathlib import Path
from pi_table.table.store.journal import *
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import JournalFullError, JournalUnwritableError
path = Path("/mnt/journal.sqlite")
ballast = Path("/mnt/ballast")

def fill():
    with suppress(OSError):
        ballast.write_bytes(bytes(1_000_000))

def told(kind, opening, path=path):
    try:
        opening(path)
    except kind as error:
        print(error)

def begin():
    journal = Journal.open(path)
    journal.begin([Entry(0.0, b"{}")], "now")
    return journal

def count():
    with closing(Journal.open(path)) as journal:
        return len(journal.latest().entries)
"""


def in_own_mounts(script: str, files: int = 100) -> str:
    """Runs a script with /mnt as a file system of 512 kB, for so many files; what it printed."""
    script = PROLOGUE + script
    mount = f"mount -t tmpfs -o size=512k,nr_inodes={files},mode=700 journal /mnt && exec"
    command = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--"]
    try:
        subprocess.run([*command, "sh", "-c", f"{mount} true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this machine lets nobody mount a small file system here: {error}")
    done = subprocess.run(
        [*command, "sh", "-c", f'{mount} "$@"', "sh", sys.executable, "-c", script],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_system_that_is_full_refuses_and_goes_on_when_there_is_space() -> None:
    told = in_own_mounts(
        """
ballast.write_bytes(bytes(200_000))
journal, stored = begin(), 1
try:
    while True:
        journal.append(1, [Entry(1.0, bytes(3000)), Entry(1.0, bytes(3000))], "now")
        stored += 2
except JournalFullError as error:
    print(error)
assert len(journal.read(1).entries) == stored > 10, stored
ballast.unlink()
journal.append(1, [Entry(2.0, b"{}")], "now")
journal.check()
journal.close()
assert count() == stored + 1
"""
    )
    assert "Free space on the disk of /mnt" in told


NO_SPACE = "no space left for the journal /mnt/journal.sqlite, while opening it"


def test_no_space_even_for_a_new_journal_is_told() -> None:
    told = in_own_mounts(
        """
fill()
told(JournalFullError, Journal.open)
ballast.unlink()
Journal.open(path).close()
"""
    )
    assert NO_SPACE in told


def test_no_space_to_open_a_journal_that_is_there_is_told() -> None:
    told = in_own_mounts(
        """
begin().close()
fill()
for opening in (Journal.open, Journal.open_to_read):
    told(JournalFullError, opening)
ballast.unlink()
assert count() == 1
"""
    )
    assert told.count(NO_SPACE) == 2


def test_a_disk_with_room_for_no_further_file_is_called_full() -> None:
    told = in_own_mounts(
        """
def fill():
    with suppress(OSError):
        for number in range(100):
            Path(f"/mnt/{number}").touch()

journal = begin()
fill()
journal.append(1, [Entry(1.0, b"{}")], "now")  # what is open needs no further file
journal.settle()
journal.close()
fill()  # SQLite has removed two
told(JournalFullError, Journal.open)
for file in Path("/mnt").glob("?"):
    file.unlink()
assert count() == 2
""",
        files=20,
    )
    assert NO_SPACE in told


def test_a_disk_mounted_read_only_is_told_and_can_still_be_read() -> None:
    told = in_own_mounts(
        """
begin().close()
assert os.system("mount -o remount,bind,ro /mnt") == 0
for place in (path, Path("/mnt/other.sqlite"), Path("/mnt/new/journal.sqlite")):
    told(JournalUnwritableError, Journal.open, place)
with closing(Journal.open_to_read(path)) as reader:
    assert len(reader.latest().entries) == 1
"""
    )
    assert told.count("mounted read-only. Mount it for writing") == 2
    assert told.count("sees no folder /mnt/new") == 1
