"""The messages of a word game for the sockets."""

from typing import Any

import msgspec

from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.views import PublicView, SeatView, view
from pi_table.protocols.ipc.messages import PublicMessage, Said, TableMessage
from pi_table.table.engine.phones.shown import JUDGE, PhoneView


class KeyInForce(msgspec.Struct, frozen=True):
    """Identifies the game's current key by the number of times that the key was redrawn."""

    new_keys: int


def sight(state: State, seat: Seat) -> KeyInForce:
    """Return the id of the key that a spymaster may see now. Raises Refused if the seat may see
    none."""
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


def public_message(view: PublicView, out_of_order: bool, said: tuple[Said, ...]) -> PublicMessage:
    return PublicMessage(view, out_of_order, said)


def console_message(
    state: State, seen: PublicView, time: float, peeks: Seat | None, common: dict[str, Any]
) -> TableMessage:
    """Return the message for the hidden screen, with the key while somebody peeks."""
    key = None if peeks is None else state.key
    return TableMessage(seen, None if key is None else key.letters, **common)


def look(state: State, seat: Seat, time: float, may_be_told: bool) -> SeatView:
    return view(state, seat, time)


def phone(state: State, seat: Seat, time: float, may: tuple[str, ...], holds: bool) -> PhoneView:
    """Return what a seat's phone shows. It has the key while a spymaster holds a finger on the
    phone."""
    if "clue" in may and state.board.known_words:
        may = (*may, JUDGE)
    if not holds or seat.role is not Role.SPYMASTER:
        return PhoneView(may)
    try:
        sight(state, seat)
    except Refused:
        return PhoneView(may)
    key = state.key
    return PhoneView(may, None if key is None else key.letters)
