"""What the sockets show of a word game."""

from typing import Any

from pi_table.engine.phones.shown import JUDGE, Shown
from pi_table.engine.word_games.sight import sight
from pi_table.ipc.messages import PublicMessage, Said, TableMessage
from pi_table.rules.refusal import Refused
from pi_table.rules.seat import Role, Seat
from pi_table.rules.word_games.board import State
from pi_table.rules.word_games.views import PublicView, SeatView, view


def public_message(view: PublicView, out_of_order: bool, said: tuple[Said, ...]) -> PublicMessage:
    return PublicMessage(view, out_of_order, said)


def console_message(
    state: State, seen: PublicView, time: float, peeks: Seat | None, common: dict[str, Any]
) -> TableMessage:
    """The message for the hidden screen. The message holds the key while somebody peeks."""
    key = None if peeks is None else state.key
    return TableMessage(seen, None if key is None else key.letters, **common)


def look(state: State, seat: Seat, time: float, may_be_told: bool) -> SeatView:
    """What a seat is told that asks for a look."""
    return view(state, seat, time)


def phone(state: State, seat: Seat, time: float, may: tuple[str, ...], holds: bool) -> Shown:
    """What the phone of a seat shows: the key to a spymaster who holds, while the game is
    played."""
    if "clue" in may and state.board.known_words:
        may = (*may, JUDGE)
    if not holds or seat.role is not Role.SPYMASTER:
        return Shown(may)
    try:
        sight(state, seat)
    except Refused:
        return Shown(may)
    key = state.key
    return Shown(may, None if key is None else key.letters)
