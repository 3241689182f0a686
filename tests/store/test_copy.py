"""A copy of a journal: whole, of one moment, and never a damaged one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from listening import Listening

from pi_table.common.errors import StorageError
from pi_table.table.store.copy import MAX_TRIES, copy_journal
from pi_table.table.store.disk import Connection, Disk
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import JournalDamagedError, JournalMissingError
from pi_table.table.store.journal import Journal

WALL = "2026-11-22T20:15:00.000+00:00"
RELEASED = Path(__file__).parent / "released"


def bodies(path: Path) -> list[bytes]:
    with closing(Journal.open(path)) as journal:
        latest = journal.latest()
        return [entry.body for entry in latest.entries] if latest else []


def test_a_copy_has_the_act_that_only_the_mark_has(journal: Journal, path: Path) -> None:
    journal.begin([Entry(0.0, b"begun")], WALL)
    journal.append(1, [Entry(1.0, b"felt")], WALL)
    target = path.with_name("copy.sqlite")
    assert copy_journal(path, target) == (1, 2)
    assert {each.name for each in path.parent.glob("copy*")} == {"copy.sqlite", "copy.sqlite.mark"}
    assert bodies(target) == [b"begun", b"felt"]
    journal.append(1, [Entry(2.0, b"and on")], WALL)
    assert journal.latest().entries[-1].body == b"and on"


def test_a_journal_without_a_game_and_none_at_all(journal: Journal, path: Path) -> None:
    assert copy_journal(path, path.with_name("copy.sqlite")) == (0, 0)
    with pytest.raises(JournalMissingError):
        copy_journal(path.with_name("none.sqlite"), path.with_name("another.sqlite"))
    assert not [*path.parent.glob("another*")]


class Busy(Disk):
    """A disk on which the table stores while a copy is being made: between mark and tables."""

    def __init__(self, acts: Iterator[None]) -> None:
        super().__init__()
        object.__setattr__(self, "acts", acts)

    def connect(self, path: Path, read_only: bool) -> Connection:
        if path.name == "journal.sqlite":
            next(self.acts, None)  # type: ignore[attr-defined]
        return super().connect(path, read_only)


def test_acts_that_are_stored_while_the_copy_is_made_do_it_no_harm(
    journal: Journal, path: Path
) -> None:
    journal.begin([Entry(0.0, b"begun")], WALL)

    def acts() -> Iterator[None]:
        for act in range(20):
            for part in range(3):
                journal.append(1, [Entry(float(act), b"%d.%d" % (act, part))], WALL)
            yield

    for number in range(5):
        target = path.with_name(f"copy-{number}.sqlite")
        before = len(journal.latest().entries)
        _, events = copy_journal(path, target, disk=Busy(acts()))
        assert events >= before
        assert len(bodies(target)) == events


def test_a_game_that_begins_while_the_copy_is_made_does_it_no_harm(
    journal: Journal, path: Path
) -> None:
    journal.begin([Entry(0.0, b"begun")], WALL)

    def acts() -> Iterator[None]:
        while True:
            journal.begin([Entry(0.0, b"another")], WALL)
            yield

    games, _ = copy_journal(path, path.with_name("copy.sqlite"), disk=Busy(acts()))
    assert games >= 1


def test_what_is_damaged_is_not_copied(journal: Journal, path: Path) -> None:
    journal.begin([Entry(0.0, b"the first event")], WALL)
    journal.begin([Entry(0.0, b"another")], WALL)
    journal.close()
    path.write_bytes(path.read_bytes().replace(b"the first event", b"the worst event"))
    with pytest.raises(JournalDamagedError, match=rf"The journal {path} is damaged: event 1"):
        copy_journal(path, path.with_name("copy.sqlite"))
    assert not [*path.parent.glob("copy*")]


class Empty(Disk):
    """A disk whose copies lack everything: as if the -wal were not there."""

    def connect(self, path: Path, read_only: bool) -> Connection:
        if path.name != "journal.sqlite":
            return super().connect(path, read_only)
        swap = {"VACUUM INTO ?": "SELECT ?"}
        return Listening(super().connect(path, read_only), lambda sql: swap.get(sql, sql))


def test_a_copy_that_lacks_what_was_acknowledged_is_none(journal: Journal, path: Path) -> None:
    journal.begin([Entry(0.0, b"begun")], WALL)
    with pytest.raises(StorageError, match="was stored"):
        copy_journal(path, path.with_name("copy.sqlite"), disk=Empty())
    assert not [*path.parent.glob("copy*")]
    assert MAX_TRIES > 1


def test_a_journal_of_an_earlier_version_is_copied_as_one_of_today(tmp_path: Path) -> None:
    old = RELEASED / "0.1.0" / "closed"
    path = tmp_path / "journal.sqlite"
    for file in old.glob("journal.sqlite*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    games, _ = copy_journal(path, tmp_path / "copy.sqlite")
    assert games == 6
    assert (tmp_path / "copy.sqlite.mark").exists()
