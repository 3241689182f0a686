"""What the sockets show of a word game."""

from typing import Any

from pi_table.ipc.messages import PublicMessage, Said, TableMessage
from pi_table.rules.seat import Seat
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
