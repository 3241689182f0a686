"""Stores how far finished games have been sent to the broker, so that no game is lost.

The games stay in the table's journal. The bridge stores on disk which game is the latest that is
safe at the broker. On each new connection all later games are sent again: the broker may have
acknowledged a game that was only in memory, and lost it in a power cut. If a game is sent twice,
both records are the same.
"""

from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import read_small_file, write_whole
from pi_table.protocols.ipc.house import FinishedGame, Latest, Order

FILE: Final = "told.json"
"""Name of the file in the bridge's folder that stores the latest game that is safe at the broker.
"""
AGAIN: Final = "tell-again"
"""Name of a file in the bridge's folder. If the file exists, the bridge removes it and sends all
finished games again."""
MAX_FILE_BYTES: Final = 1024
SETTLED_SECONDS: Final = 3600.0
"""Seconds of connection after which an acknowledged game counts as safe at the broker. By default,
Mosquitto writes its messages to disk every half hour (``autosave_interval``)."""


def ask_again(folder: Path) -> None:
    """Make the bridge with this folder send all finished games again. A stopped bridge does so
    after its next start. Raises StorageError."""
    path = folder / AGAIN
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, [])
    except OSError as error:
        raise StorageError(
            f"The file {path} cannot be written: {error.strerror}. Nothing is sent again; check "
            "the disk and the folder's rights."
        ) from None


class SentGames:
    """The stored progress of sending finished games.

    The argument ``now`` counts the seconds of all connections to the broker so far.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.latest: Latest | None = None
        """The latest game that was sent over this connection or is safe at the broker."""
        self._settled: Latest | None = None
        """The latest game that is safe at the broker, as it is stored on disk."""
        self._fresh: dict[Latest, float] = {}
        """The acknowledged games after ``_settled``, in order, each with the time of its first
        acknowledgement."""

    def read(self) -> None:
        """Read the progress from disk. If that fails, all games count as not sent, and StorageError
        is raised."""
        self.latest = self._settled = None
        self._fresh.clear()
        try:
            text = read_small_file(self.path, MAX_FILE_BYTES)
            self.latest = self._settled = msgspec.json.decode(text, type=Latest)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(
                f"The file {self.path}, which says how far finished games were sent, cannot be "
                f"read: {error.strerror}. All are sent again; each is counted once."
            ) from None
        except (ValueError, RecursionError):
            raise StorageError(
                f"The file {self.path} is damaged, which says how far finished games were sent. "
                "All are sent again; each is counted once."
            ) from None

    def begin_again(self) -> bool:
        """Return True if `ask_again` was called; then all games count as not sent. Raises
        StorageError."""
        asked = self.path.with_name(AGAIN)
        if not asked.exists():
            return False
        try:
            self.path.unlink(missing_ok=True)
            asked.unlink()  # last: after a power cut before this line, everything is repeated
        except OSError as error:
            raise StorageError(
                f"All finished games should be sent again, but {error.filename} cannot be removed: "
                f"{error.strerror}. Check the disk and the folder's rights."
            ) from None
        self.latest = self._settled = None
        self._fresh.clear()
        return True

    def on_new_connection(self) -> None:
        """Go back to the latest game that is safe at the broker, because the broker may have lost
        later games. All later games are sent again."""
        self.latest = self._settled

    def on_acknowledged(self, game: FinishedGame, now: float) -> None:
        """Count a game as acknowledged. It must be later than all games acknowledged before."""
        self.latest = Latest(game.number, game.game, game.revision)
        self._fresh.setdefault(self.latest, now)

    def settles_at(self) -> float | None:
        """Return the time at which the next acknowledged game becomes safe; None if there is no
        such game."""
        return next((told + SETTLED_SECONDS for told in self._fresh.values()), None)

    def settle(self, now: float) -> None:
        """Write to disk which game is the latest that is safe now. If that fails, StorageError is
        raised, and the games after the stored game are sent again after a restart."""
        before = self._settled
        while (at := self.settles_at()) is not None and at <= now:
            self._settled = next(iter(self._fresh))
            del self._fresh[self._settled]
        if self._settled == before:
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, [msgspec.json.encode(self._settled)])
        except OSError as error:
            raise StorageError(
                f"The file {self.path} cannot be written: {error.strerror}. Games already sent "
                "are sent again after a restart; check the disk and the folder's rights."
            ) from None

    def all_of(self, latest: Latest | None) -> bool:
        """True if all finished games were sent. ``latest`` is the journal's latest finished game,
        or None."""
        return latest is None or latest == self.latest

    def question(self) -> dict[str, object]:
        """Return the request to the table for the next finished games."""
        after = None if self.latest is None else msgspec.to_builtins(self.latest)
        return {"act": Order.FINISHED.value, "seat": "operator", "after": after}
