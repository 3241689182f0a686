"""The way out of a damaged journal: put it away, whole and unchanged, and begin another."""

from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pi_table.store.disk import DISK, Disk, companions
from pi_table.store.faults import JournalMissingError, told


def set_aside(path: Path, wall: str, *, disk: Disk = DISK) -> Path:
    """Renames a journal and its companions to names that were free; returns the journal's.

    ``wall`` is the wall clock, ISO 8601: it stands in the new name. At every moment, and after a
    power cut at any, the whole journal stands under the old name, or the new one, or both.
    Raises JournalInUseError, JournalMissingError or another StorageError.
    """
    path = path.resolve()
    with told(path, "setting it aside"), disk.claim(path):
        if not path.exists():
            raise JournalMissingError(f"There is no journal at {path} to set aside.")
        target = _free_name(path, wall)
        pairs = [
            (old, new)
            for old, new in zip(
                (path, *companions(path)), (target, *companions(target)), strict=True
            )
            if old.exists()
        ]
        # The database's own name goes first, and for good: without its -wal it would be read as
        # an older journal, while a -wal without its database is only thrown away.
        with ExitStack() as undo:
            for old, new in pairs:
                disk.link(old, new)
                undo.callback(disk.unlink, new)
            disk.sync_directory(path.parent)
            undo.pop_all()
        for old, _ in pairs:
            disk.unlink(old)
            disk.sync_directory(path.parent)
    return target


def _free_name(path: Path, wall: str) -> Path:
    moment = datetime.fromisoformat(wall).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in count(1):
        again = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{path.stem}.set-aside-{moment}{again}{path.suffix}")
        if not any(part.exists() for part in (target, *companions(target))):
            return target
    raise AssertionError("the names do not end")
