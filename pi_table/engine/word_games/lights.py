"""The lights of a word game: the state of its cells and its two pads."""

from typing import Final

from pi_table.engine.colours import AMBER, COVER, OFF, PAUSED, TEAM, VIOLET, WARM, WHITE, dim, mix
from pi_table.geometry import CELL_COUNT, END_TURN, HOURGLASS
from pi_table.rules.seat import Seat
from pi_table.rules.word_games.acts import TurnHourglass
from pi_table.rules.word_games.board import Board, Phase
from pi_table.rules.word_games.key import identity_at
from pi_table.rules.word_games.phases import why_not

_LAID: Final = dim(WARM, 0.08)
"""The light under a card that lies already, while others are still to be laid (DU-2)."""


def lights(board: Board, urging: bool, now: float) -> list[int]:
    """The colours of all places at ``now`` (seconds): cells in their order, then the two pads."""
    ground = _ground(board)
    if urging:
        # A slow swell, twice in three seconds: noticed from the side, not nagging.
        ground = dim(ground, 0.5 + abs((now / 1.5) % 1.0 - 0.5))
    cells = [ground if covered is None else COVER[covered] for covered in board.covered]
    if board.laying is not None:
        for cell in board.laying.placed:
            cells[cell] = _LAID
    if board.open_key is not None:
        for cell, covered in enumerate(board.covered):
            hidden = identity_at(board.open_key.letters, cell)
            if covered is None and hidden is not None:
                cells[cell] = dim(COVER[hidden], 0.15)
    if board.layout.without_card is not None:
        cells[board.layout.without_card] = dim(VIOLET, 1.0 if board.is_armed else 0.12)
    pads = [_end_turn_pad(board), _hourglass_pad(board, urging, now)]
    frame = [*cells, *pads]
    return [dim(colour, PAUSED) for colour in frame] if board.paused else frame


def can_be_touched(board: Board, place: int) -> bool:
    """Is there anything that a finger can still do here? What is covered stays lit though deaf."""
    if board.phase is Phase.OVER:
        return False
    if place == board.layout.without_card:
        return False
    if board.laying is not None:
        return place not in board.laying.placed
    return place >= CELL_COUNT or board.covered[place] is None


def _ground(board: Board) -> int:
    """The light of a cell that nobody has covered: whose turn it is, and may they touch?"""
    if board.phase in (Phase.GUESS, Phase.PLACE):
        return mix(dim(WARM, 0.25), TEAM[board.turn], 0.12)
    if board.phase is Phase.CLUE:
        return mix(dim(WARM, 0.25), TEAM[board.turn], 0.03)
    if board.outcome is not None and board.outcome.winner is not None:
        return dim(TEAM[board.outcome.winner], 0.08)
    return dim(WARM, 0.25)


def _end_turn_pad(board: Board) -> int:
    may_stop = board.phase is Phase.GUESS and board.guesses > 0
    return dim(TEAM[board.turn], 0.5) if may_stop else OFF


def _hourglass_pad(board: Board, urging: bool, now: float) -> int:
    """Lit while it can be turned over: brighter while its sand runs, and when that has run out."""
    if why_not(board, Seat.OPERATOR, TurnHourglass) is not None:
        return OFF
    if board.countdown is None:
        return dim(WARM, 0.7)
    return AMBER if urging else dim(AMBER, 0.35)


def hand(board: Board) -> int:
    """The colour of a finger: of those whose turn it is."""
    return mix(TEAM[board.turn], WHITE, 0.5)


def urging(board: Board, time: float) -> bool:
    """Has the hourglass or the clock run down (CN-24)?"""
    return board.urging(time)


assert (END_TURN, HOURGLASS) == (CELL_COUNT, CELL_COUNT + 1)
