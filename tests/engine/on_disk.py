"""The stored data of a word game, read from the disk and not through the table that plays it."""

from pathlib import Path

from pi_table.games.rules import games
from pi_table.games.rules.games import replay
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.views import PublicView, public_view
from pi_table.table.store.journal import Journal


def view_on_disk(journal: Path, now: float = 0.0) -> PublicView | None:
    """The public view of the latest stored game at ``now`` (seconds of the game); None: there is
    none."""
    opened = Journal.open_to_read(journal)
    try:
        stored = opened.latest()
    finally:
        opened.close()
    if stored is None:
        return None
    state = replay(games.decode(entry.body) for entry in stored.entries)
    assert isinstance(state, State)
    return public_view(state.board, now)
