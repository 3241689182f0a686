"""What the sockets show of a game of Codex."""

from typing import Any

from pi_table.ipc.messages import CodexMessage, CodexPublicMessage, Door
from pi_table.rules.codex.game import seats, view
from pi_table.rules.codex.hidden import State
from pi_table.rules.codex.views import AgentView, CodexView


def public_message(view: CodexView, out_of_order: bool) -> CodexPublicMessage:
    return CodexPublicMessage(view, out_of_order)


def console_message(
    state: State, seen: CodexView, time: float, common: dict[str, Any]
) -> CodexMessage:
    """The message for the hidden screen: it holds what the agent who is there may see."""
    door, agent = _at_screen(state, time)
    return CodexMessage(seen, door, agent, **common)


def _at_screen(state: State, time: float) -> tuple[Door | None, AgentView | None]:
    """Who is at the hidden screen, and, once they are in, what they may see there."""
    for seat in seats(state.board):
        if state.board.at_screen(seat):
            seen = view(state, seat, time)
            assert isinstance(seen, AgentView)
            is_in = seen.code == "open"
            return Door(seat, seen.code, seen.tries_left), seen if is_in else None
    return None, None
