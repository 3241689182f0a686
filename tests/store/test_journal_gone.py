"""A journal whose files are taken from under a running table: it is told, and nothing is lost."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from filled import count_in

from pi_table.table.store import disk
from pi_table.table.store.disk import Disk, FileState, OpenSmallFile, companions, mark_of
from pi_table.table.store.entries import Entry
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalGoneError,
    JournalInUseError,
)
from pi_table.table.store.journal import Journal
from pi_table.table.store.set_aside import set_aside

NOW = "2026-11-21T08:15:00Z"
EVENT = Entry(3.0, b'{"event":"guessed"}')


def copied(path: Path) -> None:
    """Another file with the same bytes in its place: what was written since goes nowhere."""
    other = path.with_name("other")
    shutil.copyfile(path, other)
    other.replace(path)


def folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


def folder_replaced(path: Path) -> None:
    folder_moved(path)
    shutil.copytree(path.parent.with_name("moved"), path.parent)


HARMS = [Path.unlink, copied, folder_moved, folder_replaced]
ENDINGS = ["", "-wal", "-shm", ".mark"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a journal may be made: a folder that may be moved."""
    return tmp_path / "state" / "journal.sqlite"


def acts(journal: Journal) -> dict[str, Callable[[], object]]:
    return {
        "begin": lambda: journal.begin([EVENT], NOW),
        "append": lambda: journal.append(1, [EVENT], NOW),
        "note_time": lambda: journal.note_time(1, 9.0),
    }


@pytest.mark.parametrize("act", ["begin", "append", "note_time"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("harm", HARMS)
def test_a_file_that_is_taken_away_is_told_at_the_next_act(
    path: Path, harm: Callable[[Path], object], ending: str, act: str
) -> None:
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        harm(Path(f"{path}{ending}"))
        for again in (act, act, "begin"):
            with pytest.raises(JournalGoneError, match="was removed, moved, replaced"):
                acts(journal)[again]()


class HarmedPlace(OpenSmallFile):
    """A mark beside which a file goes away just as it is written."""

    def harm(self) -> None: ...

    def write(self, data: bytes, offset: int = 0) -> None:
        self.harm()
        super().write(data, offset)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("act", ["begin", "append", "note_time"])
def test_a_file_that_goes_while_an_act_is_stored_keeps_the_act_from_being_acknowledged(
    path: Path, ending: str, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harmed = Path(f"{path}{ending}")
    monkeypatch.setattr(disk, "OpenSmallFile", HarmedPlace)
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        monkeypatch.setattr(HarmedPlace, "harm", lambda _: harmed.unlink(missing_ok=True))
        with pytest.raises(JournalGoneError, match=f"The file {harmed} was removed"):
            acts(journal)[act]()


def test_an_act_after_which_nobody_may_look_at_the_files_is_not_told_as_refused(path: Path) -> None:
    looks = [0]

    class Unwatched(Disk):
        def file_state(self, path: Path) -> FileState | None:
            looks[0] -= 1
            if looks[0] == 0:
                raise PermissionError(13, "Permission denied")
            return super().file_state(path)

    with closing(Journal.open(path, disk=Unwatched())) as journal:
        journal.begin([EVENT], NOW)
        looks[0] = 5  # the first file after the act
        for _ in range(2):  # and it is not stored twice
            with pytest.raises(JournalFailingError, match="has to be read again"):
                journal.append(1, [EVENT], NOW)
    assert count_in(path) == 2


def test_what_was_acknowledged_stands_in_the_folder_that_was_moved(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        journal.append(1, [EVENT], NOW)
        folder_moved(path)
        with pytest.raises(JournalGoneError):
            journal.append(1, [EVENT], NOW)
    path.parent.with_name("moved").rename(path.parent)
    assert count_in(path) == 2


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("harm", [Path.unlink, copied])
def test_what_was_acknowledged_is_kept_where_no_name_leads_to_it_any_more(
    path: Path, harm: Callable[[Path], object], ending: str
) -> None:
    with closing(Journal.open(path)) as journal:
        journal.append(journal.begin([EVENT], NOW), [EVENT], NOW)
        journal.note_time(1, 7.5)
        before = journal.read(1)
        harm(Path(f"{path}{ending}"))
        with pytest.raises(JournalGoneError) as error:
            journal.append(1, [EVENT], NOW)
    kept = error.value.kept
    assert kept == path.with_name("journal.rescued.sqlite")
    assert f"kept in {kept}" in str(error.value)
    for file in (kept, mark_of(kept)):
        assert file.stat().st_mode & 0o777 == 0o600
    with closing(Journal.open_to_read(kept)) as reader:
        assert reader.read(1) == before
        reader.check()
    for part in (*companions(path), mark_of(path)):
        part.unlink(missing_ok=True)
    kept.replace(path)
    mark_of(kept).replace(mark_of(path))
    with closing(Journal.open(path)) as journal:
        assert journal.read(1) == before
        journal.append(1, [EVENT], NOW)


def test_a_rescue_that_cannot_be_finished_leaves_nothing_behind(path: Path) -> None:
    class Unsynced(Disk):
        def sync(self, path: Path) -> None:
            raise OSError(5, "Input/output error")

    with closing(Journal.open(path, disk=Unsynced())) as journal:
        journal.begin([EVENT], NOW)
        path.unlink()
        with pytest.raises(JournalGoneError) as error:
            journal.append(1, [EVENT], NOW)
    assert "rescued" not in str(error.value)
    assert not [file for file in path.parent.iterdir() if "rescued" in file.name]


def test_a_second_rescue_takes_no_name_from_the_first(path: Path) -> None:
    names = set()
    for _ in range(2):
        with closing(Journal.open(path)) as journal:
            journal.begin([EVENT], NOW)
            path.unlink()
            with pytest.raises(JournalGoneError) as error:
                journal.begin([EVENT], NOW)
            names.add(error.value.kept)
        set_aside(path, NOW)
    assert names == {path.with_name(f"journal.rescued{again}.sqlite") for again in ("", "-2")}


def shortened(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


@pytest.mark.parametrize("ending", ["", "-wal", ".mark"])
@pytest.mark.parametrize("harm", [shortened, emptied])
def test_a_file_that_gets_shorter_is_told_too(
    path: Path, harm: Callable[[Path], object], ending: str
) -> None:
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        harm(Path(f"{path}{ending}"))
        with pytest.raises(JournalGoneError, match="cut short"):
            journal.append(1, [EVENT], NOW)


def test_a_journal_that_was_removed_is_missed_when_it_is_opened_again(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        path.unlink()
    with pytest.raises(JournalDamagedError, match="it is empty or gone"):
        Journal.open(path)
    assert set_aside(path, NOW).parent == path.parent
    with closing(Journal.open(path)) as journal:
        assert journal.games() == []


def test_closing_a_journal_that_was_replaced_leaves_the_other_one_alone(path: Path) -> None:
    """SQLite removes a -wal by its name as it closes: it must not be that of another table."""
    first = Journal.open(path)
    first.begin([EVENT], NOW)
    folder_moved(path)
    with closing(Journal.open(path)) as second:
        second.begin([EVENT, EVENT], NOW)
        first.close()
        second.append(1, [EVENT], NOW)
        assert len(second.read(1).entries) == 3
    assert count_in(path) == 3


@pytest.mark.parametrize("games", [0, 1])
def test_without_its_lock_a_journal_still_has_one_table(path: Path, games: int) -> None:
    with closing(Journal.open(path)) as journal:
        for _ in range(games):
            journal.begin([EVENT], NOW)
        path.with_name(f"{path.name}.lock").unlink()
        with pytest.raises(JournalInUseError, match="Another table is using the journal"):
            Journal.open(path)
        with pytest.raises(JournalInUseError, match="Another table is using the journal"):
            set_aside(path, NOW)
        game = journal.begin([EVENT], NOW)
    with closing(Journal.open(path)) as journal:
        assert journal.latest_number() == game == games + 1


@pytest.mark.parametrize("games", [0, 1])
def test_without_lock_and_mark_one_of_two_tables_is_told_before_anything_is_lost(
    path: Path, games: int
) -> None:
    with closing(Journal.open(path)) as journal:
        for _ in range(games):
            journal.begin([EVENT], NOW)
        path.with_name(f"{path.name}.lock").unlink()
        mark_of(path).unlink()
        if games:
            with pytest.raises(JournalDamagedError, match="mark is missing or empty"):
                Journal.open(path)
            with pytest.raises(JournalGoneError):
                journal.begin([EVENT], NOW)
        else:
            with closing(Journal.open(path)) as second:
                second.begin([EVENT], NOW)
                with pytest.raises(JournalGoneError):
                    journal.begin([EVENT], NOW)
                assert second.begin([EVENT], NOW) == 2


def test_a_hard_link_and_a_backup_do_not_disturb_it(path: Path) -> None:
    with closing(Journal.open(path)) as journal:
        journal.begin([EVENT], NOW)
        os.link(path, path.with_name("link.sqlite"))
        with (
            closing(sqlite3.connect(path)) as reading,
            closing(sqlite3.connect(":memory:")) as kept,
        ):
            reading.backup(kept)
        journal.append(1, [EVENT], NOW)
        assert len(journal.read(1).entries) == 2
