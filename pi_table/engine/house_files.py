"""What the house keeps beside the journal: its settings, in a file that is whole or not there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.errors import StorageError, TableError
from pi_table.house import House, changed
from pi_table.store.sealed_file import read_sealed, write_sealed

SETTINGS: Final = "house.json"


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
            text = read_sealed(self._path)
            if text is not None:
                changes = msgspec.json.decode(text, type=dict[str, Any])
                self.house = changed(usual, changes)
                self._changes = changes
        except (TableError, ValueError) as error:
            why = error if isinstance(error, StorageError) else self._of_another_version()
            self.fault = (
                f"{why} Until the house’s settings are set anew on the operator’s page, those of "
                "the configuration hold."
            )

    def change(self, settings: Mapping[str, Any]) -> House:
        """Change some settings, and keep them; answer with all.

        Raises InputError for a setting that there is not or a value that it cannot have, and
        StorageError; then nothing is changed.
        """
        house = changed(self.house, settings)
        changes = {**self._changes, **settings}
        write_sealed(self._path, msgspec.json.encode(changes))
        self.house, self._changes, self.fault = house, changes, None
        return house

    def _of_another_version(self) -> str:
        return f"The file {self._path} holds settings that this version of pi-table does not know."
