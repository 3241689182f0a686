"""What a desk needs of whoever makes backups and puts them back: it is handed in, for the engine
knows neither the form of a backup nor the configuration."""

from pathlib import Path
from typing import Protocol

from pi_table.common.errors import TableError
from pi_table.common.language import say


class BackedUp(Protocol):
    """What a backup holds, as the desk tells it."""

    @property
    def games(self) -> int: ...

    @property
    def size(self) -> int:
        """Bytes of the file."""


class Backups(Protocol):
    """Makes backups of this table, and puts them back."""

    def make(self, target: Path) -> BackedUp:
        """Writes a backup. Raises TableError."""

    def check(self, file: Path) -> BackedUp:
        """What a backup holds, after all of it was read, and every game played back. Raises
        TableError for one that this table could not go on with."""

    def stop(self) -> None:
        """Ends a check, and lets no other begin. May be called by any thread."""

    def restore(self, file: Path) -> None:
        """Puts the backup that was checked last in the place of what the table has, whose journal
        is closed. Raises TableError; `is_to_be_finished` says then whether anything is changed."""

    def is_to_be_finished(self) -> bool:
        """Is a restore decided and not finished? The next start of the table finishes it; whatever
        is stored before is lost."""

    def forget(self, target: Path) -> None:
        """Takes away what was left of a backup that was cut off."""


class NoBackups:
    """A table that nobody would start again, such as one in a simulator."""

    def make(self, target: Path) -> BackedUp:
        raise _none()

    def check(self, file: Path) -> BackedUp:
        raise _none()

    def stop(self) -> None:
        """There is no check."""

    def restore(self, file: Path) -> None:
        raise _none()

    def is_to_be_finished(self) -> bool:
        return False

    def forget(self, target: Path) -> None:
        """There is nothing to take away."""


def _none() -> TableError:
    return TableError(
        say("This table makes no backups: the commands `pi-table backup` and `restore` do.")
    )
