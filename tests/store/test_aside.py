"""A journal is put away whole, under a name that was free, and another can begin."""

from pathlib import Path

import pytest
from filled import contents

from pi_table.table.store.disk import Disk, OpenSmallFile, mark_of
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalFullError,
    JournalInUseError,
    JournalMissingError,
    JournalUnwritableError,
)
from pi_table.table.store.journal import Journal
from pi_table.table.store.set_aside import set_aside

NOW = "2026-11-21T08:15:00Z"
GAME = [Entry(0.0, b'{"event":"dealt"}')]


@pytest.mark.parametrize("endings", [[""], ["", "-wal", "-shm"], ["", "-journal"]])
def test_the_file_and_its_companions_get_a_new_name_and_keep_their_bytes(
    path: Path, endings: list[str]
) -> None:
    for ending in endings:
        Path(f"{path}{ending}").write_bytes(f"damaged{ending}".encode())
    target = set_aside(path, NOW)
    assert target == path.with_name("journal.set-aside-20261121T081500Z.sqlite")
    assert contents(path.parent) == {
        "journal.sqlite.lock": b"",
        **{f"{target.name}{ending}": f"damaged{ending}".encode() for ending in endings},
    }


def test_another_journal_begins_and_the_old_one_can_still_be_read(
    path: Path, journal: Journal
) -> None:
    journal.begin(GAME, NOW)
    journal.begin(GAME, NOW)
    journal.close()
    target = set_aside(path, NOW)
    journal = Journal.open(path)
    assert journal.games() == []
    journal.close()
    aside = Journal.open_to_read(target)
    assert len(aside.games()) == 2
    aside.close()


@pytest.mark.parametrize("taken", ["", "-wal", "-journal"])
def test_no_name_is_taken_from_another_file(path: Path, taken: str) -> None:
    first = path.with_name(f"journal.set-aside-20261121T081500Z.sqlite{taken}")
    second = path.with_name("journal.set-aside-20261121T081500Z-2.sqlite")
    first.write_bytes(b"there before")
    path.write_bytes(b"damaged")
    assert set_aside(path, "2026-11-21T09:15:00+01:00") == second
    path.write_bytes(b"damaged too")
    assert set_aside(path, NOW).name == "journal.set-aside-20261121T081500Z-3.sqlite"
    assert first.read_bytes() == b"there before"
    assert second.read_bytes() == b"damaged"


def test_a_journal_in_use_stays_in_its_place(path: Path, journal: Journal) -> None:
    game = journal.begin(GAME, NOW)
    before = contents(path.parent)
    with pytest.raises(JournalInUseError, match="Another table"):
        set_aside(path, NOW)
    assert contents(path.parent) == before
    journal.append(game, GAME, NOW)


def test_there_must_be_a_journal_to_set_aside(path: Path) -> None:
    with pytest.raises(JournalMissingError, match=f"no journal at {path}"):
        set_aside(path, NOW)


def test_a_refusal_halfway_leaves_everything_as_it_was(path: Path) -> None:
    path.write_bytes(b"damaged")
    Path(f"{path}-wal").mkdir()  # a folder takes no second name
    with pytest.raises(JournalUnwritableError):
        set_aside(path, NOW)
    names = {file.name for file in path.parent.iterdir()}
    assert names == {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite.lock"}
    assert path.read_bytes() == b"damaged"


def test_where_there_is_no_space_for_another_mark_everything_is_as_it_was(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.begin(GAME, NOW)
    journal.close()
    before = contents(path.parent)

    def no_space(place: OpenSmallFile, data: bytes, offset: int = 0) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(OpenSmallFile, "write", no_space)
    with pytest.raises(JournalFullError):
        set_aside(path, NOW)
    assert contents(path.parent) == before


def test_a_cut_as_a_journal_leaves_whose_mark_nobody_can_read_keeps_nobody_from_a_new_one(
    path: Path, journal: Journal
) -> None:
    class CutShort(Disk):
        def unlink(self, path: Path) -> None:
            if path.name.endswith("-wal"):
                raise OSError(5, "Input/output error")
            super().unlink(path)

    journal.begin(GAME, NOW)
    wal = Path(f"{path}-wal").read_bytes()
    journal.close()
    Path(f"{path}-wal").write_bytes(wal)
    mark_of(path).write_bytes(b"x" * 100)
    with pytest.raises(JournalFailingError):
        set_aside(path, NOW, disk=CutShort())
    assert not path.exists()
    Journal.open(path).close()


@pytest.mark.parametrize("lost", [["", "-wal", "-shm"], [".mark", "-shm"], ["", ".mark", "-shm"]])
def test_what_is_left_of_a_journal_is_put_away_and_asks_for_nothing_more(
    path: Path, journal: Journal, lost: list[str]
) -> None:
    journal.begin(GAME, NOW)
    left = {
        f"journal.set-aside-20261121T081500Z.sqlite{ending}": Path(f"{path}{ending}").read_bytes()
        for ending in ("", "-wal", ".mark")
        if ending not in lost
    }
    kept = contents(path.parent)
    journal.close()
    for name, data in kept.items():
        path.with_name(name).write_bytes(data)
    for ending in lost:
        Path(f"{path}{ending}").unlink()
    with pytest.raises(JournalDamagedError):
        Journal.open(path)
    set_aside(path, NOW)
    found = contents(path.parent)
    found.pop("journal.set-aside-20261121T081500Z.sqlite-shm", None)  # made to look at the rest
    assert found == {"journal.sqlite.lock": b"", **left}
    again = Journal.open(path)
    assert again.begin(GAME, NOW) == 1
    again.close()


def test_a_mark_of_no_game_is_no_journal(path: Path, journal: Journal) -> None:
    journal.close()
    path.unlink()
    with pytest.raises(JournalMissingError, match=f"no journal at {path}"):
        set_aside(path, NOW)
