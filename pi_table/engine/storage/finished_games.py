"""The finished games of a journal, as whoever looks after several tables is told of them."""

import logging
from contextlib import closing
from pathlib import Path
from typing import Final

from pi_table.engine.storage.finished import finished
from pi_table.engine.storage.history import UnreadableGameError, making_sense, played_back
from pi_table.ipc.house import MOST_TOLD, FinishedGame, Latest
from pi_table.store.faults import JournalDamagedError
from pi_table.store.journal import Journal

log = logging.getLogger("pi_table")

MOST_READ: Final = 64
"""Games that are read for one answer."""


def latest(path: Path) -> Latest | None:
    """The game that was finished last in the journal at ``path``. Raises StorageError."""
    with closing(Journal.open_to_read(path)) as journal:
        number = journal.latest_number()
        for each in range(number, max(0, number - MOST_READ), -1):
            game = _finished(journal, each)
            if game is not None:
                return Latest(game.number, game.game, game.revision)
    return None


def games_after(path: Path, after: Latest | None) -> tuple[FinishedGame, ...]:
    """The finished games of the journal at ``path`` after one, as `Order.FINISHED` says. Raises
    StorageError.

    Empty only where there are none.
    """
    told: list[FinishedGame] = []
    with closing(Journal.open_to_read(path)) as journal:
        last = journal.latest_number()
        if after is not None and (after.number > last or after.number < 1):
            after = None
        if after is not None and _is_another(journal, after):
            after = None
        first = 1 if after is None else after.number
        for number in range(first, last + 1):
            game = _finished(journal, number)
            if game is None or (
                after is not None and number == after.number and game.revision <= after.revision
            ):
                continue
            told.append(game)
            if len(told) == MOST_TOLD:
                break
    return tuple(told)


def _is_another(journal: Journal, told: Latest) -> bool:
    """Is it another journal than the one whose game was told? Not for that game's being damaged."""
    try:
        return journal.identity(told.number) != told.game
    except JournalDamagedError:
        return False


def _finished(journal: Journal, number: int) -> FinishedGame | None:
    """A game of the journal; None where it is not finished, and where it is damaged or of another
    version, which the log tells: those after it are told all the same."""
    try:
        stored = journal.read(number)
        history, _ = played_back(stored)
        with making_sense(stored):
            return finished(journal.identity(number), number, stored.begun, history)
    except (UnreadableGameError, JournalDamagedError) as error:
        log.warning("A game is not told of: %s", error)
        return None
