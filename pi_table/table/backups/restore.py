"""Replacing a table's files by a backup: completely, or not at all.

A separate folder receives everything first: the new, checked files, and copies of the files that
they replace. Then that folder is renamed. Until this rename, the table is unchanged. After the
rename, the restore can no longer be cancelled and must be finished
(`pi_table.table.backups.finishing`). The restoring command finishes it at once. If a power cut
prevents this, the next start of the table finishes it.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import Final

import msgspec

from pi_table import __version__
from pi_table.common import config as config_files
from pi_table.common.config import Config
from pi_table.common.errors import InputError, StorageError
from pi_table.common.files import (
    chunks_of,
    folder_held,
    make_folder,
    owner_of,
    sync_folder,
    write_whole,
)
from pi_table.common.language import say, system_says
from pi_table.table.backups import archive
from pi_table.table.backups.archive import Backup, Manifest, open_backup
from pi_table.table.backups.finishing import (
    BEFORE,
    MAKING,
    MAX_PLAN_BYTES,
    NEW,
    PLAN,
    READY,
    Plan,
    Step,
    finish,
    hold_journal,
)
from pi_table.table.backups.places import HELD_ASIDE, Places
from pi_table.table.store.disk import companions, mark_of
from pi_table.table.store.sealed_file import write_sealed

CONFIG_MODE: Final = 0o644
PACK_MODE: Final = 0o644
FOLDERS: Final = ("state", "config", "packs")
"""The folders in a backup."""
SPARE_BYTES: Final = 1 << 20
"""Minimum number of bytes that a restore must leave free on the disk."""
Look = Callable[[Path], None]
"""A function that checks a backup unpacked in a folder. It refuses the backup by raising InputError
or StorageError."""


class Restored(msgspec.Struct, frozen=True):
    """The result of a restore."""

    manifest: Manifest
    kept: Path | None
    """The folder with the replaced files; None if no file was replaced."""
    config_left: bool
    """True if the backup has a configuration that was not restored."""


def restore(
    file: Path,
    config: Config,
    config_file: Path | None,
    wall: str,
    *,
    look: Look,
    with_config: bool = True,
    checked: str | None = None,
) -> Restored:
    """Replace the files of a table by the backup ``file``. ``config`` is the table's present
    configuration.

    ``wall`` is the wall clock: ISO 8601, UTC. The configuration is replaced only if ``with_config``
    is true and ``config_file`` is not None. ``look`` judges the new files before they are put in
    place. If ``checked`` is not None, only a backup with this digest is accepted. Raises InputError
    and StorageError; then nothing has changed, unless the error's message says that the restore
    must be finished.
    """
    places = Places(config, config_file if with_config else None)
    if not places.state.is_dir():
        raise StorageError(
            say(
                "This user sees no folder {state}: start the table once, which makes it, stop "
                "the table, and restore then; as root or as its own user.",
                state=places.state,
            )
        )
    with open_backup(file, __version__) as backup, hold_journal(places.state):
        if checked not in (None, backup.digest):
            raise InputError(
                say(
                    "The backup {file} is not the one that was checked. Nothing was changed. "
                    "Check it again, then restore it.",
                    file=file,
                )
            )
        finish(places.state)
        backup.check()
        making = places.state / MAKING
        try:
            with restore_errors(file):
                refuse_no_room(backup.manifest, places)
                _make_ready(backup, places, config, wall, look)
                making.rename(places.state / READY)  # this decides; `finish` makes it durable
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
        kept = finish(places.state)
        held_config = "config" in backup.manifest.holds
        return Restored(backup.manifest, kept, held_config and places.config_file is None)


def _make_ready(backup: Backup, places: Places, config: Config, wall: str, look: Look) -> None:
    making = places.state / MAKING
    making.mkdir(0o700)
    for part in (NEW, BEFORE):
        (making / part).mkdir(0o700)
        make_folders(making / part)
    lay_out(backup, making / NEW)
    look(making / NEW)
    places = _with_config_of(making / NEW, backup.manifest, places, config)
    steps = _steps(backup.manifest, places)
    for step in steps:
        target = Path(step.target)
        if _is_there(target):
            write_whole(making / BEFORE / step.kept_as, chunks_of(target))
    moment = datetime.fromisoformat(wall).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    plan = Plan(tuple(steps), _free_name(places.state, HELD_ASIDE + moment))
    write_sealed(making / PLAN, msgspec.json.encode(plan), most=MAX_PLAN_BYTES)
    for part in (NEW, BEFORE):
        for folder in (*FOLDERS, ""):
            sync_folder(making / part / folder)
    sync_folder(making)


def make_folders(folder: Path) -> None:
    """Make the folders into which a backup is unpacked. Raises OSError."""
    for name in FOLDERS:
        (folder / name).mkdir(0o700)


def lay_out(backup: Backup, folder: Path, between: Callable[[], None] = lambda: None) -> None:
    """Unpack a backup into subfolders of ``folder``, and check each file by its hash. ``between``
    is called before each chunk, and may raise an error to stop. Raises InputError and OSError."""

    def each_of(chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            between()
            yield chunk

    for member, chunks in backup.members():
        write_whole(folder / member.name, each_of(chunks))


def _has_config(manifest: Manifest) -> bool:
    """True if the backup has the configuration of its table. A table may have had no settings file;
    then a restore removes this table's, which would override the restored configuration."""
    names = {member.name for member in manifest.members}
    return "config" in manifest.holds or not names.isdisjoint({archive.CONFIG, archive.SETTINGS})


def _with_config_of(new: Path, manifest: Manifest, places: Places, config: Config) -> Places:
    """Return the paths at which the backup's files belong. If the backup has a configuration to
    restore, that configuration decides the paths. Raises InputError if that configuration cannot be
    used."""
    if places.config_file is None or not _has_config(manifest):
        return places
    file = new / archive.CONFIG
    try:
        restored = config_files.load(
            file if file.exists() else places.config_file,
            settings=new / archive.SETTINGS,
        )
    except InputError as error:
        raise InputError(
            say(
                "The configuration in the backup cannot be used here. {error} Add "
                "--without-config to leave this table's as it is. Nothing was changed.",
                error=error,
            )
        ) from None
    if restored.paths.state != config.paths.state:
        raise InputError(
            say(
                "The configuration in the backup keeps games in {state}, and this table keeps "
                "them in {state_2}: add --without-config to leave this one's as it is. Nothing "
                "was changed.",
                state=restored.paths.state,
                state_2=config.paths.state,
            )
        )
    return Places(restored, places.config_file)


def _steps(manifest: Manifest, places: Places) -> list[Step]:
    """Return the files to write and to remove. Raises StorageError if one of them cannot be
    written."""
    steps: list[Step] = []
    state_owner = owner_of(places.state)
    there = {member.name for member in manifest.members}
    journal = places.state / "journal.sqlite"
    gone = [*companions(journal)]
    gone += [] if archive.JOURNAL in there else [journal, mark_of(journal)]
    of_house = (archive.HOUSE, archive.PIN)
    gone += [places.state / n.removeprefix("state/") for n in of_house if n not in there]
    # Old files of the journal are removed first, so that none is read with the new database.
    steps += [Step(None, str(file), f"state/{file.name}") for file in gone]
    if "packs" in manifest.holds:
        if places.packs.parent == places.state:
            make_folder(places.packs, 0o700, *state_owner)
        _refuse_no_folder(places.packs)
        steps += [
            Step(None, str(file), f"packs/{file.name}")
            for file in places.pack_files()
            if archive.PACKS + file.name not in there
        ]
    if (
        places.config_file is not None
        and places.settings is not None
        and _has_config(manifest)
        and archive.SETTINGS not in there
        and os.path.lexists(places.settings)
    ):
        steps.append(Step(None, str(places.settings), archive.SETTINGS))
    for name in sorted(there):
        target = places.of(name)
        if target is None or (name == archive.SETTINGS and places.config_file is None):
            continue
        if name in (archive.CONFIG, archive.SETTINGS):
            mode, owner = CONFIG_MODE, owner_of(target if target.exists() else target.parent)
        elif name.startswith(archive.PACKS):
            mode, owner = PACK_MODE, owner_of(target.parent)
        else:
            mode, owner = 0o600, state_owner
        steps.append(Step(name, str(target), name, mode, owner))
    for step in steps:
        _refuse_unwritable(Path(step.target))
    return steps


def _refuse_no_folder(packs: Path) -> None:
    try:
        with folder_held(packs):
            pass
    except OSError:
        raise StorageError(
            say(
                "There is no folder {packs} for word packs, which the configuration names: make "
                "it, for the table's own user, and restore again. Nothing was changed.",
                packs=packs,
            )
        ) from None


def _refuse_unwritable(target: Path) -> None:
    """Raise StorageError if this file cannot be replaced. This must be known before the restore is
    decided, because a decided restore can no longer be cancelled."""
    if not os.access(target.parent, os.W_OK | os.X_OK, effective_ids=True):
        raise StorageError(
            say(
                "This user may not write in {parent}, or it is read-only, and {name} has to go "
                "there: run this as root, or add --without-config if that is the configuration. "
                "Nothing was changed.",
                parent=target.parent,
                name=target.name,
            )
        )
    if not _is_there(target) and os.path.lexists(target):
        raise StorageError(
            say(
                "{target} is not a plain file, and a restore replaces only files: put a file in "
                "its place, or remove it, and restore again. Nothing was changed.",
                target=target,
            )
        )


def _is_there(file: Path) -> bool:
    """True if this is a plain file. False for a symbolic link, because it may lead to a private
    file."""
    try:
        return S_ISREG(file.lstat().st_mode)
    except FileNotFoundError:
        return False


def refuse_no_room(manifest: Manifest, places: Places) -> None:
    """Raise StorageError unless the disk has enough free bytes. A restore stores the new files
    twice, prepared and in place, and it copies the old journal."""
    new = sum(member.size for member in manifest.members)
    journal = places.state / "journal.sqlite"
    parts = [journal, *companions(journal), mark_of(journal)]
    old = sum(part.lstat().st_size for part in parts if _is_there(part))
    found = os.statvfs(places.state)
    if (free := found.f_bavail * found.f_frsize) < (needed := 2 * new + old + SPARE_BYTES):
        raise StorageError(
            say(
                "A restore needs {needed} bytes on the disk of {state}, to keep what is there, "
                "and {free} are free: free some. Nothing was changed.",
                needed=f"{needed:,}",
                state=places.state,
                free=f"{free:,}",
            )
        )


def _free_name(state: Path, name: str) -> str:
    number, free = 1, name
    while os.path.lexists(state / free):
        number += 1
        free = f"{name}-{number}"
    return free


@contextmanager
def restore_errors(file: Path) -> Iterator[None]:
    """Context manager that turns an OSError into a StorageError while ``file`` is prepared for a
    restore."""
    try:
        yield
    except (InputError, StorageError):
        raise
    except OSError as error:
        raise StorageError(
            say(
                "The backup {file} could not be made ready ({strerror}: {filename}). Nothing was "
                "changed. Check that the disk has room and works, and that this user may write "
                "there; then restore again.",
                file=file,
                strerror=system_says(error),
                filename=error.filename or say("the disk"),
            )
        ) from error
