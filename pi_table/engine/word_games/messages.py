"""What the sockets show of a word game."""

from typing import Any

from pi_table.ipc.messages import PublicMessage, TableMessage
from pi_table.rules.word_games.board import State
from pi_table.rules.word_games.views import PublicView


def public_message(view: PublicView, out_of_order: bool) -> PublicMessage:
    return PublicMessage(view, out_of_order)


def console_message(
    state: State, view: PublicView, time: float, common: dict[str, Any]
) -> TableMessage:
    """The message for the hidden screen: it holds the key."""
    return TableMessage(view, None if state.key is None else state.key.letters, **common)
