"""Damage to a journal is found and placed or harmless; what is no journal is left alone."""

import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from filled import NOW, SECRET, entries, filled, whole

from pi_table.common.errors import StorageError
from pi_table.table.store.disk import Connection, Disk
from pi_table.table.store.entries import Listed
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalForeignError,
)
from pi_table.table.store.journal import Journal

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
    with (
        pytest.raises(JournalDamagedError, match=r"game|table") as checking,
        closing(Journal.open_to_read(path)) as reader,
    ):
        reader.check()
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


def test_a_check_of_a_list_of_games_that_is_not_in_order_ends(path: Path) -> None:
    filled(path, games=30)
    data = bytearray(path.read_bytes())
    first, second = slice(4104, 4106), slice(4106, 4108)  # where the rows of the page begin
    data[first], data[second] = data[second], data[first]
    path.write_bytes(data)
    with (
        closing(Journal.open_to_read(path)) as reader,
        pytest.raises(JournalDamagedError, match=r"SQLite finds: .*; the list of games is not in"),
    ):
        reader.check()


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
        with pytest.raises(JournalDamagedError, match=r"SQLite finds: .*[Ff]reelist.*\. Nothing"):
            journal.check()


def outcome(path: Path) -> str:
    """Return the result of opening a file that may be damaged. It may raise only a StorageError."""
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
    """Flip a share of a journal's used bits, one at a time, and return the results."""
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
    freely = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
    strict = f"{freely} replace(sql, ') WITHOUT', ') STRICT, WITHOUT')"
    tamper(path, f"{freely} replace(sql, 'STRICT, WITHOUT', 'WITHOUT')")
    for text in ("CAST(body || x'ff' AS TEXT)", "CAST(body AS TEXT)"):  # no UTF-8, and UTF-8
        for column in ("at", "wall", "link", "seq", "game"):
            Path(f"{path}.copy").write_bytes(path.read_bytes())
            tamper(path, f"UPDATE events SET {column} = {text} WHERE game = 3 AND seq = 5")
            tamper(path, strict)
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
