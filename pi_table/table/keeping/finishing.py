"""Finishing a restore that was decided. It may be done again and again, until it is done."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import (
    Owner,
    chunks_of,
    folder_held,
    owner_of,
    remove,
    sync_folder,
    sync_held,
    write_whole,
)
from pi_table.common.language import say, system_says
from pi_table.table.store.copy import lock_of
from pi_table.table.store.disk import DISK
from pi_table.table.store.faults import JournalInUseError, told
from pi_table.table.store.sealed_file import read_sealed

MAKING: Final = "restore-in-the-making"
READY: Final = "restore-to-be-finished"
"""The folder in the state folder with all that a restore needs. Where it is, the restore is decided
and the table does not start before it is finished."""
DONE: Final = "restore-done"
PLAN: Final = "plan.json"
NEW: Final = "new"
BEFORE: Final = "before"
MOST_OF_PLAN: Final = 1 << 20


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file that a restore puts in its place, or takes away."""

    member: str | None
    """The new file's name in the backup; None where there is to be none."""
    target: str
    """Where the file stands in the table."""
    kept_as: str
    """Where the file that stood there is kept, in the folder that keeps those."""
    mode: int = 0o600
    owner: Owner | None = None


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A restore that is decided."""

    steps: tuple[Step, ...]
    kept_in: str
    """The name that the folder with the files of before is to have, in the state folder."""


def finish(state: Path) -> Path | None:
    """Finishes a restore of the table with this state folder, if one is to be finished.

    To be called by whoever has the right to write the journal (`held`). Returns the folder that
    keeps what was there before; None where nothing was to be done, or nothing was there. Raises
    StorageError; then it is to be called again before the table is used.
    """
    ready = state / READY
    try:
        sync_folder(state)  # whoever decided, or did it, may have been killed before this
        for left in (MAKING, DONE):
            shutil.rmtree(state / left, ignore_errors=True)  # undecided, or done: nobody needs it
        if not os.path.lexists(ready):
            return None
        with folder_held(state) as held_state, folder_held(Path(READY), held_state) as held_ready:
            _refuse_another_users(ready, held_ready)
            kept = _carried_out(state, ready, held_state, held_ready)
            os.rename(READY, DONE, src_dir_fd=held_state, dst_dir_fd=held_state)
        sync_folder(state)
    except StorageError:
        raise
    except OSError as error:
        raise StorageError(
            say(
                "A restore was begun and cannot be finished ({strerror}: {filename}). See that "
                "the disk has room and can be written; then run `pi-table restore --finish` as "
                "root, with the table's --config. Until then the table does not start.",
                strerror=system_says(error),
                filename=error.filename or state,
            )
        ) from error
    shutil.rmtree(state / DONE, ignore_errors=True)
    return kept


def is_to_be_finished(state: Path) -> bool:
    """Is a restore decided, and not on the disk to its end? A power cut can bring back a folder
    that was renamed since. Where that cannot be known, the answer is yes."""
    for left in (READY, DONE):
        try:
            (state / left).lstat()
        except FileNotFoundError:
            continue
        except OSError:
            pass
        return True
    return False


def finish_before_start(state: Path) -> bool:
    """Finishes what a power cut left of a restore, before a table starts; tells whether anything
    was left. Raises StorageError."""
    if not any(os.path.lexists(state / left) for left in (READY, MAKING, DONE)):
        return False
    with suppress(FileNotFoundError):
        if os.geteuid() == 0 and (state / READY).lstat().st_uid != 0:
            return False  # the table finishes it itself, as its own user
    with held(state):
        finish(state)
    return True


def _refuse_another_users(ready: Path, held_ready: int) -> None:
    """Raises StorageError for a restore that another user has begun.

    Root finishes what root has begun: a plan that anybody else has made could have root write
    anything anywhere. And nobody else can read root's. The folder is held, for the owner of the
    state folder may give its name to another one at any time.
    """
    if os.fstat(held_ready).st_uid == os.geteuid():
        return
    do = (
        say(
            "Run `pi-table restore --finish` as root, with the table's --config; then the table "
            "starts."
        )
        if os.geteuid() != 0
        else say(
            "Start the table, which finishes it, or remove {ready} and restore again.", ready=ready
        )
    )
    raise StorageError(
        say(
            "A restore was begun by another user, and stopped before it was done ({ready}). {do}",
            ready=ready,
            do=do,
        )
    )


@contextmanager
def held(state: Path) -> Iterator[None]:
    """The right to write the journal of this state folder, which a table that runs has.

    Raises StorageError.
    """
    journal = state / "journal.sqlite"
    with ExitStack() as stack, told(journal, say("restoring a backup")):
        try:
            _make_lock(lock_of(journal), owner_of(state))
            stack.enter_context(DISK.claim(journal))
            if (place := DISK.hold_mark(journal)) is not None:
                stack.callback(place.close)
        except JournalInUseError:
            raise JournalInUseError(
                say(
                    "The table is running, and uses the journal {journal}. Stop it first (`sudo "
                    "systemctl stop pi-table-engine`), then restore. Nothing was changed.",
                    journal=journal,
                )
            ) from None
        yield


def _make_lock(lock: Path, owner: Owner) -> None:
    """Makes a lock that is the table's own, for one of root's would keep the table from starting;
    a lock that is there is left. Raises OSError."""
    if lock.exists():
        return
    another = lock.with_name(f"{lock.name}.made")
    write_whole(another, [], owner=owner)
    with suppress(FileExistsError):
        os.link(another, lock, follow_symlinks=False)
    remove(another)


def _carried_out(state: Path, ready: Path, held_state: int, held_ready: int) -> Path | None:
    """Does all that the plan says, whatever of it was done before. Raises OSError."""
    plan = _plan(ready, held_ready)
    for step in plan.steps:
        target = Path(step.target)
        if step.member is None:
            remove(target)
        else:
            new = chunks_of(Path(NEW, step.member), start=held_ready)
            write_whole(target, new, step.mode, step.owner)
    kept = state / plan.kept_in
    with suppress(FileNotFoundError), folder_held(Path(BEFORE), held_ready) as before:
        if not any(files for _, _, files, _ in os.fwalk(".", dir_fd=before)):
            return None
        _give(before, os.fstat(held_state))
        os.rename(BEFORE, plan.kept_in, src_dir_fd=held_ready, dst_dir_fd=held_state)
        sync_folder(state)
        sync_held(held_ready)
    return kept if kept.exists() else None


def _plan(ready: Path, held_ready: int) -> Plan:
    try:
        kept = read_sealed(Path(PLAN), most=MOST_OF_PLAN, start=held_ready)
        if kept is None:
            raise StorageError(say("The file {ready} is missing.", ready=ready / PLAN))
        return msgspec.json.decode(kept, type=Plan)
    except (StorageError, ValueError) as error:
        raise StorageError(
            say(
                "A restore was begun and cannot be finished. {error} Move the folder {ready} "
                "away, whole; what the table had stands in {name}/{before} in it. Then restore "
                "again.",
                error=error,
                ready=ready,
                name=ready.name,
                before=BEFORE,
            )
        ) from None


def _give(folder: int, to: os.stat_result) -> None:
    """Gives a folder that is held, and all in it, to whom another one belongs. Root alone can.

    The folder itself goes last: until then nobody else can put anything into it.
    """
    if os.geteuid() != 0:
        return
    for _, names, files, held in os.fwalk(".", topdown=False, dir_fd=folder):
        for name in (*names, *files):
            os.chown(name, to.st_uid, to.st_gid, dir_fd=held, follow_symlinks=False)
    os.chown(".", to.st_uid, to.st_gid, dir_fd=folder)
