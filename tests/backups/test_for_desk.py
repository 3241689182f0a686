"""Backups as the operator's desk has them made and put back, by a table that has the journal."""

import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from kept_table import WALL, KeptTable

from pi_table.common.errors import InputError, StorageError
from pi_table.table.backups import archive
from pi_table.table.backups.for_desk import BackupsOfTable
from pi_table.table.engine.process.backup_contents import check_contents
from pi_table.table.store.journal import Journal

FILE = "desk-backup"


@pytest.fixture
def table(tmp_path: Path) -> KeptTable:
    table = KeptTable(tmp_path / "table")
    table.furnish("first", 3)
    return table


def backups_of(table: KeptTable) -> BackupsOfTable:
    return BackupsOfTable(table.config, table.config_file, lambda: WALL, check_contents)


def test_a_backup_is_made_while_the_table_has_its_journal(table: KeptTable) -> None:
    backups, file = backups_of(table), table.state / FILE
    with closing(Journal.open(table.journal)):
        made = backups.make(file)
        again = backups.make(file)
    assert made == again == backups.check(file)
    assert (made.games, made.packs, made.config, made.made) == (3, 2, True, WALL)
    assert made.size == file.stat().st_size
    assert file.stat().st_mode & 0o777 == 0o600
    assert [name.name for name in table.state.glob(".*")] == []


def test_a_restore_puts_all_back_but_the_configuration(table: KeptTable) -> None:
    backups, file = backups_of(table), table.state / FILE
    backups.make(file)
    before = table.config_file.read_text()
    table.play("later", 2)
    (table.packs / "of-both.txt").write_text("# another\n")
    table.config_file.write_text(f"{before}# changed\n")
    backups.restore(file)
    with closing(Journal.open_to_read(table.journal)) as journal:
        assert journal.latest_number() == 3
    assert (table.packs / "of-both.txt").read_text() == "# of first\n"
    assert table.config_file.read_text() == f"{before}# changed\n"


def test_a_table_that_still_has_its_journal_is_not_restored(table: KeptTable) -> None:
    backups, file = backups_of(table), table.state / FILE
    backups.make(file)
    with closing(Journal.open(table.journal)), pytest.raises(StorageError, match="is running"):
        backups.restore(file)


def test_that_there_is_no_room_is_told_before_anybody_confirms_a_restore(
    table: KeptTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups, file = backups_of(table), table.state / FILE
    backups.make(file)
    monkeypatch.setattr("pi_table.table.backups.restore.SPARE_BYTES", 1 << 62)
    with pytest.raises(StorageError, match="free some"):
        backups.check(file)


def of_lists() -> bytes:
    """A backup whose list of what it holds is lists within lists."""
    text = b'{"kept":%b,"seal":""}' % (b"[" * 5000 + b"]" * 5000)
    header = tarfile.TarInfo(archive.MANIFEST)
    header.size = len(text)
    return header.tobuf() + text + bytes(-len(text) % 512) + archive.END


@pytest.mark.parametrize("content", [b"", b"no backup", b"\0" * 4096, of_lists()])
def test_what_is_no_backup_changes_nothing(table: KeptTable, content: bytes) -> None:
    backups, file = backups_of(table), table.state / FILE
    file.write_bytes(content)
    for use in (backups.check, backups.restore):
        with pytest.raises(InputError, match=r"Nothing was changed|not a backup"):
            use(file)
    assert not [*table.state.glob("restore-*")]


def test_what_a_power_cut_left_of_a_backup_is_taken_away(table: KeptTable) -> None:
    left = table.state / f".{FILE}.making"
    left.mkdir()
    (left / "journal.sqlite").write_bytes(b"x")
    half = table.state / f".{FILE}.new"
    half.write_bytes(b"all keys so far")
    for _ in range(2):
        backups_of(table).forget(table.state / FILE)
        assert not left.exists()
        assert not half.exists()


def test_packs_beside_the_journal_are_kept_where_no_folder_is_named(
    table: KeptTable, tmp_path: Path
) -> None:
    text = table.config_file.read_text().replace(f'packs = "{table.packs}"', 'packs = ""')
    table.config_file.write_text(text)
    own = table.state / "packs"
    own.mkdir()
    (own / "kitchen.txt").write_text("# the cook's\n")
    file = tmp_path / FILE
    assert backups_of(table).make(file).packs == 1
    (own / "kitchen.txt").unlink()
    own.rmdir()
    backups_of(table).restore(file)
    assert (own / "kitchen.txt").read_text() == "# the cook's\n"
