"""Hostile files given to a table as its backup: each is refused in a sentence and changes
nothing."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hostile_backups import ALL, JOURNALS, Files, Hostile, files_of, without_end, write
from kept_table import WALL, KeptTable
from patience import PATIENCE

from pi_table import cli
from pi_table.common.errors import InputError, StorageError, TableError
from pi_table.common.language import translate
from pi_table.table.backups import archive
from pi_table.table.backups.checking import BackupChecker
from pi_table.table.backups.for_desk import BackupsOfTable
from pi_table.table.backups.restore import restore
from pi_table.table.engine.process.backup_contents import COMMAND, check_contents
from pi_table.table.store.disk import mark_of
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.journal import Journal


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a backup that is in order."""
    folder = tmp_path_factory.mktemp("good")
    table = KeptTable(folder / "table")
    table.furnish("another", 3)
    return files_of(table, folder)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory, good: Files) -> KeptTable:
    """A table that never changes."""
    table = KeptTable(tmp_path_factory.mktemp("table") / "table")
    table.furnish("this", 1)
    return table


def files(table: KeptTable) -> dict[Path, bytes]:
    return {
        each: each.read_bytes() if each.is_file() else b""
        for each in table.root.rglob("*")
        if each.name != "journal.sqlite.lock"
    }


def fitted(good: Files, table: KeptTable) -> Files:
    """A backup's files with a configuration that fits this table."""
    settings = {archive.SETTINGS: table.settings.read_bytes()}
    return {**good, archive.CONFIG: table.config_file.read_bytes(), **settings}


def desk_of(table: KeptTable) -> BackupsOfTable:
    return BackupsOfTable(table.config, table.config_file, lambda: WALL, check_contents)


@pytest.mark.parametrize("hostile", ALL, ids=lambda each: each.name)
def test_a_hostile_backup_is_refused_in_one_sentence_and_nothing_changes(
    table: KeptTable, good: Files, tmp_path: Path, hostile: Hostile
) -> None:
    file = tmp_path / "backup.tar"
    hostile.make(file, fitted(good, table))
    before = files(table)
    with pytest.raises(TableError, match=hostile.said) as refusal:
        restore(file, table.config, table.config_file, WALL, look=check_contents)
    assert "\n" not in str(refusal.value)
    assert files(table) == before
    if hostile.is_used_at_desk:
        with pytest.raises(TableError, match=hostile.said):
            desk_of(table).check(file)
        assert files(table) == before
    assert [each.name for each in tmp_path.iterdir()] == ["backup.tar"]


def test_there_are_forty_of_them_and_one_that_is_in_order_passes(
    table: KeptTable, good: Files, tmp_path: Path
) -> None:
    assert len({each.name for each in ALL}) >= 40
    write(tmp_path / "backup.tar", good)
    assert desk_of(table).check(tmp_path / "backup.tar").packs == 2


def test_the_command_has_a_backup_looked_through_by_a_process_of_its_own(
    table: KeptTable, good: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before = tmp_path / "backup.tar", files(table)
    JOURNALS[0].make(file, fitted(good, table))
    assert cli.main(["restore", str(file), "--config", str(table.config_file)]) == 2
    said = capsys.readouterr().err
    assert "tables are not those of a journal (the trigger 'later' is foreign or changed)" in said
    assert files(table) == before


# Bounds


def judged_by(program: str) -> tuple[str, ...]:
    return (sys.executable, "-P", "-c", program)


BOUNDED = """
import sys
from pathlib import Path
from pi_table.table.engine.process.backup_contents import judge

def check(folder):
    {}

sys.stdout.write(judge(Path(sys.argv[1]), int(sys.argv[2]), check))
"""


@pytest.mark.paced
@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("while True: pass", "takes longer than allowed"),
        ("held = bytes(1 << 33)", "takes more memory than allowed"),
        ("open(folder / 'x', 'wb', buffering=0).write(b'x')", "ended with 1"),
        ("sys.stdout.write('x' * 100_000)", "takes longer than allowed"),
        ("import os; os.kill(os.getpid(), 11)", "ended with -11"),
        (
            "from pi_table.common.errors import InputError; raise InputError('è damaged' * 5000)",
            "damaged",
        ),
        ("raise RuntimeError('rrrrbbbb')", "ended with 1"),
    ],
)
def test_whatever_looking_through_a_backup_comes_to_it_ends_in_a_sentence(
    tmp_path: Path, does: str, said: str
) -> None:
    seconds = 1 if does.startswith("while") else 60
    checker = BackupChecker(judged_by(BOUNDED.format(does)), seconds=seconds)
    with pytest.raises(TableError, match=said) as refusal:
        checker.look(tmp_path)
    assert "rrrr" not in str(refusal.value)


@pytest.mark.paced
def test_why_a_backup_is_refused_comes_out_of_that_process_as_a_text(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "pin.json").write_text("no PIN")
    with pytest.raises(InputError, match=r"pin\.json is damaged") as refusal:
        BackupChecker(COMMAND).look(tmp_path)
    assert "pin.json è danneggiato" in translate(str(refusal.value), "it")


@pytest.mark.paced
@pytest.mark.parametrize("checks", ["endless, passing", "passing, endless"])
def test_the_process_bounds_its_own_time_whoever_waits_for_it(tmp_path: Path, checks: str) -> None:
    program = f"""
import sys
from pathlib import Path
from pi_table.table.engine.process.backup_contents import judge

def passing(folder): ...

def endless(folder):
    while True: ...

judge(Path(sys.argv[1]), 1, {checks})
"""
    done = subprocess.run((*judged_by(program), str(tmp_path)), timeout=PATIENCE, check=False)
    assert -done.returncode in (signal.SIGXCPU, signal.SIGKILL)


@pytest.mark.paced
def test_who_looks_through_a_backup_without_end_is_ended_with_the_table(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = f"with open({str(pipe)!r}, 'w') as pipe: pipe.write(str(os.getpid()))"
    checker = BackupChecker(judged_by(f"import os, signal\n{said}\nsignal.pause()"))
    looking = threading.Thread(target=stopped, args=(checker, tmp_path))
    looking.start()
    pid = pipe.read_text()  # it is there
    checker.stop()
    looking.join(PATIENCE)
    assert not looking.is_alive()
    assert not Path(f"/proc/{pid}").exists()
    stopped(checker, tmp_path)  # and none is begun any more


def stopped(checker: BackupChecker, folder: Path) -> None:
    with pytest.raises(StorageError, match="the table is stopping"):
        checker.look(folder)


def test_no_statement_goes_on_without_end_in_a_journal_of_a_card(
    good: Files, tmp_path: Path
) -> None:
    """A card's journal is read outside the checking process, so each statement needs a limit."""
    journal = tmp_path / "journal.sqlite"
    journal.write_bytes(good[archive.JOURNAL])
    mark_of(journal).write_bytes(good[archive.MARK])
    without_end(journal)
    with closing(Journal.open_to_read(journal)) as opened, pytest.raises(JournalDamagedError):
        opened.games()


# Races


def test_a_restore_puts_in_place_what_was_looked_through_and_nothing_else(
    table: KeptTable, good: Files, tmp_path: Path
) -> None:
    """The file becomes another one between the two."""
    file, before = tmp_path / "backup.tar", files(table)
    desk = desk_of(table)
    write(file, good)
    desk.check(file)
    write(file, {**good, "packs/kitchen.txt": b"# another's"})
    with pytest.raises(InputError, match="is not the one that was checked"):
        desk.restore(file)
    assert files(table) == before


def test_a_file_that_is_written_over_while_it_is_looked_through_is_not_put_in_place(
    table: KeptTable, good: Files, tmp_path: Path
) -> None:
    """The same copy is examined and installed, whatever happens to the file."""
    file, packs = tmp_path / "backup.tar", []

    def look(folder: Path) -> None:
        packs.append({each.name: each.read_bytes() for each in (folder / "packs").iterdir()})
        data = bytearray(file.read_bytes())
        at = data.index(b"# of another")
        data[at : at + 12] = b"# of the foe"
        file.write_bytes(data)
        raise InputError("That is enough.")

    write(file, fitted(good, table))
    before = files(table)
    with pytest.raises(InputError, match="enough"):
        restore(file, table.config, table.config_file, WALL, look=look)
    assert files(table) == before
    assert packs[0]["of-both.txt"] == b"# of another\n"
    with pytest.raises(InputError, match="is not as it was"):
        restore(file, table.config, table.config_file, WALL, look=check_contents)
    assert files(table) == before
