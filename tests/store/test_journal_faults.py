"""What goes wrong with a journal is told in sentences, loses nothing and gives nothing away."""

import errno
import os
import random
import resource
import sqlite3
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pi_table.errors import StorageError
from pi_table.store.disk import Connection, Disk
from pi_table.store.entries import Entry, Listed
from pi_table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalForeignError,
    JournalFullError,
    JournalInUseError,
    JournalUnwritableError,
)
from pi_table.store.journal import Journal

NOW = "2026-11-21T08:15:00Z"
SECRET = "rrbnSECRETbbrn"
NOBODY = 65534


def entries(count: int, size: int = 40) -> list[Entry]:
    return [
        Entry(float(n), f'{{"key":"{SECRET}","n":{n}}}'.ljust(size).encode()) for n in range(count)
    ]


def filled(path: Path, games: int = 3, events: int = 5) -> None:
    """A closed journal of so many games, each of so many events."""
    journal = Journal.open(path)
    for _ in range(games):
        number = journal.begin(entries(1), NOW)
        journal.append(number, entries(events - 1), NOW)
    journal.note_time(games, 9.0)
    journal.close()


def whole(error: BaseException) -> str:
    """All that a log could show of an error, with what caused it."""
    return "".join(traceback.format_exception(error))


# Damage

TAMPERINGS = {
    "a changed body": ("UPDATE events SET body = x'7b7d' WHERE game = 3 AND seq = 2", "event 2 of"),
    "a changed time": ("UPDATE events SET at = at + 1e-9 WHERE game = 3 AND seq = 2", "event 2 of"),
    "a changed wall clock": (
        "UPDATE events SET wall = '2026-11-21T08:15:01Z' WHERE game = 3 AND seq = 4",
        "event 4 of",
    ),
    "a changed link": (
        "UPDATE events SET link = zeroblob(32) WHERE game = 3 AND seq = 5",
        "event 5",
    ),
    "two bodies swapped": (
        "UPDATE events SET body = (SELECT body FROM events AS other WHERE other.game = 3"
        " AND other.seq = 5 - events.seq) WHERE game = 3 AND seq IN (2, 3)",
        "event 2 of",
    ),
    "two rows in each other's place": (
        "UPDATE events SET seq = -seq WHERE game = 3 AND seq IN (2, 3);"
        "UPDATE events SET seq = 5 + seq WHERE game = 3 AND seq < 0",
        "event 2 of",
    ),
    "a gap": ("DELETE FROM events WHERE game = 3 AND seq = 3", "event 3 of game 3 is missing"),
    "a missing first event": ("DELETE FROM events WHERE game = 3 AND seq = 1", "event 1 of game 3"),
    "a missing tail": ("DELETE FROM events WHERE game = 3 AND seq = 5", "4 events, and 5 were"),
    "a missing tail and a lower count": (
        "DELETE FROM events WHERE game = 3 AND seq = 5; UPDATE games SET count = 4",
        "4 events, and 4 were",
    ),
    "no events": ("DELETE FROM events WHERE game = 3", "end in game 2, its list of games in 3"),
    "a game of no events": ("DELETE FROM events; DELETE FROM games WHERE number < 3", "game"),
    "a game less in the list": ("DELETE FROM games WHERE number = 3", "its list of games in 2"),
    "an event too many": (
        "INSERT INTO events SELECT game, 6, at, wall, body, link FROM events"
        " WHERE game = 3 AND seq = 5",
        "event 6 of",
    ),
    "another salt": ("UPDATE games SET salt = zeroblob(16) WHERE number = 3", "event 1 of game 3"),
    "another last link": ("UPDATE games SET last = zeroblob(32) WHERE number = 3", "game 3"),
    "another table": ("ALTER TABLE events RENAME COLUMN body TO text", "tables"),
    "no table": ("DROP TABLE games", "tables"),
}


def tamper(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)


@pytest.mark.parametrize(("statements", "finding"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_tampering_with_the_latest_game_is_found_and_placed(
    path: Path, statements: str, finding: str
) -> None:
    filled(path)
    tamper(path, statements)
    before = path.read_bytes()
    with pytest.raises(JournalDamagedError, match=finding) as opening:
        Journal.open(path)
    reader = Journal.open_to_read(path)
    with pytest.raises(JournalDamagedError, match=r"game|table") as checking:
        reader.check()
    reader.close()
    for error in (opening.value, checking.value):
        assert str(path) in str(error)
        assert "pi-table journal set-aside" in str(error)
        assert SECRET not in whole(error)
    assert path.read_bytes() == before


def test_damage_in_an_older_game_lets_the_table_open_and_is_found_by_a_check(path: Path) -> None:
    filled(path)
    tamper(
        path, "UPDATE events SET body = x'00' WHERE game = 1; DELETE FROM games WHERE number = 2"
    )
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(3).entries) == 5
        with pytest.raises(JournalDamagedError, match="event 1 of game 1"):
            journal.read(1)
        with pytest.raises(JournalDamagedError) as error:
            journal.check()
        assert "event 1 of game 1 is not as it was stored; game 2 is not in the list" in str(
            error.value
        )
        openings = journal.openings()
        assert next(openings) == entries(1)[0].body


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE events SET wall = 'yesterday' WHERE game = 1 AND seq = 1", "event 1 of game 1"),
        ("UPDATE games SET count = 4 WHERE number = 1", "game 1 has 5 events, and 4 were"),
        ("UPDATE events SET body = x'00' WHERE game = 1 AND seq = 5", "event 5 of game 1"),
        ("UPDATE events SET link = x'00' WHERE game = 1 AND seq = 3", "event 4 of game 1"),
        ("DELETE FROM events WHERE game = 1 AND seq = 5", "game 1 has 4 events, and 5 were"),
        ("DELETE FROM events WHERE game = 1 AND seq = 4", "event 4 of game 1 is missing"),
        ("DELETE FROM events WHERE game = 1 AND seq = 3", "event 3 of game 1 is missing"),
        ("UPDATE games SET last = zeroblob(32) WHERE number = 1", "game 1 has 5 events, and 5"),
    ],
)
def test_what_the_ends_of_a_game_say_is_verified(path: Path, statement: str, finding: str) -> None:
    filled(path)
    tamper(path, statement)
    with closing(Journal.open(path)) as journal, pytest.raises(JournalDamagedError, match=finding):
        journal.ends(1, 2)


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE events SET wall = 'yesterday' WHERE game = 1 AND seq = 1", "event 1 of game 1"),
        ("UPDATE games SET count = 4 WHERE number = 1", "game 1 has 5 events, and 4 were"),
        ("DELETE FROM events WHERE game = 1 AND seq = 5", "game 1 has 4 events, and 5 were"),
        ("DELETE FROM games WHERE number = 2", "game 2 is missing"),
        ("DELETE FROM events WHERE game = 1", "holds values of another type"),
    ],
)
def test_what_the_list_of_games_says_is_verified(path: Path, statement: str, finding: str) -> None:
    filled(path)
    tamper(path, statement)
    with closing(Journal.open(path)) as journal, pytest.raises(JournalDamagedError, match=finding):
        journal.games()


def test_a_game_that_is_gone_altogether_is_found_by_a_check(path: Path) -> None:
    filled(path)
    tamper(path, "DELETE FROM events WHERE game = 2; DELETE FROM games WHERE number = 2")
    reader = Journal.open_to_read(path)
    with pytest.raises(JournalDamagedError, match="games 2 to 2 are missing"):
        reader.check()
    reader.close()


def test_an_event_that_is_said_to_be_larger_than_any_is_damage(path: Path) -> None:
    filled(path)

    class NarrowDisk(Disk):
        def connect(self, path: Path, read_only: bool) -> Connection:
            connection = super().connect(path, read_only)
            assert isinstance(connection, sqlite3.Connection)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 30)
            return connection

    with pytest.raises(JournalDamagedError, match="SQLITE_TOOBIG"):
        Journal.open(path, disk=NarrowDisk())


def test_damage_that_only_sqlite_sees_is_found_by_a_check(path: Path) -> None:
    filled(path)
    damaged = bytearray(path.read_bytes())
    damaged[39] = 1  # the number of free pages, of which there are none
    path.write_bytes(damaged)
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(3).entries) == 5
        with pytest.raises(JournalDamagedError, match=r"SQLite finds: .*freelist.*\. Nothing"):
            journal.check()


def outcome(path: Path) -> str:
    """What a table makes of a file that may be damaged; nothing but a StorageError may come."""
    try:
        with closing(Journal.open(path)) as journal:
            journal.check()
            latest = journal.latest()
            assert latest is not None
            assert [entry.body for entry in latest.entries] == [
                e.body for e in (*entries(1), *entries(4))
            ]
            assert {entry.wall for entry in latest.entries} == {NOW}
            assert journal.games() == [Listed(number, NOW, 5) for number in (1, 2, 3)]
            return "unharmed"
    except StorageError as error:
        told = error
    assert SECRET not in whole(told)
    assert str(path) in str(told)
    return type(told).__name__


def outcomes_of_flips(folder: Path, part: float) -> Counter[str]:
    """What becomes of a journal when a bit of it flips, for a part of all the bits in use."""
    path = folder / "journal.sqlite"
    filled(path)
    good = path.read_bytes()
    used = [place for place, byte in enumerate(good) if byte or place < 100]
    bits = [(place, bit) for place in used for bit in range(8)]
    outcomes: Counter[str] = Counter()
    for place, bit in random.Random(1).sample(bits, int(part * len(bits))):
        flipped = bytearray(good)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        outcomes[outcome(path)] += 1
    return outcomes


def test_a_flipped_bit_is_found_or_does_no_harm(tmp_memory: Path) -> None:
    outcomes = outcomes_of_flips(tmp_memory, 0.03)
    assert outcomes.keys() >= {"JournalDamagedError", "unharmed"}
    assert outcomes["JournalDamagedError"] > 0.8 * outcomes.total()


@pytest.mark.torture
def test_every_flipped_bit_is_found_or_does_no_harm(tmp_memory: Path) -> None:
    outcomes = outcomes_of_flips(tmp_memory, 1.0)
    assert outcomes.keys() == {
        "JournalDamagedError",
        "JournalForeignError",  # in the marks of the header
        "JournalUnwritableError",  # in the header's write version
        "unharmed",  # in what nobody reads: free space, hints, counters
    }


def test_a_body_that_damage_has_put_into_another_column_is_not_told(path: Path) -> None:
    filled(path)
    lax = "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, WITHOUT', 'WITHOUT')"
    tamper(path, f"PRAGMA writable_schema = ON; {lax}")
    for text in ("CAST(body || x'ff' AS TEXT)", "CAST(body AS TEXT)"):  # no UTF-8, and UTF-8
        for column in ("at", "wall", "link", "seq", "game"):
            Path(f"{path}.copy").write_bytes(path.read_bytes())
            tamper(path, f"UPDATE events SET {column} = {text} WHERE game = 3 AND seq = 5")
            assert outcome(path) == "JournalDamagedError"
            Path(f"{path}.copy").rename(path)


def test_a_file_cut_short_anywhere_is_damaged(tmp_memory: Path) -> None:
    path = tmp_memory / "journal.sqlite"
    filled(path)
    good = path.read_bytes()
    for length in [*range(2, 100, 7), *range(100, len(good) - 4096, 997)]:
        path.write_bytes(good[:length])
        assert outcome(path) == "JournalDamagedError", length


@pytest.mark.parametrize("header", [b"\0" * 100, b"not a journal at all\n" * 40, b"\xff" * 4096])
def test_a_file_of_something_else_is_no_journal_and_is_left_alone(
    path: Path, header: bytes
) -> None:
    path.write_bytes(header)
    path.chmod(0o644)
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(JournalDamagedError, match="does not begin as a journal"):
            opening(path)
    assert path.read_bytes() == header
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    "statements",
    [
        "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)",
        "PRAGMA application_id = 7",
        "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)",
        "PRAGMA user_version = 3",
    ],
)
def test_a_database_of_another_program_is_left_alone(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as theirs:
        theirs.executescript(statements)
    before = path.read_bytes()
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(JournalForeignError, match=f"{path} belongs to another program"):
            opening(path)
    assert path.read_bytes() == before


def test_a_journal_of_another_format_is_left_alone(path: Path) -> None:
    filled(path)
    tamper(path, "PRAGMA user_version = 3")
    before = path.read_bytes()
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(
            JournalForeignError, match="format 3, and this pi-table knows the formats 1 and 2"
        ):
            opening(path)
    assert path.read_bytes() == before


# Two at once


def test_a_second_table_is_refused_while_the_first_has_the_journal(
    path: Path, journal: Journal
) -> None:
    with pytest.raises(JournalInUseError, match="Another table is using"):
        Journal.open(path)
    script = f"from pi_table.store.journal import *; Journal.open(Path({str(path)!r}))"
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
            for act in (
                journal.settle,
                lambda: journal.append(game, entries(1), NOW),
                lambda: journal.note_time(game, 9.0),
                lambda: journal.begin(entries(1), NOW),
            ):
                with pytest.raises(JournalInUseError, match="Close it and try again"):
                    act()
            assert len(journal.read(game).entries) == 2
            other.execute("ROLLBACK")
        journal.append(game, entries(1), NOW)
        assert len(journal.read(game).entries) == 3
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 3


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

        with pytest.raises(JournalFullError, match="while entering what happened"):
            fill()
        for act in (
            lambda: journal.begin(entries(1), NOW),
            lambda: journal.append(game, entries(1), NOW),
            lambda: journal.note_time(game, 9.0),
        ):
            with pytest.raises(JournalFullError):
                act()
        assert len(journal.read(game).entries) == stored
        disk.room(pages=1000)
        journal.append(game, entries(1), NOW)
        assert len(journal.read(game).entries) == stored + 1
        journal.check()
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == stored + 1


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
        with pytest.raises(JournalFailingError, match="is to be read again"):
            journal.append(game, entries(30, size=1500), NOW)
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 1
        journal.append(game, entries(30, size=1500), NOW)
        assert len(journal.read(game).entries) == 31
        journal.check()
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 31


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
        assert len(journal.read(game).entries) == 22
        with pytest.raises(JournalFailingError, match="while entering what happened"):
            journal.append(game, entries(1), NOW)
    with closing(Journal.open(path)) as journal:
        assert len(journal.read(game).entries) == 22
        journal.append(game, entries(1), NOW)
        journal.check()


def in_own_mounts(script: str) -> str:
    """Runs a script with /mnt as a file system of 512 kB; what it printed."""
    mount = "mount -t tmpfs -o size=512k,mode=700 journal /mnt && exec"
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
from pathlib import Path
from pi_table.store.journal import *
from pi_table.store.entries import Entry
from pi_table.store.faults import JournalFullError
path = Path("/mnt/journal.sqlite")
ballast = Path("/mnt/ballast")
ballast.write_bytes(bytes(200_000))
journal = Journal.open(path)
game, stored = journal.begin([Entry(0.0, b"{}")], "now"), 1
try:
    while True:
        journal.append(game, [Entry(1.0, bytes(3000)), Entry(1.0, bytes(3000))], "now")
        stored += 2
except JournalFullError as error:
    print(error)
assert len(journal.read(game).entries) == stored > 10, stored
ballast.unlink()
journal.append(game, [Entry(2.0, b"{}")], "now")
journal.check()
journal.close()
journal = Journal.open(path)
assert len(journal.latest().entries) == stored + 1
journal.close()
"""
    )
    assert "Free space on the disk of /mnt" in told


def test_no_space_even_for_a_new_journal_is_told() -> None:
    told = in_own_mounts(
        """
from pathlib import Path
from pi_table.store.journal import *
from pi_table.store.faults import JournalFullError
ballast = Path("/mnt/ballast")
try:
    ballast.write_bytes(bytes(1_000_000))
except OSError:
    pass
path = Path("/mnt/journal.sqlite")
try:
    Journal.open(path)
except JournalFullError as error:
    print(error)
ballast.unlink()
Journal.open(path).close()
"""
    )
    assert "no space left for the journal /mnt/journal.sqlite, while opening it" in told


def test_a_disk_mounted_read_only_is_told_and_can_still_be_read() -> None:
    told = in_own_mounts(
        """
import os
from pathlib import Path
from pi_table.store.journal import *
from pi_table.store.entries import Entry
from pi_table.store.faults import JournalUnwritableError
path = Path("/mnt/journal.sqlite")
journal = Journal.open(path)
journal.begin([Entry(0.0, b"{}")], "now")
journal.close()
assert os.system("mount -o remount,ro /mnt") == 0
for place in (path, Path("/mnt/other.sqlite"), Path("/mnt/new/journal.sqlite")):
    try:
        Journal.open(place)
    except JournalUnwritableError as error:
        print(error)
reader = Journal.open_to_read(path)
assert len(reader.latest().entries) == 1
reader.close()
"""
    )
    assert told.count("mounted read-only. Mount it for writing") == 2
    assert told.count("sees no folder /mnt/new") == 1


# Not for this user


@contextmanager
def as_nobody() -> Iterator[None]:
    """The kernel does not let the superuser feel a permission: be somebody else for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def open_folder(tmp_memory: Path) -> Path:
    """A folder that anybody may enter, and whoever runs as nobody may write in."""
    tmp_memory.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(tmp_memory, NOBODY, -1)
    return tmp_memory


def test_a_folder_that_may_not_be_written_is_named(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody():
        for path in (open_folder / "journal.sqlite", open_folder / "new" / "journal.sqlite"):
            with pytest.raises(JournalUnwritableError, match=r"Run as|Create it"):
                Journal.open(path)
    assert list(open_folder.iterdir()) == []


def test_a_folder_that_may_not_be_entered_is_no_secret(open_folder: Path) -> None:
    path = open_folder / "journal.sqlite"
    with as_nobody():
        filled(path)
        open_folder.chmod(0o000)
        for opening in (Journal.open, Journal.open_to_read):
            with pytest.raises(JournalUnwritableError, match=f"may not write in {open_folder}"):
                opening(path)


@pytest.mark.parametrize("mode", [0o400, 0o000])
def test_a_file_that_may_not_be_written_is_told_when_it_is_opened(
    open_folder: Path, mode: int
) -> None:
    path = open_folder / "journal.sqlite"
    with as_nobody():
        filled(path)
        path.chmod(mode)
        with pytest.raises(
            JournalUnwritableError, match=f"{path} cannot be used, while opening it"
        ):
            Journal.open(path)
        if mode == 0o400:
            Journal.open_to_read(path).close()
        else:
            with pytest.raises(JournalUnwritableError, match="may not read or write it"):
                Journal.open_to_read(path)


def test_a_missing_folder_is_made_but_not_a_whole_path(tmp_path: Path) -> None:
    Journal.open(tmp_path / "new" / "journal.sqlite").close()
    with pytest.raises(
        JournalUnwritableError, match=f"sees no folder {tmp_path / 'a' / 'b'}. Create it"
    ):
        Journal.open(tmp_path / "a" / "b" / "journal.sqlite")
    assert not (tmp_path / "a").exists()


def test_a_folder_in_the_place_of_the_journal_is_told(path: Path) -> None:
    path.mkdir()
    for opening in (Journal.open, Journal.open_to_read):
        with pytest.raises(JournalUnwritableError, match="a folder stands in its place"):
            opening(path)


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EIO, JournalFailingError), (errno.ENOSPC, JournalFullError)]
)
def test_a_disk_that_fails_to_sync_the_directory_keeps_the_journal_closed(
    path: Path, number: int, kind: type[StorageError]
) -> None:
    class FailingDisk(Disk):
        def sync_directory(self, folder: Path) -> None:
            raise OSError(number, os.strerror(number))

    with pytest.raises(kind, match=f"{path}, while opening it"):
        Journal.open(path, disk=FailingDisk())
    Journal.open(path).close()  # what was held is let go
