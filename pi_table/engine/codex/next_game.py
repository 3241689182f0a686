"""What the next game of Codex takes over from the one that is over."""

from typing import Any

from pi_table.engine.dealing import Wish
from pi_table.rules.codex.board import Board
from pi_table.rules.codex.events import AgentsDealt


def next_game(opening: AgentsDealt, board: Board, swaps: bool) -> tuple[dict[str, Any], Wish]:
    """The agents keep their nicknames. No words are dealt, and no team starts."""
    return {"nicknames": [each.nickname for each in opening.identikits]}, Wish("own")
