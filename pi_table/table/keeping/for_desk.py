"""Backups as the operator's desk has them made and put back, by the engine itself.

The configuration goes into a backup, and is left as it is by a restore: it is root's.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from pi_table import __version__
from pi_table.common.config import Config
from pi_table.common.errors import StorageError
from pi_table.common.files import hidden_beside
from pi_table.common.language import say
from pi_table.table.keeping import archive
from pi_table.table.keeping.archive import Manifest, opened
from pi_table.table.keeping.backup import back_up, staging, staging_of
from pi_table.table.keeping.finishing import is_to_be_finished
from pi_table.table.keeping.places import Places
from pi_table.table.keeping.restore import (
    Look,
    lay_out,
    make_folders,
    refuse_no_room,
    restore,
    told_of,
)


class Held(msgspec.Struct, frozen=True):
    """What a backup holds."""

    made: str
    """When it was made: ISO 8601, UTC."""
    version: str
    """The version of pi-table that made it."""
    games: int
    packs: int
    size: int
    """Bytes of the file."""
    config: bool
    """Is a configuration in it?"""


class BackupsOfTable:
    """The backups of one table."""

    def __init__(
        self,
        config: Config,
        config_file: Path | None,
        wall: Callable[[], str],
        look: Look,
        stop_looking: Callable[[], None] = lambda: None,
    ) -> None:
        """``wall`` is the wall clock: ISO 8601, UTC. ``look`` refuses a backup with which the table
        could not go on: what its files mean is not known here. ``stop_looking`` ends that from
        another thread."""
        self._config = config
        self._config_file = config_file
        self._wall = wall
        self._look = look
        self._stop_looking = stop_looking
        self._stopped = False
        self._checked: str | None = None
        """The digest of the backup that was looked through last, and found in order; None: none
        was."""

    def make(self, target: Path) -> Held:
        """Writes a backup. Raises InputError and StorageError."""
        manifest = back_up(target, self._config, self._config_file, self._wall(), replace=True)
        return _held(manifest, target)

    def check(self, file: Path) -> Held:
        """What is in a backup, after every byte of it was compared, and all of it was looked
        through. Raises InputError and StorageError."""
        with opened(file, __version__) as backup:
            with told_of(file):
                refuse_no_room(backup.manifest, Places(self._config, None))
                with staging(file) as stage:
                    make_folders(stage)
                    lay_out(backup, stage, self._refuse_stopped)
                    self._look(stage)
            self._checked = backup.digest
            return _held(backup.manifest, file)

    def stop(self) -> None:
        """Ends a check, and lets no other begin. May be called by any thread."""
        self._stopped = True
        self._stop_looking()

    def restore(self, file: Path) -> None:
        """Puts the backup that was checked last in the place of what the table has, which must have
        closed its journal.
        Raises InputError and StorageError, and then nothing is changed, unless the restore is to be
        finished."""
        checked = self._checked
        look = self._look if checked is None else _look_no_more
        restore(file, self._config, None, self._wall(), look=look, checked=checked)

    def _refuse_stopped(self) -> None:
        if self._stopped:
            raise StorageError(say("The backup was not looked through, for the table ends."))

    def is_to_be_finished(self) -> bool:
        """Is a restore decided, and not on the disk to its end? Where that cannot be known, it may
        be."""
        return is_to_be_finished(self._config.paths.journal.parent)

    def forget(self, target: Path) -> None:
        """Takes away what a power cut may have left beside a backup."""
        shutil.rmtree(staging_of(target), ignore_errors=True)
        with suppress(OSError):
            hidden_beside(target).unlink(missing_ok=True)


def _look_no_more(folder: Path) -> None:
    """What is laid out has the digest of the backup that was looked through."""


def _held(manifest: Manifest, file: Path) -> Held:
    names = [member.name for member in manifest.members]
    return Held(
        manifest.made,
        manifest.version,
        manifest.games,
        sum(name.startswith(archive.PACKS) for name in names),
        file.stat().st_size,
        "config" in manifest.holds,
    )
