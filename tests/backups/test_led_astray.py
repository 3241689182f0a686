"""Root's commands in a folder of the table's user, who may be anybody by now: nothing of another
user's is read or written."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from kept_table import WALL, KeptTable
from needs_root import needs_root

from pi_table.common.errors import StorageError, TableError
from pi_table.common.files import make_folder, write_whole
from pi_table.table.backups import finishing
from pi_table.table.backups.backup import back_up
from pi_table.table.backups.finishing import Plan, Step
from pi_table.table.backups.restore import restore
from pi_table.table.engine.process.backup_contents import check_contents
from pi_table.table.store.sealed_file import encode_sealed

pytestmark = needs_root("be led astray")

USER = 1234


class Scene:
    """A table whose user is not to be trusted any more, and what is root's alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = KeptTable(folder / "table")
        self.table.furnish("this", 1)
        for own in (self.table.state, self.table.packs):
            self.give(own)
            for each in own.iterdir():
                self.give(each)
        self.roots = folder / "roots"
        self.roots.mkdir(mode=0o700)
        self.secret = self.roots / "of-both.txt"
        self.secret.write_text("of root alone")
        self.secret.chmod(0o600)

    def give(self, path: Path) -> Path:
        os.chown(path, USER, USER, follow_symlinks=False)
        return path

    def back_up(self) -> bytes:
        file = self.folder / "backup.tar"
        back_up(file, self.table.config, self.table.config_file, WALL, replace=True)
        return file.read_bytes()

    def restore(self) -> None:
        file, config = self.folder / "backup.tar", self.table.config
        restore(file, config, None, WALL, look=check_contents)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def pack_is_a_link(scene: Scene) -> None:
    pack = scene.table.packs / "of-both.txt"
    pack.unlink()
    pack.symlink_to(scene.secret)
    scene.give(pack)


def pack_is_a_second_name(scene: Scene) -> None:
    (scene.table.packs / "of-both.txt").unlink()
    os.link(scene.secret, scene.table.packs / "of-both.txt")


def pack_was_roots_file(scene: Scene) -> None:
    scene.secret.rename(scene.table.packs / "of-both.txt")


def packs_lie_where_a_link_leads(scene: Scene) -> None:
    inside = scene.table.state / "packs"
    inside.symlink_to(scene.roots)
    scene.give(inside)
    text = scene.table.config_file.read_text()
    scene.table.config_file.write_text(text.replace(str(scene.table.packs), str(inside)))


def house_is_a_link(scene: Scene) -> None:
    (scene.table.state / "house.json").unlink()
    scene.secret.write_bytes(encode_sealed(b'{"volume":7}'))
    (scene.table.state / "house.json").symlink_to(scene.secret)
    scene.give(scene.table.state / "house.json")


def journal_is_a_link(scene: Scene) -> None:
    for name in ("journal.sqlite", "journal.sqlite.mark"):
        (scene.table.state / name).rename(scene.roots / name)
        (scene.table.state / name).symlink_to(scene.roots / name)
        scene.give(scene.table.state / name)


def mark_is_a_link(scene: Scene) -> None:
    (scene.table.state / "journal.sqlite.mark").rename(scene.roots / "mark")
    (scene.table.state / "journal.sqlite.mark").symlink_to(scene.roots / "mark")
    scene.give(scene.table.state / "journal.sqlite.mark")


@pytest.mark.parametrize(
    "lead",
    [
        *(pack_is_a_link, pack_is_a_second_name, pack_was_roots_file),
        *(packs_lie_where_a_link_leads, house_is_a_link, journal_is_a_link, mark_is_a_link),
    ],
    ids=lambda each: each.__name__,
)
def test_a_backup_holds_nothing_that_the_tables_user_could_not_read(
    scene: Scene, lead: Callable[[Scene], None]
) -> None:
    lead(scene)
    with pytest.raises(TableError, match=r"no link that another user|to the wrong user"):
        scene.back_up()
    assert not (scene.folder / "backup.tar").exists()


@pytest.mark.parametrize(
    "lead",
    [packs_lie_where_a_link_leads, pack_is_a_second_name, pack_was_roots_file],
    ids=lambda each: each.__name__,
)
def test_a_restore_neither_writes_nor_keeps_what_is_another_users(
    scene: Scene, lead: Callable[[Scene], None]
) -> None:
    scene.back_up()
    lead(scene)
    names = {each.name: each.read_bytes() for each in scene.roots.iterdir()}
    with pytest.raises(StorageError):
        scene.restore()
    assert {each.name: each.read_bytes() for each in scene.roots.iterdir()} == names
    for each in scene.table.root.rglob("*"):
        if each.is_file() and b"of root alone" in each.read_bytes():
            assert each.stat().st_uid == 0, each


def test_a_plan_that_changes_places_with_roots_own_is_never_carried_out(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same folder is examined and read. Its name may point to root's own folder in time."""
    state, foreign = scene.table.state, scene.folder / "etc-shadow"

    def plan(name: str) -> Path:
        folder = state / name
        (folder / "new").mkdir(parents=True)
        (folder / "new" / "x").write_text("foreign")
        text = msgspec.json.encode(Plan((Step("x", str(foreign), "x"),), "kept"))
        write_whole(folder / finishing.PLAN, [encode_sealed(text)])
        return folder

    theirs, ours = plan(finishing.READY), plan("of-root")
    for each in (theirs, *theirs.rglob("*")):
        scene.give(each)
    look = finishing._refuse_another_users

    def look_too_late(ready: Path, held: int) -> None:
        theirs.rename(state / "aside")
        ours.rename(ready)
        look(ready, held)

    monkeypatch.setattr(finishing, "_refuse_another_users", look_too_late)
    with pytest.raises(StorageError, match="begun by another user"):
        finishing.finish(state)
    assert not foreign.exists()


@pytest.mark.parametrize("put", ["link", "folder"])
def test_a_folder_is_given_to_nobody_that_took_the_place_of_the_one_that_was_made(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, put: str
) -> None:
    packs, mkdir = scene.table.state / "packs", os.mkdir

    def make_and_lose(name: str, mode: int, dir_fd: int) -> None:
        mkdir(name, mode, dir_fd=dir_fd)
        packs.rmdir()
        if put == "link":
            packs.symlink_to(scene.roots)
        else:
            mkdir(packs)
        scene.give(packs)

    monkeypatch.setattr(os, "mkdir", make_and_lose)
    with pytest.raises(OSError, match=r"Not a directory|to the wrong user"):
        make_folder(packs, 0o700, USER, USER)
    assert scene.roots.stat().st_uid == 0


def test_what_a_restore_keeps_is_given_away_from_the_leaves_to_the_root(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as anything in a folder is root's, the folder is: nobody puts another name there."""
    scene.back_up()
    given: list[str] = []
    chown = os.chown

    def note(path: str, *owner: int, **more: Any) -> None:
        given.append(str(path))
        chown(path, *owner, **more)

    monkeypatch.setattr(os, "chown", note)
    scene.restore()
    assert given[-1] == "."
    assert given.index("house.json") < given.index("state")
    (kept,) = scene.table.state.glob("before-restore-*")
    assert {each.stat().st_uid for each in (kept, *kept.rglob("*"))} == {USER}
