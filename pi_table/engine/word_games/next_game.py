"""What the next word game takes over from the one that is over."""

from typing import Any

from pi_table.engine.dealing import Wish
from pi_table.rules.word_games.board import Board
from pi_table.rules.word_games.events import Dealt


def next_game(opening: Dealt, board: Board, swaps: bool) -> tuple[dict[str, Any], Wish]:
    """The words come from where they came from: the same pack, or cards of the players' own."""
    own = opening.words is None and opening.hands is None
    pack = None if opening.deck is None else opening.deck.pack
    starts = {"starts": board.starts.other.value} if swaps else {}
    return starts, Wish("own" if own else "dealt", pack)
