"""A power cut in the middle of a restore or a backup: old or new, never between."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from cut_machine import Machine, Operation, build, images, record
from kept_table import WALL, KeptTable, Standing, games_in
from planted import parameters
from powercut_surface import Fate

from pi_table.common.errors import TableError
from pi_table.table.backups.backup import back_up
from pi_table.table.backups.finishing import MAKING, READY, finish_before_start
from pi_table.table.backups.places import HELD_ASIDE

COMMAND = """
import sys
from pi_table.cli import main
sys.exit(main(sys.argv[1:]))
"""

FAULTS = {
    "files are not synced": """
import os, stat
real = os.fsync
os.fsync = lambda fd: real(fd) if stat.S_ISDIR(os.fstat(fd).st_mode) else None
""",
    "folders are not synced": """
import os, stat
real = os.fsync
os.fsync = lambda fd: None if stat.S_ISDIR(os.fstat(fd).st_mode) else real(fd)
""",
    "renamed before it is written": """
from pathlib import Path
from pi_table.common import files
from pi_table.table.backups import finishing
def write_whole(path, chunks, mode=0o600, owner=None):
    beside = path.with_name("." + path.name)
    beside.touch(mode)
    beside.replace(path)
    with path.open("wb") as file:
        file.writelines(chunks)
        file.flush()
        files.os.fsync(file.fileno())
    files.sync_folder(path.parent)
finishing.write_whole = write_whole
""",
    "nothing decides, each file is renamed for itself": """
from pathlib import Path
from pi_table.table.backups import finishing, restore
def finish(state):
    making = state / finishing.MAKING
    if not making.exists():
        return None
    folder = finishing.folder_held
    with folder(state) as held_state, folder(Path(making.name), held_state) as held_making:
        return finishing._carry_out(state, making, held_state, held_making)
restore.READY, restore.finish = finishing.MAKING, finish
""",
    "what decides is not synced before the rest is done": """
from pi_table.table.backups import finishing
real = finishing.sync_folder
finishing.sync_folder = lambda folder: (folder / finishing.READY).exists() or real(folder)
""",
    "it is said to be done before it is": """
from pi_table.table.backups import finishing
real = finishing._carry_out
def carried_out(state, ready, *held):
    ready.rename(state / finishing.DONE)
    finishing.sync_folder(state)
    kept = real(state, state / finishing.DONE, *held)
    (state / finishing.DONE).rename(ready)
    return kept
finishing._carry_out = carried_out
""",
    "the old files are removed first": """
from pi_table.table.backups import restore
real = restore._make_ready
def make_ready(backup, places, *more):
    for file in places.state.iterdir():
        if file.is_file() and not file.name.endswith(".lock"):
            file.unlink()
    real(backup, places, *more)
restore._make_ready = make_ready
""",
}


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("recorder"))


class Scene:
    """A table, and the backup of another."""

    def __init__(self, folder: Path) -> None:
        self.table = KeptTable(folder / "table")
        self.backup = folder / "backup.tar"
        self.table.furnish("another", 3, pin=False)
        back_up(self.backup, self.table.config, self.table.config_file, WALL)
        self.new = self.table.standing()
        shutil.rmtree(self.table.root)
        self.table.furnish("this", 2)
        self.table.pull_the_plug("this")
        self.old = self.table.standing()
        assert all(old != new for old, new in zip(self.old, self.new, strict=True))

    def recorded(self, recorder: Path, fault: str = "") -> tuple[Machine, list[Operation]]:
        """Restores the backup; answers with the table of before, and what the disk was asked."""
        machine = Machine(self.table.root)
        operations = record(
            recorder,
            self.table.root,
            fault + COMMAND,
            *("restore", str(self.backup), "--config", str(self.table.config_file)),
        )
        return machine, operations

    def started(self) -> Standing:
        """Return the state of the table after a start."""
        finish_before_start(self.table.config.paths.journal.parent)
        return self.table.standing()

    def fault(self) -> str | None:
        """Return the fault after a start; None if everything is old or everything is new."""
        try:
            standing = self.started()
        except (TableError, OSError) as error:
            return f"{type(error).__name__}: {error}"
        if standing not in (self.old, self.new):
            names = Standing._fields
            mixed = zip(names, standing, self.old, self.new, strict=True)
            return str([(n, "old" if s == o else "new" if s == w else s) for n, s, o, w in mixed])
        left = {each.name for each in self.table.state.iterdir()}
        if left & {MAKING, READY}:
            return f"left over: {left}"
        try:
            return self.fault_of_kept() if standing == self.new else None
        except (TableError, OSError) as error:
            return f"of what was there: {type(error).__name__}: {error}"

    def fault_of_kept(self) -> str | None:
        """Return the first loss among the files that existed before a restore; None if all are
        there."""
        folders = [*self.table.state.glob(f"{HELD_ASIDE}*")]
        if len(folders) != 1:
            return f"what was there is kept in {folders}"
        kept = folders[0]
        if games_in(kept / "state" / "journal.sqlite") != self.old.games:
            return "the journal that was there is not kept"
        if (kept / "config" / "table.toml").read_bytes() != self.old.config:
            return "the configuration that was there is not kept"
        if {f.name: f.read_bytes() for f in (kept / "packs").iterdir()} != self.old.packs:
            return "the word packs that were there are not kept"
        return None


@pytest.fixture
def scene(tmp_memory: Path) -> Scene:
    return Scene(tmp_memory)


def decision(operations: list[Operation]) -> int:
    """After which operation the restore is decided; 0 where none decides."""
    each = enumerate(operations, 1)
    return next((n for n, o in each if o.kind == "R" and o.paths[1].endswith(READY)), 0)


def round_the_decision(operations: list[Operation]) -> range:
    decided = decision(operations)
    return range(decided, decided + 4)


def faults(scene: Scene, machine: Machine, operations: list[Operation]) -> Iterator[str]:
    for where in images(machine, operations, 2, closely=round_the_decision(operations)):
        if wrong := scene.fault():
            yield f"{where}: {wrong}"


def test_a_restore_that_is_cut_leaves_the_old_table_or_the_new_one(
    scene: Scene, recorder: Path
) -> None:
    machine, operations = scene.recorded(recorder)
    assert scene.fault() is None
    assert scene.table.standing() == scene.new
    seen = []
    for where in images(machine, operations, closely=round_the_decision(operations), step=4):
        wrong = scene.fault()
        assert wrong is None, f"{where}: {wrong}"
        seen.append(scene.table.standing() == scene.new)
    assert len(operations) > 150
    assert seen[0] is False
    assert seen[-1] is True


def test_a_cut_restore_that_is_cut_again_as_it_is_finished_is_new(
    scene: Scene, recorder: Path
) -> None:
    machine, operations = scene.recorded(recorder)
    decided = decision(operations)
    for cut in (decided, len(operations) - 12):
        machine.apply(operations[machine.time : cut])
        fate = Fate(Random(cut), cut)
        fate.mood = "everything"
        machine.lay_out(fate)
        again = Machine(scene.table.root)
        finishing = record(
            recorder,
            scene.table.root,
            COMMAND,
            *("restore", "--finish", "--config", str(scene.table.config_file)),
        )
        for where in images(again, finishing, step=4):
            assert scene.fault() is None, f"cut {cut}, then {where}"
            assert scene.table.standing() == scene.new, f"cut {cut}, then {where}"


@pytest.mark.parametrize(
    "fault", parameters(FAULTS, quick=("folders are not synced", "the old files are removed first"))
)
def test_the_harness_catches_a_restore_that_may_be_cut_in_the_middle(
    scene: Scene, recorder: Path, fault: str
) -> None:
    machine, operations = scene.recorded(recorder, fault)
    assert next(faults(scene, machine, operations), None) is not None


def test_a_backup_that_is_cut_leaves_the_old_file_or_the_new_one(
    scene: Scene, recorder: Path
) -> None:
    target = scene.table.root / "kept.tar"
    shutil.copyfile(scene.backup, target)
    old = target.read_bytes()
    machine = Machine(scene.table.root)
    operations = record(
        recorder,
        scene.table.root,
        COMMAND,
        *("backup", str(target), "--replace", "--config", str(scene.table.config_file)),
    )
    new = target.read_bytes()
    assert old != new
    found = set()
    for where in images(machine, operations):
        assert target.read_bytes() in (old, new), where
        found.add(target.read_bytes())
        assert scene.table.standing() == scene.old, where
    assert found == {old, new}
    assert target.read_bytes() == new
    back_up(target, scene.table.config, scene.table.config_file, WALL, replace=True)
    assert [each.name for each in scene.table.root.iterdir() if "kept" in each.name] == ["kept.tar"]


@pytest.mark.torture
def test_no_cut_of_ten_thousand_leaves_a_table_between(scene: Scene, recorder: Path) -> None:
    machine, operations = scene.recorded(recorder)
    each = -(-10_000 // len(operations))
    for where in images(machine, operations, each, seed=1):
        wrong = scene.fault()
        assert wrong is None, f"{where}: {wrong}"
