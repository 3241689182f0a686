"""All that the journal asks of the file system, in one value that a test can watch or replace."""

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
"""What SQLite keeps beside a database, and needs to understand it."""
MARK: Final = ".mark"
"""The ending of the file beside a journal that holds its latest act."""

STEPS_AT_A_TIME: Final = 10_000
"""Steps of SQLite's virtual machine after which they are counted."""
MOST_STEPS: Final = 10_000_000
"""Steps that one statement may take, and one more for each byte of the database. To verify a
journal takes a tenth of a step for each byte."""
MOST_VALUE_BYTES: Final = 16 << 20
"""Bytes of the longest value or row that is read. The longest event has some kilobytes."""


class Rows(Protocol):
    """What a statement gives: rows as tuples."""

    def __iter__(self) -> Iterator[Any]: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """The part of a database connection that the journal uses; it opens no transaction itself."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Rows: ...
    def close(self) -> None: ...


class _BoundedConnection(sqlite3.Connection):
    """A connection to a file that anybody may have made: each statement does bounded work, and
    nothing that stands in the file itself is run.

    In SQLite's defensive mode no statement can write the file's own structures. Python 3.11 cannot
    turn it on; all statements are ours, and none does.
    """

    def bound(self, steps: int) -> None:
        """Let no statement take more than ``steps`` steps of SQLite's virtual machine."""
        self._most = self._left = steps // STEPS_AT_A_TIME
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)
        for statement in ("PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON"):
            super().execute(statement).fetchall()
        if sys.version_info >= (3, 12):
            self.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
        self.set_progress_handler(self._count, STEPS_AT_A_TIME)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self._left = self._most
        return super().execute(sql, parameters)

    def _count(self) -> bool:
        """Note that a statement took so many steps more; True ends it."""
        self._left -= 1
        return self._left < 0


class Standing(NamedTuple):
    """What tells one file from every other that exists, and how long it is."""

    device: int
    inode: int
    size: int

    def is_followed_by(self, other: "Standing | None") -> bool:
        """Whether the other is the same file later, which never gets shorter."""
        if other is None:
            return False
        return self[:2] == other[:2] and self.size <= other.size


class Place(Protocol):
    """A small file that is read whole, and written in place."""

    def read(self) -> bytes: ...
    def write(self, data: bytes, offset: int = 0) -> None:
        """Puts ``data`` over what stands there; it is on the disk when this returns."""

    def close(self) -> None: ...


class OpenPlace:
    """A place on the machine's own file system, held by its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self) -> bytes:
        return os.pread(self._descriptor, MARK_BYTES, 0)

    def write(self, data: bytes, offset: int = 0) -> None:
        if os.pwrite(self._descriptor, data, offset) != len(data):
            raise OSError(errno.EIO, say("Only a part was written"))
        os.fdatasync(self._descriptor)
        # ext4 that was made read-only under an open file takes what is written, and has nothing to
        # sync: it says that all is well.
        if os.fstatvfs(self._descriptor).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def close(self) -> None:
        os.close(self._descriptor)


@dataclass(frozen=True)
class Disk:
    """The machine's own file system. Every method raises OSError or sqlite3.Error as it comes."""

    patience: float = 1.0
    """Seconds to wait for a lock that another program holds on the database."""

    def claim(self, path: Path) -> BinaryIO:
        """Makes its holder the only writer of ``path``, until closed; creates a missing folder.

        Only the last level of the folder is created. Raises JournalInUseError.
        """
        with suppress(FileExistsError):
            path.parent.mkdir()
            path.parent.chmod(0o700)
            self.sync_directory(path.parent.parent)
        lock_path = path.with_name(path.name + ".lock")
        self.create(lock_path)
        descriptor = open_file(lock_path, os.O_RDWR)
        try:
            _lock(descriptor, path)
        except BaseException:
            os.close(descriptor)
            raise
        return open(descriptor, "r+b")

    def hold_mark(self, path: Path) -> Place | None:
        """Holds the mark beside the journal ``path``, until closed; None if there is none.

        Whoever holds the mark is the only writer, even where somebody has removed the lock that
        ``claim`` made. Raises JournalInUseError.
        """
        try:
            descriptor = open_file(mark_of(path), os.O_RDWR)
        except FileNotFoundError:
            return None
        try:
            _lock(descriptor, path)
        except BaseException:
            os.close(descriptor)
            raise
        return OpenPlace(descriptor)

    def read_mark(self, path: Path) -> bytes:
        """What the mark beside the journal ``path`` holds; nothing if there is none."""
        try:
            with open(open_file(mark_of(path)), "rb") as file:
                return file.read(MARK_BYTES)
        except FileNotFoundError:
            return b""

    def standing(self, path: Path) -> Standing | None:
        """Which file has that name, and how long it is; None if there is none."""
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Standing(found.st_dev, found.st_ino, found.st_size)

    def size(self, path: Path) -> int:
        """How many bytes a file has; 0 if there is none."""
        try:
            return os.stat(path).st_size
        except FileNotFoundError:
            return 0

    def create(self, path: Path) -> None:
        """An empty file that only its owner may use, whatever the umask; leaves one that exists."""
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
            try:
                os.fchmod(descriptor, 0o600)
            finally:
                os.close(descriptor)

    def keep_private(self, path: Path) -> None:
        """Takes ``path`` and its companions from everybody but their owner (a backup may not)."""
        for part in parts(path):
            with suppress(FileNotFoundError):
                descriptor = open_file(part)
                try:
                    if os.fstat(descriptor).st_mode & 0o077:
                        os.fchmod(descriptor, 0o600)
                finally:
                    os.close(descriptor)

    def connect(self, path: Path, read_only: bool) -> Connection:
        """A connection to a file that exists. It may be used by any thread, one at a time."""
        address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
        if read_only and not Path(f"{path}-wal").exists():
            # Nobody is writing, and nobody was cut off. Without this, SQLite would create the
            # companions, and leave them.
            address += "&immutable=1"
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
            factory=_BoundedConnection,
        )
        connection.bound(MOST_STEPS + self.size(path))
        return connection

    def sync(self, path: Path) -> None:
        """Makes the bytes of a file durable."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def sync_directory(self, folder: Path) -> None:
        """Makes the names in a folder durable: a file's own sync does not cover its name."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def link(self, path: Path, other: Path) -> None:
        """A second name for a file; never in the place of another (FileExistsError)."""
        os.link(path, other)

    def write_new(self, path: Path, data: bytes) -> None:
        """A new file, for its owner alone, that holds this; its bytes are synced."""
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            with closing(OpenPlace(descriptor)) as place:
                place.write(data)
        except BaseException:
            with suppress(OSError):
                self.unlink(path)  # half a file is none
            raise

    def replace(self, path: Path, other: Path) -> None:
        """Gives a file another name, in the place of a file that may have had it: never is there
        none of that name, nor a part of one."""
        path.replace(other)

    def unlink(self, path: Path) -> None:
        """Takes one name of a file away."""
        path.unlink()


DISK: Final = Disk()


def companions(path: Path) -> list[Path]:
    """The names of what SQLite may keep beside the database ``path``."""
    return [path.with_name(path.name + ending) for ending in COMPANIONS]


def mark_of(path: Path) -> Path:
    """The name of the mark beside the journal ``path``."""
    return path.with_name(path.name + MARK)


def parts(path: Path) -> list[Path]:
    """The names of everything that a journal may consist of: the database is the first."""
    return [path, *companions(path), mark_of(path)]


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalInUseError(
            say(
                "Another table is using the journal {path}. Stop that one, or give this one a "
                "journal of its own.",
                path=path,
            )
        ) from error
