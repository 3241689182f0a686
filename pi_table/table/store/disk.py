"""All file system calls of the journal, in one class that a test can watch or replace."""

import errno
import fcntl
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from pi_table.common.files import open_file
from pi_table.common.language import say
from pi_table.table.store.faults import JournalInUseError
from pi_table.table.store.mark import MARK_BYTES

COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""Filename suffixes of the files that SQLite keeps beside a database. SQLite needs these files to
read the database."""
MARK: Final = ".mark"
"""Filename suffix of the mark, the file that holds the latest act of the journal beside it."""

STEPS_AT_A_TIME: Final = 10_000
"""Steps of SQLite's virtual machine between two calls of the progress handler."""
MAX_STEPS: Final = 10_000_000
"""Maximum number of steps of SQLite's virtual machine for one statement. Each byte of the database
adds one step to this limit. Verifying a journal takes only a tenth of a step for each byte."""
MAX_VALUE_BYTES: Final = 16 << 20
"""Maximum number of bytes of a value or row that is read. The longest event has some kilobytes."""


class Rows(Protocol):
    def __iter__(self) -> Iterator[Any]: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """A database connection, with only the methods that the journal calls. The connection starts no
    transaction by itself."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Rows: ...
    def close(self) -> None: ...


class _BoundedConnection(sqlite3.Connection):
    """A connection to a file that anybody may have made.

    Each statement does a limited amount of work, and no SQL inside the file is run. SQLite's
    defensive mode prevents statements from writing the file's internal structures. Python 3.11
    cannot turn that mode on; there it is enough that none of our own statements writes these
    structures.
    """

    def limit_steps(self, steps: int) -> None:
        """Limit every statement to ``steps`` steps of SQLite's virtual machine."""
        self._most = self._left = steps // STEPS_AT_A_TIME
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        for statement in ("PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON"):
            super().execute(statement).fetchall()
        if sys.version_info >= (3, 12):
            self.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
        self.set_progress_handler(self._count, STEPS_AT_A_TIME)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self._left = self._most
        return super().execute(sql, parameters)

    def _count(self) -> bool:
        """Count the steps of the statement. The result True ends the statement."""
        self._left -= 1
        return self._left < 0


class FileState(NamedTuple):
    """The identity of a file (device and inode) and its size in bytes."""

    device: int
    inode: int
    size: int

    def is_followed_by(self, other: "FileState | None") -> bool:
        """True if ``other`` can be a later state of this file: the same file, and not shorter."""
        if other is None:
            return False
        return self[:2] == other[:2] and self.size <= other.size


class SmallFile(Protocol):
    """A small file that is read whole and written in place."""

    def read(self) -> bytes: ...
    def write(self, data: bytes, offset: int = 0) -> None:
        """Overwrite the bytes from ``offset`` on. The new bytes are on the disk when this
        returns."""

    def close(self) -> None: ...


class OpenSmallFile:
    """A small file on the machine's own file system, kept open by its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self) -> bytes:
        return os.pread(self._descriptor, MARK_BYTES, 0)

    def write(self, data: bytes, offset: int = 0) -> None:
        if os.pwrite(self._descriptor, data, offset) != len(data):
            raise OSError(errno.EIO, say("Only a part was written"))
        os.fdatasync(self._descriptor)
        # If ext4 became read-only while the file was open, it accepts the bytes and syncs nothing,
        # without an error.
        if os.fstatvfs(self._descriptor).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def close(self) -> None:
        os.close(self._descriptor)


@dataclass(frozen=True)
class Disk:
    """The machine's own file system. Errors of the system and of SQLite (OSError, sqlite3.Error)
    reach the caller unchanged."""

    patience: float = 1.0
    """Timeout in seconds for a lock that another program holds on the database."""

    def claim(self, path: Path) -> BinaryIO:
        """Make the caller the only writer of ``path`` until the returned lock is closed. If the
        folder is missing, create it, but not its parents. Raises JournalInUseError."""
        with suppress(FileExistsError):
            path.parent.mkdir()
            path.parent.chmod(0o700)
            self.sync_directory(path.parent.parent)
        self.create(lock_of(path))
        return open(_open_locked(lock_of(path), path), "r+b")

    def hold_mark(self, path: Path) -> SmallFile | None:
        """Open and lock the mark beside the journal ``path``; return None if there is no mark.
        Closing the mark unlocks it.

        The holder of the mark is the only writer, even if somebody has removed the lock file that
        `claim` made. Raises JournalInUseError.
        """
        try:
            return OpenSmallFile(_open_locked(mark_of(path), path))
        except FileNotFoundError:
            return None

    def read_mark(self, path: Path) -> bytes:
        """Return the bytes of the mark beside the journal ``path``; empty if there is no mark."""
        try:
            with open(open_file(mark_of(path)), "rb") as file:
                return file.read(MARK_BYTES)
        except FileNotFoundError:
            return b""

    def file_state(self, path: Path) -> FileState | None:
        """Return the identity and size of the file with this name; None if it is missing."""
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return FileState(found.st_dev, found.st_ino, found.st_size)

    def size(self, path: Path) -> int:
        """Return the size of a file in bytes; 0 if there is no such file."""
        try:
            return os.stat(path).st_size
        except FileNotFoundError:
            return 0

    def create(self, path: Path) -> None:
        """Create an empty file that only its owner can use, whatever the umask is. A file that
        exists is kept."""
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            try:
                os.fchmod(descriptor, 0o600)
            finally:
                os.close(descriptor)

    def keep_private(self, path: Path) -> None:
        """Remove all rights that other users have to the files of the journal ``path``. Restored
        files may have such rights."""
        for part in parts(path):
            with suppress(FileNotFoundError):
                descriptor = open_file(part)
                try:
                    if os.fstat(descriptor).st_mode & 0o077:
                        os.fchmod(descriptor, 0o600)
                finally:
                    os.close(descriptor)

    def connect(self, path: Path, read_only: bool) -> Connection:
        """Return a connection to the existing database ``path``. Only one thread at a time may use
        the connection."""
        address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
        if read_only and not Path(f"{path}-wal").exists():
            # No writer is running, and none was interrupted. Without this option, SQLite would
            # create the companions and leave them.
            address += "&immutable=1"
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
            factory=_BoundedConnection,
        )
        connection.limit_steps(MAX_STEPS + self.size(path))
        return connection

    def sync(self, path: Path) -> None:
        _sync(path)

    def sync_directory(self, folder: Path) -> None:
        """Make the names in a folder durable. A file's own sync does not make its name durable."""
        _sync(folder, os.O_DIRECTORY)

    def link(self, path: Path, other: Path) -> None:
        """Give a file a second name. Raises FileExistsError if that name is taken."""
        os.link(path, other)

    def write_new(self, path: Path, data: bytes) -> None:
        """Create a file with these bytes, and sync it. Only the owner of the file can use it."""
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            with closing(OpenSmallFile(descriptor)) as place:
                place.write(data)
        except BaseException:
            with suppress(OSError):
                self.unlink(path)  # leave no partial file
            raise

    def replace(self, path: Path, other: Path) -> None:
        """Rename the file ``path`` to ``other``, replacing any file there. At each moment the name
        ``other`` belongs to one whole file: the old or the new."""
        path.replace(other)

    def unlink(self, path: Path) -> None:
        path.unlink()


DISK: Final = Disk()


def companions(path: Path) -> list[Path]:
    """Return the names of the files that SQLite may keep beside the database ``path``."""
    return [path.with_name(path.name + ending) for ending in COMPANIONS]


def mark_of(path: Path) -> Path:
    return path.with_name(path.name + MARK)


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def parts(path: Path) -> list[Path]:
    """Return the names of all files that a journal may consist of. The database comes first."""
    return [path, *companions(path), mark_of(path)]


def _open_locked(part: Path, journal: Path) -> int:
    """Open and lock a file of a journal. Raises JournalInUseError if another process has locked the
    file."""
    descriptor = open_file(part, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        os.close(descriptor)
        if not isinstance(error, BlockingIOError):
            raise
        raise JournalInUseError(
            say(
                "Another table is using the journal {path}. Stop that one, or give this one a "
                "journal of its own.",
                path=journal,
            )
        ) from error
    return descriptor


def _sync(path: Path, flags: int = 0) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
