"""The interface that the desk uses to make and restore backups.

Other parts implement it, because the engine knows neither the format of a backup nor the
configuration.
"""

from pathlib import Path
from typing import Protocol

from pi_table.common.errors import TableError
from pi_table.common.language import say


class BackedUp(Protocol):
    """A summary of a backup, for the desk."""

    @property
    def games(self) -> int: ...

    @property
    def size(self) -> int:
        """Size of the backup's file in bytes."""


class Backups(Protocol):
    def make(self, target: Path) -> BackedUp:
        """Write a backup. Raises TableError."""

    def check(self, file: Path) -> BackedUp:
        """Replay every game of a backup, and return the backup's summary. Raises TableError if this
        table could not continue with the backup."""

    def stop(self) -> None:
        """End a running check, and refuse all later checks. Any thread may call this."""

    def restore(self, file: Path) -> None:
        """Replace the table's files by the backup that was checked last. The journal must be
        closed. Raises TableError; `is_to_be_finished` then says whether anything has changed."""

    def is_to_be_finished(self) -> bool:
        """True if a restore can no longer be undone, but is not finished. The next start of the
        table will finish it. Everything stored until then is lost."""

    def forget(self, target: Path) -> None:
        """Remove what an interrupted backup to ``target`` has left behind."""


class NoBackups:
    """Makes no backups. It is used where no program would restart the table after a restore, such
    as in a simulator."""

    def make(self, target: Path) -> BackedUp:
        raise _none()

    def check(self, file: Path) -> BackedUp:
        raise _none()

    def stop(self) -> None:
        """Do nothing, because no check runs."""

    def restore(self, file: Path) -> None:
        raise _none()

    def is_to_be_finished(self) -> bool:
        return False

    def forget(self, target: Path) -> None:
        """Do nothing, because there are no files of backups."""


def _none() -> TableError:
    return TableError(
        say("This table makes no backups: the commands `pi-table backup` and `restore` do.")
    )
