"""What the table says of the time that Codex has."""

from pi_table.rules.codex.board import DISCUSS, Board
from pi_table.rules.countdown import Countdown


def urging(board: Board, time: float) -> bool:
    """Never: a visit and a discussion end by themselves when their time is over."""
    return False


def hurried_by(board: Board) -> Countdown | None:
    """The time of whose last seconds everybody is told: that of the discussion. A visit's is told
    on the hidden screen."""
    return board.countdown if board.phase is DISCUSS else None


def has_hourglass(board: Board) -> bool:
    """Can an hourglass be turned over? There is none."""
    return False
