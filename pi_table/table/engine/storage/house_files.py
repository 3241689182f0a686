"""What the house keeps beside the journal: its settings and its PIN, in files that are whole or not
there."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import StorageError, TableError
from pi_table.common.house import House, changed
from pi_table.common.language import say
from pi_table.table.engine.storage.pin import MOST_WRONG, HashedPin, hashed, is_right
from pi_table.table.store.sealed_file import read_sealed, write_sealed

SETTINGS: Final = "house.json"
PIN: Final = "pin.json"


def read_settings(path: Path, usual: House) -> tuple[dict[str, Any], House]:
    """What the file changes of the ``usual`` settings, and all settings with that. Raises
    TableError and ValueError for a file that holds anything else."""
    text = read_sealed(path)
    changes = {} if text is None else msgspec.json.decode(text, type=dict[str, Any])
    return changes, changed(usual, changes)


def read_pin(path: Path) -> HashedPin | None:
    """What the file keeps of a PIN; None where none is set. Raises StorageError and ValueError for
    a file that holds anything else."""
    text = read_sealed(path)
    return None if text is None else msgspec.json.decode(text, type=HashedPin | None)


class HouseSettings:
    """The settings of the house: those of the configuration, and over them what was changed on the
    console, which a file keeps."""

    def __init__(self, folder: Path, usual: House) -> None:
        """``usual`` are the settings of the configuration. A file that is damaged is a ``fault``,
        and the usual settings hold until something is changed."""
        self._path = folder / SETTINGS
        self._usual = usual
        self._changes: dict[str, Any] = {}
        self.house = usual
        self.fault: str | None = None
        """What is wrong with the file, None if nothing is."""
        try:
            self._changes, self.house = read_settings(self._path, usual)
        except (TableError, ValueError) as error:
            why = error if isinstance(error, StorageError) else self._of_another_version()
            self.fault = say(
                "{why} Until the house’s settings are set anew on the operator’s page, those "
                "of the configuration hold.",
                why=why,
            )

    def change(self, settings: Mapping[str, Any]) -> House:
        """Change some settings, and keep them; answer with all.

        Raises InputError for a setting that there is not or a value that it cannot have, and
        StorageError; then nothing is changed.
        """
        house = changed(self.house, settings)
        changes = {**self._changes, **settings}
        if changes == self._changes and self.fault is None:
            return house  # the disk is not worn by what it has
        write_sealed(self._path, msgspec.json.encode(changes))
        self.house, self._changes, self.fault = house, changes, None
        return house

    def _of_another_version(self) -> str:
        return say(
            "The file {path} holds settings that this version of pi-table does not know.",
            path=self._path,
        )


class PinFile:
    """The operator's PIN, as far as it is kept, and how many wrong ones were tried.

    A damaged file is a ``fault``, and then no PIN is right: what it locks stays locked.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / PIN
        self._kept: HashedPin | None = None
        self.fault: str | None = None
        """What is wrong with the file, None if nothing is."""
        try:
            self._kept = read_pin(self._path)
        except (StorageError, ValueError) as error:
            why = (
                error
                if isinstance(error, StorageError)
                else say("The file {path} is damaged.", path=self._path)
            )
            self.fault = say(
                "{why} The operator’s page stays locked until somebody removes that file and "
                "starts the table anew: then no PIN is set.",
                why=why,
            )

    @property
    def is_set(self) -> bool:
        """Is anything locked?"""
        return self._kept is not None or self.fault is not None

    @property
    def wrong(self) -> int:
        """How many wrong PINs were tried at the hidden screen since the right one."""
        return 0 if self._kept is None else min(self._kept.wrong, MOST_WRONG)

    @property
    def wrong_at_desk(self) -> int:
        """The same of the operator's desk."""
        return 0 if self._kept is None else min(self._kept.wrong_at_desk, MOST_WRONG)

    def set(self, pin: str | None) -> None:
        """Keep another PIN, or none. Raises StorageError, and then the old one stands."""
        kept = None if pin is None else hashed(pin)
        self._write(kept)
        self.fault = None

    def try_pin(self, pin: str, at_desk: bool = False) -> bool:
        """Is this the PIN? The try counts as a wrong one, on the disk, before it is looked at: at
        the desk, or at the hidden screen. The right one ends both counts.

        Raises StorageError where it cannot be counted; then it is not looked at.
        """
        before = self._kept
        if before is None:
            return False
        name = "wrong_at_desk" if at_desk else "wrong"
        count = min(getattr(before, name) + 1, MOST_WRONG)
        self._write(replace(before, **{name: count}))
        right = is_right(pin, before)
        if right:
            with suppress(StorageError):  # it was right all the same
                self._write(replace(before, wrong=0, wrong_at_desk=0))
        return right

    def _write(self, kept: HashedPin | None) -> None:
        write_sealed(self._path, msgspec.json.encode(kept))
        self._kept = kept
