"""Copy a journal as it is at one moment, even while a game is being played."""

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from pi_table.common.language import say
from pi_table.table.store.disk import DISK, Disk, companions, lock_of, mark_of
from pi_table.table.store.faults import JournalDamagedError, resolve, storage_errors
from pi_table.table.store.journal import Journal

MAX_TRIES: Final = 3
"""Maximum number of attempts to copy. An attempt fails if a table starts, or sets its journal
aside, during the copy."""


def copy_journal(path: Path, target: Path, *, disk: Disk = DISK) -> tuple[int, int]:
    """Copy the journal at ``path`` to ``target``, which must not exist, and verify the copy.

    The copy, a database and its mark, contains every act that was acknowledged before the call.
    Returns the number of the copy's latest game and the number of events in that game; both are 0
    before the first game. Changes nothing at ``path``. Raises JournalMissingError or another
    StorageError, and then leaves no copy.
    """
    path = resolve(path, say("copying it"))
    for tries_left in reversed(range(MAX_TRIES)):
        mark = disk.read_mark(path)  # read before the tables, which may only be newer
        try:
            return _copy(path, target, mark, disk)
        except BaseException as error:
            for part in (mark_of(target), target, *companions(target), lock_of(target)):
                with suppress(OSError):
                    disk.unlink(part)
            began_anew = isinstance(error, JournalDamagedError) and disk.read_mark(path) != mark
            if not (began_anew and tries_left):
                raise
    raise AssertionError("the last try returns or raises")


def _copy(path: Path, target: Path, mark: bytes, disk: Disk) -> tuple[int, int]:
    Journal.open_to_read(path, disk=disk).close()  # raises an error if this is not our journal
    with storage_errors(path, say("copying it")):
        disk.create(target)
        with closing(disk.connect(path, read_only=True)) as source:
            source.execute("VACUUM INTO ?", (str(target),)).fetchall()
        if mark:
            disk.write_new(mark_of(target), mark)
    try:
        # Opening enters the act that only the mark has, and checks the copy against the mark.
        with closing(Journal.open(target, disk=disk)) as copy:
            copy.check()
            latest = copy.latest()
    except JournalDamagedError as damage:
        raise JournalDamagedError(path, damage.finding) from None
    disk.unlink(lock_of(target))
    return (latest.number, len(latest.entries)) if latest else (0, 0)
