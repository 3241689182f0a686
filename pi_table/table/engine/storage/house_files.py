"""The house's files beside the journal: settings and PIN. Each is written completely or not
at all."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import StorageError, TableError
from pi_table.common.house_settings import House, with_settings
from pi_table.common.language import say
from pi_table.table.engine.storage.pin import MAX_COUNTED_WRONG, HashedPin, hash_pin, is_right
from pi_table.table.store.sealed_file import read_sealed, write_sealed

SETTINGS: Final = "house.json"
PIN: Final = "pin.json"


def read_settings(path: Path, usual: House) -> tuple[dict[str, Any], House]:
    """Return the changes in the file, and the ``usual`` settings with these changes applied. Raises
    TableError or ValueError if the file is damaged or has no valid settings."""
    text = read_sealed(path)
    changes = {} if text is None else msgspec.json.decode(text, type=dict[str, Any])
    return changes, with_settings(usual, changes)


def read_pin(path: Path) -> HashedPin | None:
    """Return the stored PIN, or None. Raises StorageError or ValueError if the file is damaged or
    has no valid PIN."""
    text = read_sealed(path)
    return None if text is None else msgspec.json.decode(text, type=HashedPin | None)


class HouseSettings:
    """The venue's settings: those of the configuration, overridden by changes that the staff has
    made at the table."""

    def __init__(self, folder: Path, usual: House) -> None:
        """``usual`` are the settings of the configuration. While the file is damaged, they apply
        unchanged."""
        self._path = folder / SETTINGS
        self._changes: dict[str, Any] = {}
        self.house = usual
        self.fault: str | None = None
        """The fault of the file as a sentence; None if there is none."""
        try:
            self._changes, self.house = read_settings(self._path, usual)
        except (TableError, ValueError) as error:
            why = (
                error
                if isinstance(error, StorageError)
                else say(
                    "The file {path} holds settings that this version of pi-table does not know.",
                    path=self._path,
                )
            )
            self.fault = say(
                "{why} Until the house’s settings are set again, those of the configuration apply.",
                why=why,
            )

    def change(self, settings: Mapping[str, Any]) -> House:
        """Change some settings and store them; return all settings. Raises InputError for an
        unknown setting or an invalid value, and StorageError. After an error, nothing has changed.
        """
        house = with_settings(self.house, settings)
        changes = {**self._changes, **settings}
        if changes == self._changes and self.fault is None:
            return house  # no needless write
        write_sealed(self._path, msgspec.json.encode(changes))
        self.house, self._changes, self.fault = house, changes, None
        return house


class PinFile:
    """The stored PIN of the operator, and the numbers of wrong tries. If the file is damaged, no
    PIN is accepted: everything that the PIN protects stays locked."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / PIN
        self._kept: HashedPin | None = None
        self.fault: str | None = None
        """The fault of the file as a sentence; None if there is none."""
        try:
            self._kept = read_pin(self._path)
        except (StorageError, ValueError) as error:
            why = (
                error
                if isinstance(error, StorageError)
                else say("The file {path} is damaged.", path=self._path)
            )
            self.fault = say(
                "{why} Everything that needs the PIN stays locked until somebody removes that file "
                "and restarts the table: then no PIN is set.",
                why=why,
            )

    @property
    def is_set(self) -> bool:
        """True if a PIN is set, or if the file is damaged and everything stays locked."""
        return self._kept is not None or self.fault is not None

    @property
    def wrong(self) -> int:
        """Number of wrong PINs at the hidden screen since the last right PIN."""
        return 0 if self._kept is None else min(self._kept.wrong, MAX_COUNTED_WRONG)

    @property
    def wrong_at_desk(self) -> int:
        """Number of wrong PINs at the desk since the last right PIN."""
        return 0 if self._kept is None else min(self._kept.wrong_at_desk, MAX_COUNTED_WRONG)

    def set(self, pin: str | None) -> None:
        """Store a new PIN, or remove it if ``pin`` is None. After a StorageError, the old PIN stays
        valid."""
        kept = None if pin is None else hash_pin(pin)
        self._write(kept)
        self.fault = None

    def try_pin(self, pin: str, at_desk: bool = False) -> bool:
        """True if this is the PIN.

        Before the check, the try is counted as wrong on the disk. Desk and hidden screen have
        separate counts; the right PIN resets both. If the try cannot be counted, this raises
        StorageError and does not check the PIN.
        """
        before = self._kept
        if before is None:
            return False
        name = "wrong_at_desk" if at_desk else "wrong"
        count = min(getattr(before, name) + 1, MAX_COUNTED_WRONG)
        self._write(replace(before, **{name: count}))
        right = is_right(pin, before)
        if right:
            with suppress(StorageError):  # the PIN is right nevertheless
                self._write(replace(before, wrong=0, wrong_at_desk=0))
        return right

    def _write(self, kept: HashedPin | None) -> None:
        write_sealed(self._path, msgspec.json.encode(kept))
        self._kept = kept
