"""All that the journal asks of the file system, in one value that a test can watch or replace."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from pi_table.store.faults import JournalInUseError

COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, and needs to understand it."""


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
        lock = lock_path.open("r+b")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise JournalInUseError(
                f"Another table is using the journal {path}. Stop that one, or give this one a "
                "journal of its own."
            ) from error
        return lock

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
        for part in (path, *companions(path)):
            with suppress(FileNotFoundError):
                if part.stat().st_mode & 0o077:
                    part.chmod(0o600)

    def connect(self, path: Path, read_only: bool) -> Connection:
        """A connection to a file that exists. It may be used by any thread, one at a time."""
        address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
        if read_only and not Path(f"{path}-wal").exists():
            # Nobody is writing, and nobody was cut off. Without this, SQLite would create the
            # companions, and leave them.
            address += "&immutable=1"
        return sqlite3.connect(
            address,
            uri=True,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
        )

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

    def unlink(self, path: Path) -> None:
        """Takes one name of a file away."""
        path.unlink()


DISK: Final = Disk()


def companions(path: Path) -> list[Path]:
    """The names of what SQLite may keep beside the database ``path``."""
    return [path.with_name(path.name + ending) for ending in COMPANIONS]
