"""Plays games into a real journal and writes down everything that this asks of the disk."""

import itertools
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

import apsw
from powercut_surface import (
    Asked,
    Fate,
    Name,
    Operation,
    Promised,
    State,
    Surface,
    Sync,
    SyncNames,
    Truncate,
    Write,
)

from pi_table.store.disk import Connection, Disk
from pi_table.store.entries import Entry, StoredEntry
from pi_table.store.journal import Journal

DATABASE = "journal.sqlite"


class Recorder(apsw.VFS):
    """SQLite's own VFS, with every change of a file or a name written down.

    As in the unix VFS, the first sync of a rollback journal or -wal it has opened syncs the
    directory too, and so does a deletion that asks for it; not so without ``names_synced``.
    """

    _serial = itertools.count()

    def __init__(self, operations: list[Operation], *, names_synced: bool) -> None:
        self.vfs_name = f"recorder-{next(self._serial)}"
        super().__init__(self.vfs_name, base="")
        self.names_synced = names_synced
        self.operations = operations
        surface = Surface(operations)
        self.names = surface.seen_names()
        self._numbers = itertools.count(len(surface.files))

    def file(self, name: str) -> int:
        """The file of that name, made if there is none."""
        file = self.names.get(name)
        return self.rename(name, next(self._numbers)) if file is None else file

    def rename(self, name: str, file: int | None) -> int | None:
        self.operations.append(Name(name, file))
        self.names[name] = file
        return file

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if name is None:
            return apsw.VFSFile("", name, flags)  # temporary
        journals = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL
        creates = bool(flags[0] & journals and flags[0] & apsw.SQLITE_OPEN_CREATE)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        file = self.file(Path(path).name)
        return RecordedFile(self.operations, file, creates and self.names_synced, name, flags)

    def xDelete(self, path: str, sync_names: bool) -> None:  # noqa: N802
        super().xDelete(path, sync_names)
        self.rename(Path(path).name, None)
        if sync_names and self.names_synced:
            self.operations.append(SyncNames())


class RecordedFile(apsw.VFSFile):
    """A file of SQLite's own VFS whose changes are written down."""

    def __init__(
        self,
        operations: list[Operation],
        file: int,
        sync_names: bool,
        name: str | apsw.URIFilename,
        flags: list[int],
    ) -> None:
        super().__init__("", name, flags)
        self.operations = operations
        self.file = file
        self.sync_names = sync_names

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self.operations.append(Write(self.file, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        super().xTruncate(size)
        self.operations.append(Truncate(self.file, size))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.operations.append(Sync(self.file))  # the real file may stay where it is: in memory
        if self.sync_names:
            self.operations.append(SyncNames())
            self.sync_names = False


@dataclass(frozen=True)
class Faults:
    """How a recorded journal is let down, to prove that the harness sees it."""

    settings: tuple[tuple[str, str], ...] = ()
    """Settings that SQLite makes in place of those it is asked for, while it says it made them."""
    unsynced: frozenset[str] = frozenset()
    """Whose syncs of the directory are lost: those of ``sqlite``, of the ``journal``, or both."""


class DeafConnection(apsw.Connection):
    """A connection that says yes to some settings, and makes others."""

    def __init__(self, path: Path, vfs: str, settings: dict[str, str]) -> None:
        super().__init__(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
        self.settings = settings
        self.asked: dict[str, str | int] = {}

    def execute(self, sql: str, *parameters: tuple[object, ...]) -> apsw.Cursor:
        setting, _, value = sql.removeprefix("PRAGMA ").partition("=")
        if setting not in self.settings:
            return super().execute(sql, *parameters)
        if value:
            self.asked[setting] = int(value) if value.isdigit() else value
            return super().execute(f"PRAGMA {setting}={self.settings[setting]}")
        return super().execute("SELECT ?", (self.asked[setting],))


@dataclass(frozen=True)
class UnlockedDisk(Disk):
    """A disk without the lock against a second writer, which no power cut concerns."""

    def claim(self, path: Path) -> BinaryIO:
        return open(os.devnull, "rb")


@dataclass(frozen=True)
class RecordedDisk(UnlockedDisk):
    """A disk whose changes are written down."""

    recorder: Recorder = field(kw_only=True)
    faults: Faults = Faults()
    pragmas: tuple[str, ...] = ()

    def create(self, path: Path) -> None:
        super().create(path)
        self.recorder.file(path.name)

    def connect(self, path: Path, read_only: bool) -> Connection:
        connection = DeafConnection(path, self.recorder.vfs_name, dict(self.faults.settings))
        for pragma in self.pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        return connection

    def sync_directory(self, folder: Path) -> None:
        if "journal" not in self.faults.unsynced:
            self.recorder.operations.append(SyncNames())

    def link(self, path: Path, other: Path) -> None:
        super().link(path, other)
        self.recorder.rename(other.name, self.recorder.names[path.name])

    def unlink(self, path: Path) -> None:
        super().unlink(path)
        self.recorder.rename(path.name, None)


@dataclass(frozen=True)
class Shape:
    """What kind of game a recording plays."""

    acts: int = 14
    body: tuple[int, int] = (20, 300)
    """Bytes of a body, from and to."""
    batch: int = 3
    """Events stored together, at most."""
    begin: float = 0.05
    """How likely an act is to begin another game; and so on. What is left is for appending."""
    note: float = 0.15
    reopen: float = 0.0
    die: float = 0.0
    lose_power: float = 0.0
    pragmas: tuple[str, ...] = ()
    """Settings of the recorded connection."""


SHAPES = {
    "many small appends": Shape(acts=30, begin=0, batch=1),
    "long bodies": Shape(acts=6, body=(1_000, 20_000), batch=2),
    "several games": Shape(begin=0.4),
    "reopened": Shape(reopen=0.3),
    "checkpoints": Shape(acts=24, pragmas=("wal_autocheckpoint=6",)),
    "checkpoints of long bodies": Shape(body=(10, 9_000), pragmas=("wal_autocheckpoint=3",)),
    "a small cache": Shape(acts=8, body=(1_000, 9_000), pragmas=("cache_size=3",)),
    "killed": Shape(die=0.25, pragmas=("wal_autocheckpoint=8",)),
    "power lost before": Shape(lose_power=0.25, reopen=0.1, pragmas=("wal_autocheckpoint=8",)),
}


class Recording(NamedTuple):
    """One run: what made it, all it asked of the disk, and the first place to cut it at."""

    label: str
    operations: list[Operation]
    first_cut: int


class Scribe:
    """Plays acts into a recorded journal in ``folder``, and marks what is asked and promised."""

    def __init__(
        self, folder: Path, chance: random.Random, shape: Shape, faults: Faults = Faults()
    ) -> None:
        self.folder = folder
        self.chance = chance
        self.shape = shape
        self.faults = faults
        self.clock = itertools.count()
        self.state = State()
        self.first_cut = 0
        self._start_up([], {})

    def open(self) -> None:
        """Opens the journal, which must hold what it may; what it shows is then promised."""
        self.journal = Journal.open(self.folder / DATABASE, disk=self.disk)
        state = content(self.journal)
        assert self.faults != Faults() or state in Surface(self.operations).allowed
        self._promise(state)

    def close(self) -> None:
        self.journal.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def begin(self) -> None:
        entries, wall = self._entries()
        self._ask(State((*self.state.games, stored(entries, wall)), entries[-1].at))
        self.journal.begin(entries, wall)
        self._promise(self.asked)

    def append(self) -> None:
        entries, wall = self._entries()
        *others, game = self.state.games
        self._ask(State((*others, game + stored(entries, wall)), entries[-1].at))
        self.journal.append(len(self.state.games), entries, wall)
        self._promise(self.asked)

    def note_time(self) -> None:
        at = float(next(self.clock))
        self._ask(State(self.state.games, at))
        self.journal.note_time(len(self.state.games), at)
        self._promise(self.asked)

    def die(self) -> None:
        """The process is killed somewhere in the latest act; the machine and its memory live on.

        What was not synced then is still not synced when the next process opens the journal.
        """
        surface = self._interrupt()
        self._start_up(self.operations, surface.seen())
        self.open()

    def lose_power(self) -> None:
        """The power is cut somewhere in the latest act. What that leaves is safe from then on."""
        surface = self._interrupt()
        files = surface.left(Fate(self.chance, surface.time))
        operations: list[Operation] = [Promised(surface.allowed[0]), Asked(surface.allowed[-1])]
        for file, (name, data) in enumerate(files.items()):
            operations += [Name(name, file), Write(file, 0, data), Sync(file)]
        self._start_up([*operations, SyncNames()], files)
        self.first_cut = len(self.operations)
        self.open()

    def _start_up(self, operations: list[Operation], files: dict[str, bytes]) -> None:
        """A process starts on these files, which these operations have made."""
        lay_out(self.folder, files)
        self.operations = operations
        synced = "sqlite" not in self.faults.unsynced
        self.recorder = Recorder(operations, names_synced=synced)
        self.disk = RecordedDisk(
            recorder=self.recorder, faults=self.faults, pragmas=self.shape.pragmas
        )

    def _interrupt(self) -> Surface:
        """Takes back what followed a moment in the latest act."""
        self.close()
        latest = max(i for i, operation in enumerate(self.operations) if type(operation) is Asked)
        first = max(latest + 1, self.first_cut)
        del self.operations[self.chance.randint(first, len(self.operations)) :]
        return Surface(self.operations)

    def _entries(self) -> tuple[list[Entry], str]:
        entries = [
            Entry(
                float(next(self.clock)),
                self.chance.randbytes(self.chance.randint(*self.shape.body)),
            )
            for _ in range(self.chance.randint(1, self.shape.batch))
        ]
        return entries, f"2026-11-21T08:15:{next(self.clock) % 60:02}Z"

    def _ask(self, state: State) -> None:
        self.asked = state
        self.operations.append(Asked(state))

    def _promise(self, state: State) -> None:
        self.state = state
        self.operations.append(Promised(state))


def record(folder: Path, name: str, seed: int, faults: Faults = Faults()) -> Recording:
    """Plays one run of a shape; the same seed plays the same."""
    shape = SHAPES[name]
    chance = random.Random(f"{name}/{seed}")
    scribe = Scribe(folder, chance, shape, faults)
    likely: dict[Callable[[], None], float] = {
        scribe.begin: shape.begin,
        scribe.note_time: shape.note,
        scribe.reopen: shape.reopen,
        scribe.die: shape.die,
        scribe.lose_power: shape.lose_power,
    }
    likely[scribe.append] = 1 - sum(likely.values())
    scribe.open()
    scribe.begin()
    for act in chance.choices(list(likely), list(likely.values()), k=shape.acts):
        act()
        if not scribe.state.games:  # a cut took the only one, which was still to be promised
            scribe.begin()
    scribe.close()
    return Recording(f"{name!r}, seed {seed}", scribe.operations, scribe.first_cut)


def stored(entries: Sequence[Entry], wall: str) -> tuple[StoredEntry, ...]:
    """The entries as the journal gives them back."""
    return tuple(StoredEntry(entry.at, entry.body, wall) for entry in entries)


def content(journal: Journal) -> State:
    """All that a journal holds, verified."""
    games = [journal.read(line.number) for line in journal.games()]
    return State(tuple(game.entries for game in games), games[-1].noted_at if games else None)


def lay_out(folder: Path, files: dict[str, bytes]) -> None:
    """Puts these files into a folder, and no others."""
    for name in os.listdir(folder):
        os.unlink(folder / name)
    for name, data in files.items():
        with open(folder / name, "wb", buffering=0) as file:
            file.write(data)
