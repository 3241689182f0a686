"""How far the finished games of the journal have been told, for none may be lost.

The games stay in the journal. The bridge keeps on the disk up to which of them the broker has them
for good, and tells all that come after it, at each new connection once more: a broker acknowledges
a game when it has it in memory, and a power cut takes that back. One that is told twice is the same
record twice.
"""

from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import read_small_file, write_whole
from pi_table.protocols.ipc.house import FinishedGame, Latest, Order

FILE: Final = "told.json"
"""The file in the bridge's folder."""
AGAIN: Final = "tell-again"
"""An empty file in that folder, which asks for all games once more. The bridge removes it."""
MOST_BYTES: Final = 1024
SETTLED_SECONDS: Final = 3600.0
"""How long there must have been a connection, in all, since the broker acknowledged a game, until
that holds for good. Mosquitto writes to its disk every half hour where its settings do not say
otherwise (``autosave_interval``)."""


def ask_again(folder: Path) -> None:
    """Have the bridge of this folder send all finished games once more, whether it runs or is
    started later. Raises StorageError."""
    path = folder / AGAIN
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, [])
    except OSError as error:
        raise StorageError(
            f"The file {path} cannot be written: {error.strerror}. Nothing is sent again; check "
            "the disk and the folder's rights."
        ) from None


class Told:
    """The finished games that were told, as kept in a folder.

    Times are ``now``: seconds for which there has been a connection to the broker, in all.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.latest: Latest | None = None
        """The latest that was told over this connection, or holds for good; None: none."""
        self._settled: Latest | None = None
        """The latest that the broker has for good, as it stands on the disk."""
        self._fresh: dict[Latest, float] = {}
        """Those after it that the broker has acknowledged, in their order, each with when it was
        told first."""

    def read(self) -> None:
        """Find out how far was told. Raises StorageError where that is not known, and then all
        counts as not told."""
        self.latest = self._settled = None
        self._fresh.clear()
        try:
            text = read_small_file(self.path, MOST_BYTES)
            self.latest = self._settled = msgspec.json.decode(text, type=Latest)
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

    def begin_again(self) -> bool:
        """Count all games as not told if `ask_again` was called for this folder; True if it was.
        Raises StorageError."""
        asked = self.path.with_name(AGAIN)
        if not asked.exists():
            return False
        try:
            self.path.unlink(missing_ok=True)
            asked.unlink()  # last: a power cut before this begins again once more
        except OSError as error:
            raise StorageError(
                f"All finished games are to be sent again, but {error.filename} cannot be removed: "
                f"{error.strerror}. Check the disk and the folder's rights."
            ) from None
        self.latest = self._settled = None
        self._fresh.clear()
        return True

    def connected_anew(self) -> None:
        """There is a new connection: the broker may have forgotten what has not settled."""
        self.latest = self._settled

    def acknowledged(self, game: FinishedGame, now: float) -> None:
        """The broker has this game, which comes after all before."""
        self.latest = Latest(game.number, game.game, game.revision)
        self._fresh.setdefault(self.latest, now)

    def settles_at(self) -> float | None:
        """When the next game holds for good; None where there is none to wait for."""
        return next((told + SETTLED_SECONDS for told in self._fresh.values()), None)

    def settle(self, now: float) -> None:
        """What was told long enough ago holds for good: it is on the disk at the return. Raises
        StorageError, and then it is told again after a new start."""
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
