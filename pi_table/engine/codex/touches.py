"""What a touch means in Codex: six cells are the agents, and a vote is a touch (CX-7, CX-17)."""

from pi_table.geometry import AGENT_CELLS, END_TURN
from pi_table.rules.chance import Chance
from pi_table.rules.codex import acts
from pi_table.rules.codex.board import DISCUSS, VOTE
from pi_table.rules.codex.hidden import State
from pi_table.rules.seat import AGENTS, Seat


def touched(place: int, state: State, chance: Chance) -> tuple[Seat, acts.Act] | None:
    """The act that touching ``place`` is, and whose; None where it is nobody's."""
    board = state.board
    if board.phase is VOTE and board.turn is not None and place in AGENT_CELLS:
        return AGENTS[board.turn], acts.CastVote(AGENT_CELLS.index(place))
    if board.phase is DISCUSS and place == END_TURN:
        return Seat.OPERATOR, acts.EndDiscussion()
    return None
