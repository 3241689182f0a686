"""The key of a word game on the screen: whether it is visible, and for how many seconds."""

from typing import Final

from msgspec import UNSET

from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console.model import Model

PEEK_ENDS: Final = 20.0
"""Seconds: the length of the countdown that the screen shows at the end of a peek."""


def visible_key(model: Model) -> str | None:
    """Return the key as 25 letters; None if the screen must not show the key."""
    table = model.table
    if not isinstance(table, TableMessage) or table.public is None or model.screen.hides_key:
        return None
    if table.public.key is not UNSET:
        return table.public.key
    return table.key if model.peeking or model.shows_key else None


def hides_in(model: Model, now: float) -> float | None:
    """Return the seconds until the visible key is hidden. Return None if more than `PEEK_ENDS`
    remain, or if no time limit runs."""
    table = model.table
    if table is None or table.peek is None or table.peek.left is None:
        return None
    left = max(0.0, table.peek.left - (now - model.arrived))
    return left if left <= PEEK_ENDS and visible_key(model) is not None else None


def can_peek(model: Model) -> bool:
    """True if there is a secret key that a press of PEEK can show on this screen, or hide again."""
    public = None if model.table is None else model.table.public
    if not isinstance(model.table, TableMessage) or public is None:
        return False
    if model.table.public is None or model.table.public.key is not UNSET:
        return False
    if public.outcome is not None or model.table.public.placed is not UNSET:
        return False  # the game is over, or the cards are still being laid out
    return model.screen.has_grid and not model.shows_key and not model.screen.hides_key
