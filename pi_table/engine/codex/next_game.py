"""What the next game of Codex takes over from the one that is over."""

from typing import Any

from pi_table.engine.dealing import Wish
from pi_table.rules.codex.board import Board
from pi_table.rules.codex.events import AgentsDealt
from pi_table.rules.seat import AGENTS


def next_game(opening: AgentsDealt, board: Board, swaps: bool) -> tuple[dict[str, Any], Wish]:
    """The agents keep their nicknames and their phones. No words are dealt, and no team starts."""
    kept: dict[str, Any] = {"nicknames": [each.nickname for each in opening.identikits]}
    if board.phones:
        kept["phones"] = [AGENTS[agent].value for agent in board.phones]
    return kept, Wish("own")
