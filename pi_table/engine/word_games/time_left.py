"""What the table says of the time that a word game has: the hourglass, and the clock (CN-24)."""

from pi_table.rules.countdown import Countdown
from pi_table.rules.seat import Seat
from pi_table.rules.word_games.acts import TurnHourglass
from pi_table.rules.word_games.board import Board
from pi_table.rules.word_games.phases import why_not


def urging(board: Board, time: float) -> bool:
    """Has the hourglass run down, or a clock that urges? One that ends the turn has no need to."""
    settings = board.settings
    ends_turns = settings.timer == "clock" and settings.clock_end == "end-turn"
    return not ends_turns and board.urging(time)


def hurried_by(board: Board) -> Countdown | None:
    """The time of whose last seconds everybody is told."""
    return board.countdown


def has_hourglass(board: Board) -> bool:
    """Can the hourglass be turned over now?"""
    return why_not(board, Seat.OPERATOR, TurnHourglass) is None
