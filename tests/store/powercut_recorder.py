"""Writes down everything that a journal asks of the disk."""

import errno
import itertools
import math
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import apsw
from listening import Listening
from powercut_surface import Name, Operation, Surface, Sync, SyncNames, Truncate, Write

from pi_table.table.store.disk import Connection, Disk, Rows, SmallFile, mark_of
from pi_table.table.store.faults import JournalFailingError, JournalFullError
from pi_table.table.store.schema import CHECKPOINT_PAGES

CHECKPOINTS = f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}"


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
        self.until_trouble: float = math.inf
        surface = Surface(operations)
        self.names = surface.seen_names()
        self._numbers = itertools.count(len(surface.files))

    def file(self, name: str) -> int:
        """The file of that name, made if there is none."""
        file = self.names.get(name)
        if file is None:
            file = next(self._numbers)
            self.rename(name, file)
        return file

    def rename(self, name: str, file: int | None) -> None:
        """From now on the name stands for this file, or for none."""
        self.operations.append(Name(name, file))
        self.names[name] = file

    def suffer(self, trouble: type[apsw.Error]) -> None:
        """Raises that trouble when ``until_trouble`` writes and syncs have passed."""
        self.until_trouble -= 1
        if self.until_trouble < 0:
            raise trouble("as the test wants it")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if name is None:
            return apsw.VFSFile("", name, flags)  # temporary
        journals = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL
        creates = bool(flags[0] & journals and flags[0] & apsw.SQLITE_OPEN_CREATE)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        file = self.file(Path(path).name)
        return RecordedFile(self, file, creates and self.names_synced, name, flags)

    def xDelete(self, path: str, sync_names: bool) -> None:  # noqa: N802
        super().xDelete(path, sync_names)
        self.rename(Path(path).name, None)
        if sync_names and self.names_synced:
            self.operations.append(SyncNames())


class RecordedFile(apsw.VFSFile):
    """A file of SQLite's own VFS whose changes are written down."""

    def __init__(
        self,
        recorder: Recorder,
        file: int,
        sync_names: bool,
        name: str | apsw.URIFilename,
        flags: list[int],
    ) -> None:
        super().__init__("", name, flags)
        self.recorder = recorder
        self.operations = recorder.operations
        self.file = file
        self.sync_names = sync_names

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.recorder.suffer(apsw.FullError)
        super().xWrite(data, offset)
        self.operations.append(Write(self.file, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        super().xTruncate(size)
        self.operations.append(Truncate(self.file, size))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.recorder.suffer(apsw.IOError)
        self.operations.append(Sync(self.file))  # the real file may stay where it is: in memory
        if self.sync_names:
            self.operations.append(SyncNames())
            self.sync_names = False


class Telling(Listening):
    """A connection whose troubles are told as the journal tells those of the machine's SQLite."""

    def execute(self, sql: str, *parameters: tuple[object, ...]) -> Rows:
        try:
            return super().execute(sql, *parameters)
        except apsw.FullError as error:
            raise JournalFullError(str(error)) from error
        except apsw.IOError as error:
            raise JournalFailingError(str(error)) from error


class RecordedPlace:
    """A mark whose writes are written down. It fails where the recorder is to fail."""

    def __init__(self, recorder: Recorder, name: str, place: SmallFile, *, synced: bool) -> None:
        self.recorder = recorder
        self.place = place
        self.file = recorder.file(name)
        self.synced = synced

    def read(self) -> bytes:
        return self.place.read()

    def write(self, data: bytes, offset: int = 0) -> None:
        self._suffer()
        self.place.write(data, offset)
        self.recorder.operations.append(Write(self.file, offset, data))
        self._suffer()
        if self.synced:
            self.recorder.operations.append(Sync(self.file))

    def close(self) -> None:
        self.place.close()

    def _suffer(self) -> None:
        try:
            self.recorder.suffer(apsw.IOError)
        except apsw.IOError as trouble:
            raise OSError(errno.EIO, str(trouble)) from None


@dataclass(frozen=True)
class Flaw:
    """Weaknesses of a recorded journal, to prove that the harness sees them."""

    swaps: tuple[tuple[str, str], ...] = ()
    """Statements of the journal, and what SQLite is given in their place."""
    unsynced: frozenset[str] = frozenset()
    """Owners whose syncs of the directory are lost: ``sqlite``, ``journal``, or both."""
    mark_synced: bool = True
    opening_synced: bool = True
    """True if the journal's opening syncs the data of a killed process."""


NO_FLAW = Flaw()


@dataclass(frozen=True)
class BareDisk(Disk):
    """A disk without locks and permissions: no power cut concerns them, and they take time."""

    def claim(self, path: Path) -> BinaryIO:
        return BytesIO()

    def keep_private(self, path: Path) -> None:
        pass


@dataclass(frozen=True)
class RecordedDisk(BareDisk):
    """A disk whose changes are written down."""

    recorder: Recorder = field(kw_only=True)
    flaw: Flaw = NO_FLAW
    pragmas: tuple[str, ...] = ()

    def create(self, path: Path) -> None:
        super().create(path)
        self.recorder.file(path.name)

    def connect(self, path: Path, read_only: bool) -> Connection:
        if read_only:
            return super().connect(path, read_only)  # it changes nothing
        connection = apsw.Connection(
            str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=self.recorder.vfs_name
        )
        for pragma in self.pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        own = [(CHECKPOINTS, f"PRAGMA {p}") for p in self.pragmas if p.startswith("wal_auto")]
        swaps = dict([*own, *self.flaw.swaps])
        return Telling(connection, lambda sql: swaps.get(sql, sql))

    def hold_mark(self, path: Path) -> SmallFile | None:
        place = super().hold_mark(path)
        if place is None:
            return None
        synced = self.flaw.mark_synced
        return RecordedPlace(self.recorder, mark_of(path).name, place, synced=synced)

    def sync(self, path: Path) -> None:
        super().sync(path)
        if self.flaw.opening_synced:
            self.recorder.operations.append(Sync(self.recorder.file(path.name)))

    def sync_directory(self, folder: Path) -> None:
        if "journal" not in self.flaw.unsynced:
            self.recorder.operations.append(SyncNames())

    def link(self, path: Path, other: Path) -> None:
        super().link(path, other)
        self.recorder.rename(other.name, self.recorder.names[path.name])

    def write_new(self, path: Path, data: bytes) -> None:
        super().write_new(path, data)
        file = self.recorder.file(path.name)
        self.recorder.operations += [Write(file, 0, data), Sync(file)]

    def unlink(self, path: Path) -> None:
        super().unlink(path)
        self.recorder.rename(path.name, None)
