"""Paths on a table of the files that a backup holds."""

from pathlib import Path

from pi_table.common.config import Config
from pi_table.table.backups import archive

HELD_ASIDE = "before-restore-"
"""Prefix of the folders, in the state folder, with the files that restores replaced."""


class Places:
    """The paths of one table's files."""

    def __init__(self, config: Config, config_file: Path | None) -> None:
        self.config_file = None if config_file is None else config_file.absolute()
        self.settings = Path(config.paths.settings).absolute() if config.paths.settings else None
        self.packs = config.packs_folder.absolute()
        self.state = config.paths.journal.parent.absolute()

    def of(self, member: str) -> Path | None:
        """Return the path of a backup's member on this table; None if it has no place there."""
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
