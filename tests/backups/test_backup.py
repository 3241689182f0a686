"""A backup: what is in it, when it can be made, and who can read it."""

import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from kept_table import WALL, KeptTable, games_in

from pi_table import __version__, cli
from pi_table.common.errors import InputError, StorageError, TableError
from pi_table.table.backups import archive
from pi_table.table.backups.backup import back_up
from pi_table.table.backups.restore import restore
from pi_table.table.engine.process.backup_contents import check_contents
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal


@pytest.fixture
def table(tmp_path: Path) -> KeptTable:
    table = KeptTable(tmp_path / "table")
    table.furnish("this", 2)
    return table


def made(table: KeptTable, file: Path) -> archive.Manifest:
    return back_up(file, table.config, table.config_file, WALL)


def unpack(backup: Path, into: Path) -> None:
    """Unpack a backup as anybody can: with tar."""
    into.mkdir()
    subprocess.run(["tar", "-xf", backup, "-C", into], check=True)


def test_a_backup_is_a_plain_tar_with_all_that_the_table_has(
    table: KeptTable, tmp_path: Path
) -> None:
    manifest = made(table, tmp_path / "b.tar")
    assert manifest.games == 2
    with tarfile.open(tmp_path / "b.tar", "r:") as tar:
        assert tar.getnames() == [
            *("pi-table-backup.json", "config/settings.toml", "config/table.toml"),
            *("packs/of-both.txt", "packs/of-this.txt", "state/house.json"),
            *("state/journal.sqlite", "state/journal.sqlite.mark", "state/pin.json"),
        ]
    unpack(tmp_path / "b.tar", tmp_path / "out")
    assert games_in(tmp_path / "out" / "state" / "journal.sqlite") == table.standing().games
    assert (tmp_path / "b.tar").stat().st_mode & 0o777 == 0o600


def test_the_same_table_at_the_same_time_gives_the_same_members(
    table: KeptTable, tmp_path: Path
) -> None:
    one, other = made(table, tmp_path / "1"), made(table, tmp_path / "2")
    assert [each.name for each in one.members] == [each.name for each in other.members]
    same = [a.name for a, b in zip(one.members, other.members, strict=True) if a == b]
    assert archive.CONFIG in same
    assert archive.HOUSE in same


def test_a_backup_of_a_table_that_plays_has_every_act_that_was_acknowledged(
    table: KeptTable, tmp_path: Path
) -> None:
    with closing(Journal.open(table.journal)) as journal:
        number = journal.begin([Entry(0.0, b"it plays")], WALL)
        for act in range(1, 9):
            journal.append(number, [Entry(float(act), b"act %d" % act)], WALL)
            file = tmp_path / f"{act}.tar"
            made(table, file)  # the act is in the mark alone
            if act % 3 == 0:
                journal.settle()
            unpack(file, tmp_path / f"{act}")
            games = games_in(tmp_path / f"{act}" / "state" / "journal.sqlite")
            assert [entry.body for entry in games[-1]][1:] == [
                b"act %d" % each for each in range(1, act + 1)
            ]
        journal.append(number, [Entry(20.0, b"and goes on")], WALL)
    assert len(table.standing().games) == 3


def test_a_backup_changes_nothing_of_the_tables(table: KeptTable, tmp_path: Path) -> None:
    table.pull_the_plug("this")
    before = {f: f.read_bytes() for f in table.root.rglob("*") if f.is_file()}
    made(table, tmp_path / "b.tar")
    after = {f: f.read_bytes() for f in table.root.rglob("*") if f.is_file()}
    assert {f: b for f, b in after.items() if not f.name.endswith("-shm")} == before
    assert {each.name for each in tmp_path.iterdir()} == {"b.tar", "table"}


def test_a_file_that_exists_is_replaced_only_when_that_is_said(
    table: KeptTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.tar"
    file.write_text("dear to somebody")
    command = ["backup", str(file), "--config", str(table.config_file)]
    assert cli.main(command) == 2
    assert "add --replace" in capsys.readouterr().err
    assert file.read_text() == "dear to somebody"
    assert cli.main([*command, "--replace"]) == 0
    assert "2 games, 2 word packs, the house's settings, the PIN's hash and the configuration" in (
        capsys.readouterr().out
    )


def damaged_journal(table: KeptTable) -> None:
    data = table.journal.read_bytes()
    table.journal.write_bytes(data.replace(b"this 0", b"that 0"))


def damaged_house(table: KeptTable) -> None:
    (table.state / "house.json").write_text('{"kept":{},"seal":"no"}')


def pack_of_a_folder(table: KeptTable) -> None:
    (table.packs / "folder.txt").mkdir()


def pack_with_a_name_that_nobody_can_see(table: KeptTable) -> None:
    (table.packs / "a\nb.txt").write_text("# a pack")


def pack_with_a_long_name(table: KeptTable) -> None:
    (table.packs / f"{'a' * 180}.txt").write_text("# a pack")


def packs_whose_names_differ_in_a_capital(table: KeptTable) -> None:
    for name in ("kitchen.txt", "Kitchen.txt"):
        (table.packs / name).write_text("# a pack")


def no_state(table: KeptTable) -> None:
    table.state.rename(table.root / "elsewhere")


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (damaged_journal, "event 1 of game 1 is not as it was stored"),
        (damaged_house, "Set it again, or remove the file"),
        (pack_of_a_folder, "Is a directory"),
        (pack_with_a_name_that_nobody_can_see, "rename it"),
        (pack_with_a_long_name, "longer than 94 bytes"),
        (packs_whose_names_differ_in_a_capital, "/kitchen.txt .* a word pack Kitchen already"),
        (no_state, "--config"),
    ],
)
def test_what_cannot_be_kept_is_told_and_there_is_no_file(
    table: KeptTable, tmp_path: Path, happens: Callable[[KeptTable], None], said: str
) -> None:
    happens(table)
    with pytest.raises(TableError, match=said):
        made(table, tmp_path / "b.tar")
    assert [each.name for each in tmp_path.iterdir()] == ["table"]


def test_a_list_that_no_restore_would_read_is_told_when_it_is_made(
    table: KeptTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(table, tmp_path / "b.tar")
    with tarfile.open(tmp_path / "b.tar") as tar:
        size = tar.getmember(archive.MANIFEST).size
    (tmp_path / "b.tar").unlink()
    monkeypatch.setattr(archive, "MAX_MANIFEST_BYTES", size)
    made(table, tmp_path / "b.tar")
    with archive.open_backup(tmp_path / "b.tar", __version__) as backup:
        backup.check()
    (tmp_path / "b.tar").unlink()
    monkeypatch.setattr(archive, "MAX_MANIFEST_BYTES", size - 1)
    with pytest.raises(InputError, match=f"no room for the 2 word packs in {table.packs}"):
        made(table, tmp_path / "b.tar")
    assert [each.name for each in tmp_path.iterdir()] == ["table"]


def test_a_full_disk_is_told_and_an_old_backup_stays(table: KeptTable, tmp_path: Path) -> None:
    """The limit on a file's size stands in for a full disk: it ends a write in the same place."""
    made(table, tmp_path / "b.tar")
    before = (tmp_path / "b.tar").read_bytes()
    program = (
        "import resource, signal, sys; from pi_table.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) - 512},) * 2)\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    command = ["backup", str(tmp_path / "b.tar"), "--replace", "--config", str(table.config_file)]
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])},
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no new file" in done.stderr
    assert (tmp_path / "b.tar").read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["b.tar", "table"]


def test_a_folder_that_is_not_there_is_told(table: KeptTable, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Check that its folder is there"):
        made(table, tmp_path / "none" / "b.tar")
    with pytest.raises(InputError, match="is a folder"):
        made(table, tmp_path)


def test_the_manifest_says_what_a_later_version_needs_to_know(
    table: KeptTable, tmp_path: Path
) -> None:
    made(table, tmp_path / "b.tar")
    with tarfile.open(tmp_path / "b.tar") as tar:
        file = tar.extractfile("pi-table-backup.json")
        assert file is not None
        kept = msgspec.json.decode(file.read())["kept"]
    assert (kept["format"], kept["made"], kept["games"]) == (1, WALL, 2)
    assert kept["holds"] == ["journal", "house", "config", "packs"]


def test_a_table_without_a_game_is_kept_as_one(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "table")
    table.furnish("this", 1)
    restored = KeptTable(tmp_path / "table")
    for part in table.state.iterdir():
        part.unlink()
    made(table, tmp_path / "b.tar")
    table.play("another", 2)
    done = restore(tmp_path / "b.tar", table.config, table.config_file, WALL, look=check_contents)
    assert restored.standing().games == ()
    assert done.kept is not None
    assert len(games_in(done.kept / "state" / "journal.sqlite")) == 2
