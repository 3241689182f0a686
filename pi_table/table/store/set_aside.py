"""Rename a damaged journal, whole and unchanged, so that a new journal can have its name."""

import os
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.table.store.disk import DISK, Disk, SmallFile, companions, mark_of, parts
from pi_table.table.store.faults import JournalMissingError, resolve, storage_errors
from pi_table.table.store.mark import Mark, decode, encode, image, offset


def set_aside(path: Path, wall: str, *, disk: Disk = DISK) -> Path:
    """Rename a journal, its companions and its mark to unused names.

    Returns the journal's new name, which contains ``wall``, the wall clock as ISO 8601. If the
    database is missing, the other files are still renamed. At every moment, even after a power cut,
    the whole journal has the old name, the new name, or both. Raises JournalInUseError,
    JournalMissingError or another StorageError.
    """
    path = resolve(path, say("setting it aside"))
    with storage_errors(path, say("setting it aside")), disk.claim(path), ExitStack() as held:
        place = disk.hold_mark(path)
        if place is not None:
            held.callback(place.close)
        moment = datetime.fromisoformat(wall).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        target = free_name(path, f"set-aside-{moment}")
        pairs = [
            (old, new)
            for old, new in zip(
                (path, *companions(path)), (target, *companions(target)), strict=True
            )
            if old.exists()
        ]
        if not pairs and (place is None or _is_blank(place)):
            raise JournalMissingError(say("There is no journal at {path} to set aside.", path=path))
        # The name of the database is removed first: without its -wal, it would be read as
        # an older journal. A -wal without its database is only thrown away.
        with ExitStack() as undo:
            for old, new in pairs:
                disk.link(old, new)
                undo.callback(disk.unlink, new)
            if place is not None:
                disk.write_new(mark_of(target), place.read())
                undo.callback(disk.unlink, mark_of(target))
            disk.sync_directory(path.parent)
            undo.pop_all()
        # From here on, the old mark does not treat a missing file as a loss.
        if place is not None:
            _let_go(place)
        for old, _ in pairs:
            disk.unlink(old)
            disk.sync_directory(path.parent)
        if place is not None:
            disk.unlink(mark_of(path))
            disk.sync_directory(path.parent)
    return target


def _is_blank(place: SmallFile) -> bool:
    """True if the mark says that no game was stored, or that the journal was set aside."""
    try:
        mark = decode(place.read())
    except ValueError:
        return False
    return mark is None or not mark.game or mark.leaves


def _let_go(place: SmallFile) -> None:
    """Write into the journal's mark that the journal is being set aside. If the program is
    interrupted now, the journal is still whole, because its database exists."""
    try:
        mark = decode(place.read()) or Mark()
    except ValueError:
        place.write(image(Mark(serial=1, leaves=True)))  # its contents cannot be read
        return
    leaving = replace(mark, serial=mark.serial + 1, leaves=True)
    place.write(encode(leaving), offset(leaving))


def free_name(path: Path, what: str) -> Path:
    """Return an unused path beside the journal ``path``. Its name contains ``what``, which says why
    the file is there."""
    for number in count(1):
        again = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{path.stem}.{what}{again}{path.suffix}")
        if not any(os.path.lexists(part) for part in parts(target)):
            return target
    raise AssertionError("the names do not end")
