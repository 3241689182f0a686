"""Presses that follow one another too fast to be meant for what is on the screen by now.

A knob that bounces, a double tap, or somebody who presses on and on, goes through screens that
nobody has read. That may open screens; it may not do anything at the table.
"""

from collections.abc import Iterable
from typing import Final

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Request
from pi_table.screens.console.acts import Name
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.model import Model
from pi_table.screens.console.typing_screen import ENTER

QUIET_SECONDS: Final = 0.25
"""A press is meant for a screen that nobody saw before if it comes so long after the last one."""
_ONLY_SHOW: Final[tuple[Name, ...]] = (
    *("peek", "unpeek", "here", "lock", "service", "leave-service"),
    *("clues", "record", "tally", "packs", "doctor"),
)
"""Acts that change nothing but what is on the screen."""


class Haste:
    """Tells presses that are not meant from those that are: a press comes in haste if it follows
    the last one within ``quiet`` seconds, and so does that, back to the first one of them, and
    another screen was there when that one came."""

    def __init__(self, quiet: float) -> None:
        self._quiet = quiet
        self._pressed = float("-inf")
        self._read: object = None

    def refuses(
        self, model: Model, happening: Happening, requests: Iterable[Request], now: float
    ) -> bool:
        """Is this a press in haste that would ask the table to do something? ``model`` is the
        console before it, ``requests`` what it would ask for."""
        if not isinstance(happening, Input | Choose | Typed):
            return False
        if not _takes_a_choice(happening):
            self._pressed = float("-inf")  # who turns or types has looked
            return False
        if now - self._pressed >= self._quiet:
            self._read = _seen(model, now)
        self._pressed = now
        does = any(request.do["act"] not in _ONLY_SHOW for request in requests)
        return does and _seen(model, now) != self._read


def _takes_a_choice(happening: Input | Choose | Typed) -> bool:
    return isinstance(happening, Choose) or happening in (Input.PRESS, Typed(ENTER))


def _seen(model: Model, now: float) -> object:
    return model.invites(now), tuple(type(screen) for screen in model.screens)
