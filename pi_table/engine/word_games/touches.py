"""What a touch means in a word game: fingers are the operatives' whose turn it is."""

from pi_table.geometry import CELLS, END_TURN, HOURGLASS
from pi_table.rules.chance import Chance
from pi_table.rules.seat import Role, Seat, seat_of
from pi_table.rules.word_games import acts
from pi_table.rules.word_games.board import State
from pi_table.rules.word_games.drawing import key_with_card


def touched(place: int, state: State, chance: Chance) -> tuple[Seat, acts.Act]:
    """The act that touching ``place`` is, and whose."""
    board = state.board
    seat = seat_of(board.turn, Role.OPERATIVES)
    if place == END_TURN:
        return seat, acts.Stop()
    if place == HOURGLASS:
        return seat, acts.TurnHourglass()
    assert place < len(CELLS)
    if board.laying is None:
        return seat, acts.Guess(place)
    # Without a word: the card that is chosen, as the game stands when the finger has held on.
    return seat, acts.Place(place, None, key_with_card(state, chance))
