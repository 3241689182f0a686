"""How far the finished games of the journal have been told, for none may be lost.

The games stay in the journal. The bridge keeps which of them the broker has acknowledged last, on
the disk, and tells all that come after it. One that is told twice is the same record twice.
"""

from pathlib import Path
from typing import Final

import msgspec

from pi_table.errors import StorageError
from pi_table.ipc.house import FinishedGame, Latest, Order
from pi_table.small_file import read_small_file
from pi_table.whole_file import write_whole

FILE: Final = "told.json"
"""The file in the bridge's folder."""
MOST_BYTES: Final = 1024


class Told:
    """The latest finished game that was told, as kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.latest: Latest | None = None
        """None: none was."""

    def read(self) -> None:
        """Find out how far was told. Raises StorageError where that is not known, and then all
        counts as not told."""
        self.latest = None
        try:
            text = read_small_file(self.path, MOST_BYTES)
            self.latest = msgspec.json.decode(text, type=Latest)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(
                f"The file {self.path}, which says how far finished games were told, cannot be "
                f"read: {error.strerror}. All are told again; each is counted once."
            ) from None
        except (ValueError, RecursionError):
            raise StorageError(
                f"The file {self.path} is damaged, which says how far finished games were told. "
                "All are told again; each is counted once."
            ) from None

    def move(self, game: FinishedGame) -> None:
        """The broker has this game: it is on the disk at the return. Raises StorageError, and then
        the game is told again after a new start."""
        self.latest = Latest(game.number, game.game, game.revision)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, [msgspec.json.encode(self.latest)])
        except OSError as error:
            raise StorageError(
                f"The file {self.path} cannot be written: {error.strerror}. Games that were told "
                "are told again after a new start; check the disk and the folder's rights."
            ) from None

    def all_of(self, latest: Latest | None) -> bool:
        """Is this game, the latest finished one of the journal, told, or is there none?"""
        return latest is None or latest == self.latest

    def question(self) -> dict[str, object]:
        """What to ask the table for the games that come next."""
        after = None if self.latest is None else msgspec.to_builtins(self.latest)
        return {"act": Order.FINISHED.value, "seat": "operator", "after": after}
