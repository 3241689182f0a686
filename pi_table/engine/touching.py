"""What a touch means: who does what by it, as the game stands."""

from pi_table.geometry import AGENT_CELLS, CELLS, END_TURN, HOURGLASS
from pi_table.rules.chance import Chance
from pi_table.rules.codex import acts as codex_acts
from pi_table.rules.codex.board import DISCUSS, VOTE
from pi_table.rules.codex.board import Board as CodexBoard
from pi_table.rules.games import AnyAct, AnyState
from pi_table.rules.seat import AGENTS, Role, Seat, seat_of
from pi_table.rules.word_games import acts
from pi_table.rules.word_games.board import State
from pi_table.rules.word_games.drawing import key_with_card


def touched(place: int, state: AnyState, chance: Chance) -> tuple[Seat, AnyAct] | None:
    """The act that touching a place is, and whose; None where it is nobody's."""
    if isinstance(state, State):
        return _on_words(place, state, chance)
    return _in_codex(place, state.board)


def _on_words(place: int, state: State, chance: Chance) -> tuple[Seat, AnyAct]:
    """Fingers are the operatives' whose turn it is."""
    board = state.board
    seat = seat_of(board.turn, Role.OPERATIVES)
    if place == END_TURN:
        return seat, acts.Stop()
    if place == HOURGLASS:
        return seat, acts.TurnHourglass()
    assert place < len(CELLS)
    if board.laying is None:
        return seat, acts.Guess(place)
    return seat, acts.Place(place, None, key_with_card(state, chance))


def _in_codex(place: int, board: CodexBoard) -> tuple[Seat, AnyAct] | None:
    """Six cells are the agents: whoever's turn it is votes for one of them (CX-7, CX-17)."""
    if board.phase is VOTE and board.turn is not None and place in AGENT_CELLS:
        return AGENTS[board.turn], codex_acts.CastVote(AGENT_CELLS.index(place))
    if board.phase is DISCUSS and place == END_TURN:
        return Seat.OPERATOR, codex_acts.EndDiscussion()
    return None
