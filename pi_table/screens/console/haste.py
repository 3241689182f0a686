"""Protection against presses that are too fast to be meant for the current screen.

A bouncing knob, a double tap or impatient pressing can pass several screens that nobody has read.
Such presses may open screens, but they may not change anything at the table.
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
"""Seconds that must pass without a press before a press on a new screen may change anything."""
_ONLY_SHOW: Final[tuple[Name, ...]] = (
    *("peek", "unpeek", "here", "lock", "service", "leave-service"),
    *("clues", "record", "tally", "packs", "doctor"),
)
"""Acts that change only what the screen shows. A hasty press may request them."""


class Haste:
    """The detector of hasty presses.

    Presses that follow one another within ``quiet`` seconds form a series. A press is hasty if the
    current screen is not the one on which its series began.
    """

    def __init__(self, quiet: float) -> None:
        self._quiet = quiet
        self._pressed = float("-inf")
        self._read: object = None

    def refuses(
        self, model: Model, happening: Happening, requests: Iterable[Request], now: float
    ) -> bool:
        """True if ``happening`` is a hasty press that would change something at the table.
        ``model`` is the console before the press, and ``requests`` are the requests that the press
        would send."""
        if not isinstance(happening, Input | Choose | Typed):
            return False
        if not _takes_a_choice(happening):
            self._pressed = float("-inf")  # turning or typing shows that the screen was read
            return False
        if now - self._pressed >= self._quiet:
            self._read = _fingerprint(model, now)
        self._pressed = now
        does = any(request.do["act"] not in _ONLY_SHOW for request in requests)
        return does and _fingerprint(model, now) != self._read


def _takes_a_choice(happening: Input | Choose | Typed) -> bool:
    return isinstance(happening, Choose) or happening in (Input.PRESS, Typed(ENTER))


def _fingerprint(model: Model, now: float) -> object:
    return model.invites(now), tuple(type(screen) for screen in model.screens)
