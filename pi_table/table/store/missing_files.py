"""Finds out whether files were taken away from a running table, and rescues a database that is
still open."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from pi_table.common.errors import StorageError
from pi_table.table.store.contents import Contents
from pi_table.table.store.disk import Connection, Disk, FileState, companions, mark_of
from pi_table.table.store.mark import Mark, image
from pi_table.table.store.set_aside import free_name


class OpenFiles:
    """The files that an open journal uses. The lock file is not among them; `Disk.hold_mark`
    explains why."""

    def __init__(self, path: Path, disk: Disk) -> None:
        """Record the existing files of the journal ``path``. Raises OSError."""
        self._disk = disk
        self._stood: dict[Path, FileState] = {}
        wal, shm, _ = companions(path)
        for name in (path, wal, shm, mark_of(path)):
            if (stands := disk.file_state(name)) is not None:
                self._stood[name] = stands

    def missing(self) -> Path | None:
        """Return a file that was removed, moved, replaced or cut short since the last call. Return
        None if all files are in place. Raises OSError."""
        for name, stood in self._stood.items():
            stands = self._disk.file_state(name)
            if stands == stood:
                continue
            if stands is None or not stood.is_followed_by(stands):
                return name
            self._stood[name] = stands
        return None


def rescue(path: Path, disk: Disk, connection: Connection, mark: Mark) -> Path | None:
    """Copy a database that is still open although its name was removed. Return the path of the
    copy.

    Return None if the copy failed. The copy is beside the journal ``path``, and ``mark`` is written
    beside the copy. Both files may be renamed to the journal's names.
    """
    target = free_name(path, "rescued")
    try:
        disk.create(target)
        connection.execute("VACUUM INTO ?", (str(target),))
        with closing(disk.connect(target, read_only=True)) as copy:
            contents = Contents(target, copy)
            if not contents.awaits_act(mark):
                contents.compare(mark)
        disk.write_new(mark_of(target), image(mark))
        disk.sync(target)
        disk.sync_directory(target.parent)
    except (StorageError, sqlite3.Error, OSError):
        for part in (mark_of(target), target):
            with suppress(OSError):
                disk.unlink(part)
        return None
    return target
