"""Backups that the engine itself makes and restores, for the operator's web page (the desk).

A backup contains the configuration. A restore at the desk does not change the table's
configuration, because the configuration belongs to root.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from pi_table import __version__
from pi_table.common.config import Config
from pi_table.common.files import temporary_path
from pi_table.table.backups import archive
from pi_table.table.backups.archive import Manifest, open_backup
from pi_table.table.backups.backup import back_up, staging, staging_of
from pi_table.table.backups.checking import stop_error
from pi_table.table.backups.finishing import is_to_be_finished
from pi_table.table.backups.places import Places
from pi_table.table.backups.restore import (
    Look,
    lay_out,
    make_folders,
    refuse_no_room,
    restore,
    restore_errors,
)


class BackupSummary(msgspec.Struct, frozen=True):
    """The facts about a backup that the desk shows."""

    made: str
    """Time of the backup: ISO 8601, UTC."""
    version: str
    games: int
    packs: int
    size: int
    """Size of the backup's file in bytes."""
    config: bool


class BackupsOfTable:
    """The backups of one table: an implementation of `engine.storage.backups.Backups`."""

    def __init__(
        self,
        config: Config,
        config_file: Path | None,
        wall: Callable[[], str],
        look: Look,
        stop_looking: Callable[[], None] = lambda: None,
    ) -> None:
        """``wall`` returns the wall clock: ISO 8601, UTC. ``look`` checks an unpacked backup, and
        raises an error if the table could not continue with it. ``stop_looking`` ends a running
        ``look``; any thread may call it."""
        self._config = config
        self._config_file = config_file
        self._wall = wall
        self._look = look
        self._stop_looking = stop_looking
        self._stopped = False
        self._checked: str | None = None
        """The digest of the last backup that passed its check; None before the first."""

    def make(self, target: Path) -> BackupSummary:
        manifest = back_up(target, self._config, self._config_file, self._wall(), replace=True)
        return _summary_of(manifest, target)

    def check(self, file: Path) -> BackupSummary:
        """Check every byte of a backup by the hashes in its manifest, and the unpacked contents by
        ``look``. Return the backup's summary."""
        with open_backup(file, __version__) as backup:
            with restore_errors(file):
                refuse_no_room(backup.manifest, Places(self._config, None))
                with staging(file) as stage:
                    make_folders(stage)
                    lay_out(backup, stage, self._refuse_stopped)
                    self._look(stage)
            self._checked = backup.digest
            return _summary_of(backup.manifest, file)

    def stop(self) -> None:
        self._stopped = True
        self._stop_looking()

    def restore(self, file: Path) -> None:
        """Replace the table's files by a backup. If any backup was checked before, only the one
        that was checked last is accepted.

        The journal must be closed. Raises InputError and StorageError. After an error nothing is
        changed, unless `is_to_be_finished` is True.
        """
        checked = self._checked
        look = self._look if checked is None else _accept_unchecked
        restore(file, self._config, None, self._wall(), look=look, checked=checked)

    def _refuse_stopped(self) -> None:
        if self._stopped:
            raise stop_error()

    def is_to_be_finished(self) -> bool:
        return is_to_be_finished(self._config.paths.journal.parent)

    def forget(self, target: Path) -> None:
        shutil.rmtree(staging_of(target), ignore_errors=True)
        with suppress(OSError):
            temporary_path(target).unlink(missing_ok=True)


def _accept_unchecked(folder: Path) -> None:
    """Accept the files without a check, because the backup with this digest was checked before."""


def _summary_of(manifest: Manifest, file: Path) -> BackupSummary:
    names = [member.name for member in manifest.members]
    return BackupSummary(
        manifest.made,
        manifest.version,
        manifest.games,
        sum(name.startswith(archive.PACKS) for name in names),
        file.stat().st_size,
        "config" in manifest.holds,
    )
