"""A copy of a journal as it stands at one moment, made while a table may be playing."""

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from pi_table.common.language import say
from pi_table.table.store.disk import DISK, Disk, companions, mark_of
from pi_table.table.store.faults import JournalDamagedError, resolved, told
from pi_table.table.store.journal import Journal

TRIES: Final = 3
"""How often a copy is begun, where a table was started or set its journal aside in the middle."""


def copy_journal(path: Path, target: Path, *, disk: Disk = DISK) -> tuple[int, int]:
    """Copies the journal at ``path``, verified, to a file ``target`` that there is not yet.

    The copy is a database with its mark and nothing else; every act that was acknowledged before
    is in it. Returns the number of its latest game and how many events that has, both 0 before the
    first. Changes nothing at ``path``. Raises JournalMissingError or another StorageError; then
    there is no copy.
    """
    path = resolved(path, say("copying it"))
    for tries_left in reversed(range(TRIES)):
        mark = disk.read_mark(path)  # before the tables, which may be further by then
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


def lock_of(path: Path) -> Path:
    """The name of the lock beside the journal ``path``."""
    return path.with_name(path.name + ".lock")


def _copy(path: Path, target: Path, mark: bytes, disk: Disk) -> tuple[int, int]:
    Journal.open_to_read(path, disk=disk).close()  # it tells what is no journal, or none of ours
    with told(path, say("copying it")):
        disk.create(target)
        with closing(disk.connect(path, read_only=True)) as source:
            source.execute("VACUUM INTO ?", (str(target),)).fetchall()
        if mark:
            disk.write_new(mark_of(target), mark)
    try:
        # This enters the act that only the mark has, and holds the copy to what was acknowledged.
        with closing(Journal.open(target, disk=disk)) as copy:
            copy.check()
            latest = copy.latest()
    except JournalDamagedError as damage:
        raise JournalDamagedError(path, damage.finding) from None
    disk.unlink(lock_of(target))
    return (latest.number, len(latest.entries)) if latest else (0, 0)
