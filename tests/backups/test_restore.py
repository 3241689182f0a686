"""A restore: what it puts back, and what it refuses; a refusal changes nothing."""

import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from kept_table import WALL, KeptTable

from pi_table import __version__, cli
from pi_table.common.errors import InputError, StorageError, TableError
from pi_table.table.backups import archive, finishing
from pi_table.table.backups.archive import Manifest, Member
from pi_table.table.backups.backup import back_up
from pi_table.table.backups.finishing import finish_before_start
from pi_table.table.backups.places import Places
from pi_table.table.backups.restore import SPARE_BYTES, refuse_no_room, restore
from pi_table.table.engine.process.backup_contents import check_contents
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal
from pi_table.table.store.sealed_file import encode_sealed


class Scene:
    """A table, and the backup of another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = KeptTable(folder / "table")
        self.backup = folder / "backup.tar"
        self.table.furnish("another", 3)
        back_up(self.backup, self.table.config, self.table.config_file, WALL)
        self.new = self.table.standing()
        for pack in self.table.packs.iterdir():
            pack.unlink()
        for file in self.table.state.iterdir():
            file.unlink()
        self.table.furnish("this", 2)
        self.old = self.table.standing()

    def files(self) -> dict[Path, bytes]:
        return {
            each: each.read_bytes()
            for each in self.table.root.rglob("*")
            if each.is_file() and each.name != "journal.sqlite.lock"
        }

    def restore(self) -> None:
        config, config_file = self.table.config, self.table.config_file
        restore(self.backup, config, config_file, WALL, look=check_contents)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


@contextmanager
def nothing_changes(scene: Scene) -> Iterator[None]:
    before = scene.files()
    yield
    assert scene.files() == before


def test_a_restored_table_is_the_one_that_was_kept(scene: Scene) -> None:
    scene.restore()
    assert scene.table.standing() == scene.new
    modes = {each.name: each.stat().st_mode & 0o777 for each in scene.table.state.iterdir()}
    assert modes["journal.sqlite"] == modes["journal.sqlite.mark"] == modes["pin.json"] == 0o600
    assert scene.table.config_file.stat().st_mode & 0o777 == 0o644
    with closing(Journal.open(scene.table.journal)) as journal:
        assert journal.latest_number() == 3


def test_what_was_there_can_be_put_back_from_where_it_is_kept(scene: Scene) -> None:
    scene.restore()
    (kept,) = scene.table.state.glob("before-restore-*")
    for file in (kept / "state").iterdir():
        file.replace(scene.table.state / file.name)
    assert scene.table.standing().games == scene.old.games


def test_two_restores_in_one_second_keep_what_was_there_before_each(scene: Scene) -> None:
    scene.restore()
    scene.restore()
    assert len([*scene.table.state.glob("before-restore-*")]) == 2


def test_the_configuration_may_be_left_as_it_is(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    config = ["--config", str(scene.table.config_file)]
    assert cli.main(["restore", str(scene.backup), "--without-config", *config]) == 0
    assert "this table's is as it was" in capsys.readouterr().out
    standing = scene.table.standing()
    assert (standing.config, standing.settings) == (scene.old.config, scene.old.settings)
    assert (standing.games, standing.packs) == (scene.new.games, scene.new.packs)


def without_settings(scene: Scene) -> bytes:
    """Make the backup that of a table without a settings file; return this table's own."""
    settings = scene.table.settings.read_bytes()
    scene.table.settings.unlink()
    back_up(scene.backup, scene.table.config, scene.table.config_file, WALL, replace=True)
    scene.table.settings.write_bytes(settings)
    return settings


def test_settings_that_the_kept_table_did_not_have_are_set_aside(scene: Scene) -> None:
    settings = without_settings(scene)
    scene.restore()
    assert not scene.table.settings.exists()
    (kept,) = scene.table.state.glob("before-restore-*")
    assert (kept / "config" / "settings.toml").read_bytes() == settings


def test_settings_stay_where_the_configuration_does(scene: Scene) -> None:
    settings = without_settings(scene)
    command = ["restore", str(scene.backup), "--without-config"]
    assert cli.main([*command, "--config", str(scene.table.config_file)]) == 0
    assert scene.table.settings.read_bytes() == settings


def test_settings_that_neither_table_has_need_no_folder(scene: Scene) -> None:
    text = scene.table.config_file.read_text()
    nowhere = str(scene.folder / "nowhere" / "settings.toml")
    scene.table.config_file.write_text(text.replace(str(scene.table.settings), nowhere))
    back_up(scene.backup, scene.table.config, scene.table.config_file, WALL, replace=True)
    scene.restore()
    assert not (scene.folder / "nowhere").exists()


def test_a_configuration_is_judged_without_the_settings_that_will_be_gone(scene: Scene) -> None:
    """In the backup, the list names the configuration, but there is no file of it."""
    scene.table.config_file.write_text(
        f'[paths]\nstate = "/srv/elsewhere"\nsettings = "{scene.table.settings}"\n'
    )
    scene.table.settings.write_text(f'[paths]\nstate = "{scene.table.state}"\n')
    written(scene, {})
    with nothing_changes(scene), pytest.raises(InputError, match="keeps games in /srv/elsewhere"):
        scene.restore()


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can give a file to somebody")
def test_what_root_restores_belongs_to_the_tables_own_user(scene: Scene) -> None:
    for folder in (scene.table.state, scene.table.packs):
        for each in (folder, *folder.iterdir()):
            os.chown(each, 1234, 2345)
    (scene.table.state / "journal.sqlite.lock").unlink(missing_ok=True)
    scene.restore()
    owners = {
        each: (each.lstat().st_uid, each.lstat().st_gid)
        for folder in (scene.table.state, scene.table.packs)
        for each in folder.rglob("*")
    }
    assert {*owners.values()} == {(1234, 2345)}, owners
    assert scene.table.config_file.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone is anybody")
def test_root_finishes_no_plan_that_anybody_else_has_made(scene: Scene) -> None:
    ready = scene.table.state / finishing.READY
    (ready / "new").mkdir(parents=True)
    (ready / "new" / "x").write_text("mine")
    step = finishing.Step("x", str(scene.folder / "etc-shadow"), "x")
    plan = finishing.Plan((step,), "kept")
    (ready / finishing.PLAN).write_bytes(encode_sealed(msgspec.json.encode(plan)))
    os.chown(ready, 1234, 1234)
    finish_before_start(scene.table.state)
    with pytest.raises(StorageError, match="begun by another user"):
        scene.restore()
    assert not (scene.folder / "etc-shadow").exists()
    os.chown(ready, 0, 0)
    finish_before_start(scene.table.state)  # so it is the owner that keeps root from it
    assert (scene.folder / "etc-shadow").exists()


def test_a_game_that_makes_no_sense_is_not_restored(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = KeptTable(tmp_path / "odd")
    odd.furnish("odd", 1)
    with closing(Journal.open(odd.journal)) as journal:
        journal.begin([Entry(0.0, b"not an event")], WALL)
    scene.backup.unlink()
    back_up(scene.backup, odd.config, odd.config_file, WALL)
    command = ["restore", str(scene.backup), "--config", str(scene.table.config_file)]
    with nothing_changes(scene):
        assert cli.main([*command, "--without-config"]) == 2
    said = capsys.readouterr().err
    assert "game 2 in it holds events that this version of pi-table cannot read" in said


def test_a_table_that_runs_is_not_restored(scene: Scene) -> None:
    with (
        closing(Journal.open(scene.table.journal)),
        nothing_changes(scene),
        pytest.raises(StorageError, match="sudo systemctl stop pi-table-engine"),
    ):
        scene.restore()


def test_a_table_does_not_start_while_a_restore_cannot_be_finished(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    (scene.table.state / finishing.READY).mkdir()
    assert cli.main(["run", "--config", str(scene.table.config_file)]) == 1
    assert "cannot be finished" in capsys.readouterr().err


def written(scene: Scene, files: dict[str, bytes], **head: Any) -> None:
    """A file in the form of a backup, with any head and files."""
    values: dict[str, Any] = {
        "format": 1,
        "version": "0.1.0",
        "made": WALL,
        "holds": ("journal", "house", "config", "packs"),
        "games": 0,
        "members": tuple(Member(n, len(d), sha256(d).hexdigest()) for n, d in files.items()),
    }
    manifest = Manifest(**{**values, **head})
    text = encode_sealed(msgspec.json.encode(manifest))
    with scene.backup.open("wb") as file:
        file.write(_header(archive.MANIFEST, len(text), manifest.time) + text)
        file.write(bytes(-len(text) % 512))
        for name, data in files.items():
            file.write(_header(name, len(data), manifest.time) + data + bytes(-len(data) % 512))
        file.write(bytes(1024))


def _header(name: str, size: int, time: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = size, time, 0o600
    return info.tobuf()


def foreign(scene: Scene) -> None:
    scene.backup.write_bytes(b"PK\3\4" + bytes(4000))


def foreign_tar(scene: Scene) -> None:
    with tarfile.open(scene.backup, "w") as tar:
        tar.add(scene.table.config_file, "table.toml")


def empty(scene: Scene) -> None:
    scene.backup.write_bytes(b"")


def missing(scene: Scene) -> None:
    scene.backup.unlink()


def folder(scene: Scene) -> None:
    scene.backup.unlink()
    scene.backup.mkdir()


def endless(scene: Scene) -> None:
    scene.backup.unlink()
    scene.backup.symlink_to("/dev/zero")


def pipe(scene: Scene) -> None:
    scene.backup.unlink()
    os.mkfifo(scene.backup)


def cut_short(scene: Scene) -> None:
    os.truncate(scene.backup, scene.backup.stat().st_size - 4096)


def longer(scene: Scene) -> None:
    with scene.backup.open("ab") as file:
        file.write(bytes(10240))


def huge_and_hollow(scene: Scene) -> None:
    os.truncate(scene.backup, 1 << 40)


def newer_version(scene: Scene) -> None:
    written(scene, {}, version="99.0.1")


def newer_format(scene: Scene) -> None:
    written(scene, {}, format=2)


def up_and_away(scene: Scene) -> None:
    written(scene, {"packs/../../etc/evil.txt": b"#"})


def absolute(scene: Scene) -> None:
    written(scene, {"/etc/passwd": b"root::0:0"})


def hidden_pack(scene: Scene) -> None:
    written(scene, {"packs/.profile.txt": b"#"})


def twice(scene: Scene) -> None:
    written(scene, {"packs/a.txt": b"#", "packs/A.txt": b"#"})


def bomb(scene: Scene) -> None:
    written(scene, {}, members=(Member("packs/a.txt", 1 << 41, "0" * 64),))


def less_than_nothing(scene: Scene) -> None:
    written(scene, {}, members=(Member("packs/a.txt", -4096, "0" * 64),))


def half_a_journal(scene: Scene) -> None:
    written(scene, {archive.JOURNAL: scene.table.journal.read_bytes()})


def journal_of_another_mark(scene: Scene) -> None:
    mark = scene.table.journal.with_name("journal.sqlite.mark").read_bytes()
    scene.table.state.joinpath("x").mkdir()
    other = Journal.open(scene.table.state / "x" / "journal.sqlite")
    other.close()
    data = (scene.table.state / "x" / "journal.sqlite").read_bytes()
    for each in (scene.table.state / "x").iterdir():
        each.unlink()
    (scene.table.state / "x").rmdir()
    written(scene, {archive.JOURNAL: data, archive.MARK: mark})


def not_a_journal(scene: Scene) -> None:
    written(scene, {archive.JOURNAL: b"x" * 9000, archive.MARK: b"y" * 16384})


def house_not_sealed(scene: Scene) -> None:
    written(scene, {archive.HOUSE: b'{"volume":3}'})


NESTED = b"[" * 30_000 + b"]" * 30_000
"""Values within values within values."""


def list_of_lists(scene: Scene) -> None:
    text = b'{"kept":%b,"seal":""}' % NESTED
    header = _header(archive.MANIFEST, len(text), 0)
    scene.backup.write_bytes(header + text + bytes(-len(text) % 512) + archive.END)


def house_of_lists(scene: Scene) -> None:
    written(scene, {archive.HOUSE: encode_sealed(NESTED)})


def pin_of_lists(scene: Scene) -> None:
    written(scene, {archive.PIN: encode_sealed(NESTED)})


def config_not_readable(scene: Scene) -> None:
    written(scene, {archive.CONFIG: b"[lihgts]\n"})


def config_of_another_state(scene: Scene) -> None:
    written(scene, {archive.CONFIG: b'[paths]\nstate = "/srv/elsewhere"\n'})


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (foreign, "is not a backup of a table"),
        (foreign_tar, "is not a backup of a table"),
        (empty, "is not a backup of a table"),
        (missing, "There is no file"),
        (folder, "There is no file"),
        (endless, "There is no file"),
        (pipe, "There is no file"),
        (cut_short, "bytes, and .* were written"),
        (longer, "bytes, and .* were written"),
        (huge_and_hollow, "bytes, and .* were written"),
        (newer_version, "made by pi-table 99.0.1, which is newer"),
        (newer_format, "which is newer"),
        (up_and_away, "no file of a table has this name"),
        (absolute, "no file of a table has this name"),
        (hidden_pack, "no file of a table has this name"),
        (twice, "in it twice"),
        (bomb, "more than 2,147,483,648 bytes"),
        (less_than_nothing, "more than 2,147,483,648 bytes"),
        (half_a_journal, "a part of its journal is missing"),
        (journal_of_another_mark, "was stored, and is missing"),
        (not_a_journal, "does not begin as a journal does"),
        (house_not_sealed, "is damaged"),
        (list_of_lists, "the list of what it holds is not as it was written"),
        (house_of_lists, "is damaged"),
        (pin_of_lists, "is damaged"),
        (config_not_readable, "did you mean 'lights'"),
        (config_of_another_state, "add --without-config"),
    ],
)
def test_a_file_that_is_no_backup_in_order_is_told_in_a_sentence_and_nothing_changes(
    scene: Scene, what: Callable[[Scene], None], said: str
) -> None:
    what(scene)
    with nothing_changes(scene), pytest.raises(TableError, match=said):
        scene.restore()
    assert scene.table.standing() == scene.old


def test_no_byte_of_a_backup_can_be_another(scene: Scene) -> None:
    """Each byte of headers and padding matters, and of the members any that is tried."""
    whole = scene.backup.read_bytes()
    chance = Random(11)
    ends = [*range(2048), *range(len(whole) - 1100, len(whole))]
    for at in {*chance.sample(ends, 150), *chance.sample(range(len(whole)), 250)}:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << chance.randrange(8)
        scene.backup.write_bytes(damaged)
        with (
            pytest.raises(InputError),
            archive.open_backup(scene.backup, __version__) as backup,
        ):
            backup.check()
    scene.backup.write_bytes(whole)
    with archive.open_backup(scene.backup, __version__) as backup:
        backup.check()


def link_to_a_secret(scene: Scene) -> None:
    (scene.table.state / "house.json").unlink()
    (scene.table.state / "house.json").symlink_to("/etc/hostname")


def folder_in_the_way(scene: Scene) -> None:
    (scene.table.packs / "of-another.txt").mkdir()


def no_folder_of_packs(scene: Scene) -> None:
    for pack in scene.table.packs.iterdir():
        pack.unlink()
    scene.table.packs.rmdir()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (link_to_a_secret, "is not a plain file"),
        (folder_in_the_way, "is not a plain file"),
        (no_folder_of_packs, "for word packs, which the configuration names"),
    ],
)
def test_a_table_in_which_files_cannot_be_replaced_is_left_as_it_is(
    scene: Scene, what: Callable[[Scene], None], said: str
) -> None:
    what(scene)
    with nothing_changes(scene), pytest.raises(StorageError, match=said):
        scene.restore()
    assert not [each for each in scene.table.state.iterdir() if each.is_dir()]


def test_a_state_folder_that_is_not_there_is_told(scene: Scene) -> None:
    scene.table.state.rename(scene.folder / "elsewhere")
    with pytest.raises(StorageError, match="start the table once"):
        scene.restore()
    assert not scene.table.state.exists()


def test_a_disk_without_room_is_told_first(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_table.table.backups.restore.SPARE_BYTES", 1 << 62)
    with nothing_changes(scene), pytest.raises(StorageError, match="free some"):
        scene.restore()


class Disk(NamedTuple):
    """A disk with so many blocks of one byte free."""

    f_bavail: int
    f_frsize: int = 1


def test_a_restore_needs_room_for_the_new_twice_and_the_old_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    with archive.open_backup(scene.backup, __version__) as backup:
        new = sum(member.size for member in backup.manifest.members)
        old = sum(each.stat().st_size for each in scene.table.state.glob("journal.sqlite*"))
        old -= (scene.table.state / "journal.sqlite.lock").stat().st_size
        needed = 2 * new + old + SPARE_BYTES
        places = Places(scene.table.config, None)
        monkeypatch.setattr(os, "statvfs", lambda path: Disk(needed))
        refuse_no_room(backup.manifest, places)
        monkeypatch.setattr(os, "statvfs", lambda path: Disk(needed - 1))
        with pytest.raises(StorageError, match=f"needs {needed:,} bytes"):
            refuse_no_room(backup.manifest, places)


def test_one_of_a_backup_and_finish_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["restore"]) == 2
    assert cli.main(["restore", "a.tar", "--finish"]) == 2
    assert "one of the two" in capsys.readouterr().err
