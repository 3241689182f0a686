"""The last part of a restore. It begins when the restore is decided (see `READY`), and may be
repeated until it succeeds."""

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
from pi_table.table.store.disk import DISK, lock_of
from pi_table.table.store.faults import JournalInUseError, storage_errors
from pi_table.table.store.sealed_file import read_sealed

MAKING: Final = "restore-in-the-making"
READY: Final = "restore-to-be-finished"
"""Name of a folder in the state folder. It contains everything that a restore needs. While this
folder exists, the restore is decided: it cannot be cancelled, and must be finished before the table
starts."""
DONE: Final = "restore-done"
PLAN: Final = "plan.json"
NEW: Final = "new"
BEFORE: Final = "before"
MAX_PLAN_BYTES: Final = 1 << 20


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file that a restore writes or removes."""

    member: str | None
    """The new file's name in the backup; None if the file is to be removed."""
    target: str
    """Path of the file on the table."""
    kept_as: str
    """Path of the copy of the replaced file, relative to `Plan.kept_in`."""
    mode: int = 0o600
    owner: Owner | None = None


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The files that a decided restore writes and removes."""

    steps: tuple[Step, ...]
    kept_in: str
    """Folder for the replaced files, relative to the state folder."""


def finish(state: Path) -> Path | None:
    """Finish the restore that was decided in this state folder (`READY`), if there is one.

    The caller must be the journal's only writer (`hold_journal`). Returns the folder with the
    replaced files; None if there was no restore, or if the restore replaced no file. Raises
    StorageError; then call this function again before the table is used.
    """
    ready = state / READY
    try:
        sync_folder(state)  # the process that decided may have been killed before its sync
        for left in (MAKING, DONE):
            shutil.rmtree(state / left, ignore_errors=True)  # not decided, or already done
        if not os.path.lexists(ready):
            return None
        with folder_held(state) as held_state, folder_held(Path(READY), held_state) as held_ready:
            _refuse_another_users(ready, held_ready)
            kept = _carry_out(state, ready, held_state, held_ready)
            os.rename(READY, DONE, src_dir_fd=held_state, dst_dir_fd=held_state)
        sync_folder(state)
    except StorageError:
        raise
    except OSError as error:
        raise StorageError(
            say(
                "A restore was begun and cannot be finished ({strerror}: {filename}). Check that "
                "the disk has room and can be written; then run `pi-table restore --finish` as "
                "root, with the table's --config. Until then the table does not start.",
                strerror=system_says(error),
                filename=error.filename or state,
            )
        ) from error
    shutil.rmtree(state / DONE, ignore_errors=True)
    return kept


def is_to_be_finished(state: Path) -> bool:
    """True if a restore was decided and is perhaps not yet completely on the disk. This is also
    True while a folder `DONE` exists, because a power cut can undo its rename from `READY`."""
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
    """Finish a restore that a power cut interrupted, before a table starts. Raises StorageError.

    Returns False if there was nothing to finish. Also returns False if root runs this but another
    user began the restore: the table then finishes the restore as that user.
    """
    if not any(os.path.lexists(state / left) for left in (READY, MAKING, DONE)):
        return False
    with suppress(FileNotFoundError):
        if os.geteuid() == 0 and (state / READY).lstat().st_uid != 0:
            return False  # the table will finish it as its own user
    with hold_journal(state):
        finish(state)
    return True


def _refuse_another_users(ready: Path, held_ready: int) -> None:
    """Raise StorageError for a restore that another user has begun.

    Root finishes only root's own restore, because another user's plan could make root write any
    file. No other user can read root's plan. ``held_ready`` is the open folder: the owner of the
    state folder could put another folder at the path ``ready`` at any time.
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
def hold_journal(state: Path) -> Iterator[None]:
    """Context manager that makes the caller the only writer of the journal in this state folder.
    Raises StorageError, for example while the table runs."""
    journal = state / "journal.sqlite"
    with ExitStack() as stack, storage_errors(journal, say("restoring a backup")):
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
    """Make a lock file that belongs to the table's user, unless one exists. A lock that belongs to
    root would keep the table from starting. Raises OSError."""
    if lock.exists():
        return
    another = lock.with_name(f"{lock.name}.made")
    write_whole(another, [], owner=owner)
    with suppress(FileExistsError):
        os.link(another, lock, follow_symlinks=False)
    remove(another)


def _carry_out(state: Path, ready: Path, held_state: int, held_ready: int) -> Path | None:
    """Carry out the whole plan, even if a part of it was carried out before.

    Return the folder with the replaced files, or None if there are none. Raises OSError.
    """
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
        kept = read_sealed(Path(PLAN), most=MAX_PLAN_BYTES, start=held_ready)
        if kept is None:
            raise StorageError(say("The file {ready} is missing.", ready=ready / PLAN))
        return msgspec.json.decode(kept, type=Plan)
    except (StorageError, ValueError) as error:
        raise StorageError(
            say(
                "A restore was begun and cannot be finished. {error} Move the folder {ready} "
                "away, whole; what the table had is in {name}/{before} in it. Then restore again.",
                error=error,
                ready=ready,
                name=ready.name,
                before=BEFORE,
            )
        ) from None


def _give(folder: int, to: os.stat_result) -> None:
    """If this program runs as root, give an open folder and its contents to the owner of another
    folder. The folder itself is given last: until then, only root can put anything into it."""
    if os.geteuid() != 0:
        return
    for _, names, files, held in os.fwalk(".", topdown=False, dir_fd=folder):
        for name in (*names, *files):
            os.chown(name, to.st_uid, to.st_gid, dir_fd=held, follow_symlinks=False)
    os.chown(".", to.st_uid, to.st_gid, dir_fd=folder)
