"""The events of a stored game, and the state to which they lead.

The rules do not check events, because an event is a fact. But a journal is not protected by a
secret key. Its events may be forged, of another version, or in an order that never happens in a
game. For such events, the rules may raise any error.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from pi_table.common.errors import StorageError
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyState
from pi_table.table.store.entries import StoredGame


class UnreadableGameError(StorageError):
    """This version does not know the events of a stored game, or the events do not form a game."""

    def __init__(self, number: int) -> None:
        super().__init__(
            say(
                "Game {number} of the journal holds an event that this version of pi-table "
                "cannot read. Read it with the version that wrote it.",
                number=number,
            )
        )


@contextmanager
def making_sense(stored: StoredGame) -> Iterator[None]:
    """Raise UnreadableGameError instead of any error that occurs while this game is read. The
    original error is not passed on, because it may contain the key."""
    try:
        yield
    except Exception:
        raise UnreadableGameError(stored.number) from None


def replay_stored(stored: StoredGame) -> tuple[list[Event], AnyState]:
    """Return the events of a stored game and the state after them. Raises UnreadableGameError."""
    with making_sense(stored):
        history: list[Event] = [games.decode(entry.body) for entry in stored.entries]
        games.opening_of(history)
        state = games.replay(history)
        assert state is not None
        return history, state
