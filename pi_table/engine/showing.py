"""What the sockets show of a game: to everybody, and on the hidden screen."""

from typing import Any

from pi_table.engine.session import Session
from pi_table.ipc.messages import (
    AnyPublicMessage,
    AnyTableMessage,
    CodexMessage,
    CodexPublicMessage,
    Door,
    PublicMessage,
    TableMessage,
)
from pi_table.rules import games
from pi_table.rules.codex import hidden as codex
from pi_table.rules.codex.views import AgentView, CodexView
from pi_table.rules.games import AnyBoard
from pi_table.rules.seat import Seat
from pi_table.rules.word_games.board import State


def to_everybody(board: AnyBoard | None, time: float, out_of_order: bool) -> AnyPublicMessage:
    """The message for the public socket; ``time`` is in seconds of the game."""
    seen = None if board is None else games.public_view(board, time)
    if isinstance(seen, CodexView):
        return CodexPublicMessage(seen, out_of_order)
    return PublicMessage(seen, out_of_order)


def on_the_hidden_screen(
    session: Session, time: float, of_the_operator: tuple[str, ...], **more: Any
) -> AnyTableMessage:
    """The message for the console: it holds the key, or what the agent at the screen may see."""
    state = session.state
    may = {Seat.OPERATOR.value: of_the_operator}
    if state is not None:
        may = {seat.value: games.may(state, seat) for seat in games.seats(state.board)}
        may[Seat.OPERATOR.value] += of_the_operator
    common: dict[str, Any] = {
        "may": may,
        "settings": None if state is None else state.board.settings,
        "game": session.game,
        "packs": session.packs,
        **more,
    }
    if state is None:
        return TableMessage(None, None, **common)
    seen = games.public_view(state.board, time)
    if isinstance(state, State):
        return TableMessage(seen, None if state.key is None else state.key.letters, **common)
    door, agent = _at_screen(state, time)
    return CodexMessage(seen, door, agent, **common)


def _at_screen(state: codex.State, time: float) -> tuple[Door | None, AgentView | None]:
    """Who is at the hidden screen, and, once they are in, what they may see there."""
    for seat in games.seats(state.board):
        if state.board.at_screen(seat):
            seen = games.view(state, seat, time)
            is_in = seen.code == "open"
            return Door(seat, seen.code, seen.tries_left), seen if is_in else None
    return None, None
