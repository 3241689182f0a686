"""The events of a stored game, and the state that they lead to.

The rules check nothing in an event: it is a fact. But no secret key protects a journal. The events
in a journal may be of another version, or forged, and in an order that never happens. The rules may
raise any error for such events.
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
    """The events of a stored game are unknown to this version, or do not make a game."""

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
    """Turn every error while this game is read into an UnreadableGameError. The original error may
    hold the key, so it is not passed on."""
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
