"""What is hidden in a word game, and who may look at it."""

import msgspec

from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, Seat
from pi_table.rules.word_games.board import State


class KeyInForce(msgspec.Struct, frozen=True):
    """The key of a game, after so many were drawn anew."""

    new_keys: int


def sight(state: State, seat: Seat) -> KeyInForce:
    """The key, for its spymasters, while the game is played. Raises Refused."""
    board = state.board
    if seat.role is not Role.SPYMASTER:
        raise Refused(Reason.WRONG_SEAT)
    if board.open_key is not None:
        raise Refused(Reason.ALREADY_REVEALED)
    if board.outcome is not None:
        raise Refused(Reason.GAME_OVER)
    if state.key is None:
        raise Refused(Reason.CARDS_FIRST)
    return KeyInForce(board.new_keys)
