"""The paths that the files of a backup have on a table."""

from pathlib import Path

from pi_table.common.config import Config
from pi_table.table.backups import archive

HELD_ASIDE = "before-restore-"
"""Prefix of the names of folders in the state folder. Each such folder contains the files that a
restore replaced."""


class Places:
    """The paths of one table's files."""

    def __init__(self, config: Config, config_file: Path | None) -> None:
        self.config_file = None if config_file is None else config_file.absolute()
        self.settings = Path(config.paths.settings).absolute() if config.paths.settings else None
        self.packs = config.packs_folder.absolute()
        self.state = config.paths.journal.parent.absolute()

    def of(self, member: str) -> Path | None:
        """Return the path that a member of a backup has on this table; None if the member is not
        restored here."""
        if member.startswith(archive.PACKS):
            return self.packs / member.removeprefix(archive.PACKS)
        if member == archive.CONFIG:
            return self.config_file
        if member == archive.SETTINGS:
            return self.settings
        return self.state / member.removeprefix("state/")

    def pack_files(self) -> list[Path]:
        """Return the operator's word packs, sorted by name. Raises OSError."""
        if not self.packs.is_dir():
            return []
        return sorted(
            file
            for file in self.packs.iterdir()
            if file.name.endswith(".txt") and not file.name.startswith(".")
        )
