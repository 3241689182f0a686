"""The events of a stored game, and what they come to.

The rules check nothing in an event: it is a fact. But nobody's key seals a journal. What stands in
one may be of another version, or made up, and be in an order in which nothing ever happens; what
the rules then raise is of any kind.
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
    """The events of a stored game are none of this version's, or make no game."""

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
    """Whatever goes wrong while this game is read comes out as an UnreadableGameError. What went
    wrong may hold the key, and is told to nobody."""
    try:
        yield
    except Exception:
        raise UnreadableGameError(stored.number) from None


def history_of(stored: StoredGame) -> list[Event]:
    """The events of a stored game. Raises UnreadableGameError where one cannot be read."""
    with making_sense(stored):
        return [games.decode(entry.body) for entry in stored.entries]


def played_back(stored: StoredGame) -> tuple[list[Event], AnyState]:
    """The events of a stored game, the opening first, and how it stands after them. Raises
    UnreadableGameError."""
    history = history_of(stored)
    with making_sense(stored):
        games.opening_of(history)
        state = games.replay(history)
        assert state is not None
        return history, state
