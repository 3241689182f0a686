"""Cuts the power of a real command: all that it asked of the disk, and what may be left of that.

The command runs as it is, in a process of its own, with `cut_recorder.c` preloaded; SQLite's writes
are recorded like Python's. For a cut after any of its operations, images of the folder are built
from what a disk promises:

* what was synced stays; of a file, each unsynced sector of 512 bytes may be old or new;
* a name that was made, taken away or changed since its folder was synced may be so, or as before,
  each by itself and in no order;
* a rename is one act: both names, or neither. It is safe when one of its folders was synced.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "store"))
from powercut_surface import Fate, File

SOURCE: Final = Path(__file__).with_name("cut_recorder.c")
CLOSELY: Final = 24
REPOSITORY: Final = Path(__file__).parents[2]


class Operation(NamedTuple):
    """One thing that was asked of the disk."""

    kind: str
    """C made, T cut to a length, W written, S synced, D folder made, Y link made, U taken away, R
    renamed, L a second name."""
    inode: int = 0
    paths: tuple[str, ...] = ()
    offset: int = 0
    data: bytes = b""


def build(folder: Path) -> Path:
    """The recorder, to be preloaded."""
    library = folder / "cut_recorder.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", str(library), str(SOURCE)], check=True)
    return library


def record(library: Path, root: Path, program: str, *arguments: str) -> list[Operation]:
    """All that a program of Python asks of the disk below ``root``; it has to succeed."""
    log = root.with_name("operations.log")
    log.unlink(missing_ok=True)
    log.touch()
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LD_PRELOAD": str(library),
        "CUT_ROOT": str(root),
        "CUT_LOG": str(log),
    }
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return list(_operations(log.read_bytes()))


def _operations(log: bytes) -> Iterator[Operation]:
    at = 0
    while at < len(log):
        end = log.index(b"\n", at)
        kind, _, rest = log[at:end].decode().partition(" ")
        at = end + 1
        if kind == "W":
            inode, offset, length = map(int, rest.split(" "))
            yield Operation("W", inode, (), offset, log[at : at + length])
            at += length
        elif kind == "T":
            inode, size = map(int, rest.split(" "))
            yield Operation("T", inode, (), size)
        elif kind == "S":
            yield Operation("S", int(rest))
        elif kind in "CD":
            number, _, path = rest.partition(" ")
            yield Operation(kind, int(number), (path,))
        else:
            yield Operation(kind, 0, tuple(rest.split("\t")))


@dataclass
class Folder:
    """A folder: its names, as they are safe, and as programs see them."""

    safe: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)


class Change(NamedTuple):
    """Names that change at once: of which folder, which name, and what it leads to from then on."""

    time: int
    names: tuple[tuple[int, str, int | None], ...]

    @property
    def keys(self) -> set[tuple[int, str]]:
        return {(folder, name) for folder, name, _ in self.names}


class Machine:
    """A folder with all that is in it, and what of it is on the disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.nodes: list[File | Folder | str] = []
        self.inodes: dict[int, int] = {}
        self.pending: list[Change] = []
        self.time = 0
        self.top = self._taken(root)

    def apply(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            self.time += 1
            self._apply(operation)

    def lay_out(self, fate: Fate) -> None:
        """Puts what is left after a cut in the place of the folder."""
        names = {
            number: dict(node.safe)
            for number, node in enumerate(self.nodes)
            if isinstance(node, Folder)
        }
        missing: set[tuple[int, str]] = set()
        for change in self.pending:
            if change.keys & missing or not fate.arrived([change.time]):
                missing |= change.keys  # whatever follows it under these names did not arrive
                continue
            for folder, name, node in change.names:
                if node is None:
                    names[folder].pop(name, None)
                else:
                    names[folder][name] = node
        shutil.rmtree(self.root)
        self._put(self.top, self.root, names, fate)

    def _put(self, number: int, path: Path, names: dict[int, dict[str, int]], fate: Fate) -> None:
        node = self.nodes[number]
        if isinstance(node, Folder):
            path.mkdir(0o700)
            for name, inside in names[number].items():
                self._put(inside, path / name, names, fate)
        elif isinstance(node, str):
            path.symlink_to(node)
        elif not path.name.endswith("-shm"):
            path.write_bytes(node.left(fate))

    def _taken(self, path: Path) -> int:
        """Copy the disk before the command runs; all of it counts as safe."""
        node: File | Folder | str
        if path.is_symlink():
            node = os.readlink(path)
        elif path.is_dir():
            inside = {each.name: self._taken(each) for each in path.iterdir()}
            node = Folder(dict(inside), dict(inside))
        else:
            node = File()
            if data := path.read_bytes():
                node.write(0, 0, data)
            node.sync()
        return self._new(path.lstat().st_ino, node)

    def _new(self, inode: int, node: "File | Folder | str") -> int:
        self.nodes.append(node)
        self.inodes[inode] = len(self.nodes) - 1
        return len(self.nodes) - 1

    def _apply(self, operation: Operation) -> None:
        match operation.kind:
            case "C":
                self._name(operation.paths[0], self._new(operation.inode, File()))
            case "D":
                self._name(operation.paths[0], self._new(operation.inode, Folder()))
            case "Y":
                path, leads_to = operation.paths
                self.nodes.append(leads_to)
                self._name(path, len(self.nodes) - 1)
            case "U":
                folder, name = self._place(operation.paths[0])
                self._change((folder, name, None))
            case "R":
                old, new = map(self._place, operation.paths)
                if old != new:
                    self._change((*old, None), (*new, self._folder(old[0]).seen[old[1]]))
            case "L":
                old, new = map(self._place, operation.paths)
                self._change((*new, self._folder(old[0]).seen[old[1]]))
            case "S":
                self._sync(self.inodes[operation.inode])
            case "W":
                self._file(operation).write(self.time, operation.offset, operation.data)
            case "T":
                self._file(operation).truncate(self.time, operation.offset)

    def _sync(self, number: int) -> None:
        node = self.nodes[number]
        if isinstance(node, File):
            node.sync()
        wanted = {(number, name) for change in self.pending for _, name, _ in change.names}
        # What is synced is there with all that went before it under the same names.
        for change in reversed(self.pending):
            if change.keys & wanted:
                wanted |= change.keys
        for change in self.pending:
            if change.keys & wanted:
                for folder, name, inside in change.names:
                    if inside is None:
                        self._folder(folder).safe.pop(name, None)
                    else:
                        self._folder(folder).safe[name] = inside
        self.pending = [change for change in self.pending if not change.keys & wanted]

    def _change(self, *names: tuple[int, str, int | None]) -> None:
        for folder, name, node in names:
            if node is None:
                self._folder(folder).seen.pop(name, None)
            else:
                self._folder(folder).seen[name] = node
        self.pending.append(Change(self.time, names))

    def _name(self, path: str, node: int) -> None:
        folder, name = self._place(path)
        self._change((folder, name, node))

    def _place(self, path: str) -> tuple[int, str]:
        *parts, name = Path(path).relative_to(self.root).parts
        number = self.top
        for part in parts:
            number = self._folder(number).seen[part]
        return number, name

    def _folder(self, number: int) -> Folder:
        node = self.nodes[number]
        assert isinstance(node, Folder)
        return node

    def _file(self, operation: Operation) -> File:
        node = self.nodes[self.inodes[operation.inode]]
        assert isinstance(node, File)
        return node


def images(
    machine: Machine,
    operations: Sequence[Operation],
    each: int = 1,
    seed: int = 0,
    closely: range = range(0),
    step: int = 1,
) -> Iterator[str]:
    """Lays out images of a cut after each operation, or the last of ``step``; ``each`` a cut, and
    more of those that are to be looked at ``closely``; says of each image what it is."""
    for cut in range(len(operations) + 1):
        if cut % step and cut not in closely and cut < len(operations):
            continue
        machine.apply(operations[machine.time : cut])
        for image in range(CLOSELY if cut in closely else each):
            fate = Fate(Random(f"{seed}/{cut}/{image}"), cut)
            machine.lay_out(fate)
            where = operations[cut - 1] if cut else None
            yield f"cut {cut} of {len(operations)}, image {image}, {fate.mood} arrived, {where}"
