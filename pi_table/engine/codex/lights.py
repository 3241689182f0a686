"""The lights of Codex: six cells are the six agents (CX-1), all others are dark."""

from typing import Final

from pi_table.engine.colours import AMBER, OFF, PAUSED, TEAM, WARM, WHITE, dim
from pi_table.geometry import AGENT_CELLS, END_TURN, PLACE_COUNT
from pi_table.rules.codex.board import DISCUSS, VOTE, Board

_CALLED: Final = dim(WHITE, 0.8)
"""Whose visit, vote or choice it is."""
_COMING: Final = WARM
"""Who is still to come in this lap, or can be voted for."""
_RESTS: Final = dim(WARM, 0.3)


def lights(board: Board, urging: bool, now: float) -> list[int]:
    """The colours of all places, which stand still: cells in their order, then the two pads."""
    frame = [OFF] * PLACE_COUNT
    for agent, cell in enumerate(AGENT_CELLS):
        frame[cell] = _agent(board, agent)
    if board.phase is DISCUSS:
        frame[END_TURN] = dim(AMBER, 0.35)
    return [dim(colour, PAUSED) for colour in frame] if board.paused else frame


def can_be_touched(board: Board, place: int) -> bool:
    """Is there anything that a finger can do here now?"""
    if board.phase is VOTE:
        return place in AGENT_CELLS
    return board.phase is DISCUSS and place == END_TURN


def hand(board: Board) -> int:
    """The colour of a finger: no faction's, for nobody may know whose finger it is."""
    return WHITE


def urging(board: Board, time: float) -> bool:
    """Never: a visit and a discussion end by themselves when their time is over."""
    return False


def _agent(board: Board, agent: int) -> int:
    if board.outcome is not None:
        if board.identikits is not None:
            return dim(TEAM[board.identikits[agent].faction], 0.5)
        winner = board.outcome.winner
        return _RESTS if winner is None else dim(TEAM[winner], 0.3)
    if agent == board.turn:
        return _CALLED
    return _COMING if board.phase in (DISCUSS, VOTE) or agent in board.waiting else _RESTS
