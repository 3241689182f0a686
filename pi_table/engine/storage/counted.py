"""Statistics of a journal: each game is read once, and so many of them at a time."""

from contextlib import closing
from pathlib import Path
from typing import Final

from pi_table.engine.storage.history import making_sense, played_back
from pi_table.engine.storage.statistics import Facts, Statistics, Sums, facts
from pi_table.store.entries import StoredGame
from pi_table.store.journal import Journal

AT_A_TIME: Final = 50
"""How many games are read before others get their turn on the thread."""
MOST_GAMES: Final = 5000
"""Of a journal with more, the latest are counted."""


class Counted:
    """The statistics of the journal at a path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sums = Sums()
        self._next: int | None = None
        """The number of the game that is read next; None before the first."""
        self._first = 1

    def statistics(
        self, playing: int | None, profile: str | None = None, lang: str | None = None
    ) -> Statistics:
        """What finished games come to, as far as they were read: some more are, each time.

        ``playing`` is the number of the game that is being played; None where none is. A game that
        no other has followed may still be corrected, and is counted for this answer alone. Raises
        StorageError.
        """
        with closing(Journal.open_to_read(self._path)) as journal:
            latest = journal.latest_number()
            settled = (playing or latest) - 1
            if self._next is None:
                self._next = self._first = max(1, settled - MOST_GAMES + 1)
            until = min(settled, self._next + AT_A_TIME - 1)
            for number in range(self._next, until + 1):
                if (game := _facts(journal.read(number))) is not None:
                    self._sums.add(game)
                self._next = number + 1
            besides = []
            if playing is None and latest and (game := _facts(journal.read(latest))) is not None:
                besides.append(game)
        of = max(0, settled - self._first + 1)
        return self._sums.told(self._next - self._first, of, profile, lang, besides)


def _facts(stored: StoredGame) -> Facts | None:
    """What a game tells, None where it is not finished. Raises StorageError where it cannot be
    read."""
    history, _ = played_back(stored)
    with making_sense(stored):
        return facts(stored.begun, history)
