"""Measuring at a controller: what its states tell anyway; and what its pads read, which it is asked
for as long as somebody wants to see that. Times are in seconds.
"""

import math
from collections.abc import Callable
from typing import Final

from pi_table.devices.hal.contracts import Counts, Readings
from pi_table.devices.wire.commands import Ask, Tell
from pi_table.devices.wire.link import Link
from pi_table.devices.wire.messages import Raw, SettingsTold

EVERY: Final = 0.1
"""How often the controller is asked, in seconds: as often as a hand is watched with ease."""
RETRY_SECONDS: Final = 1.0
"""Seconds until a question that was not answered is asked again: the link was lost, and has
forgotten it."""


class Measuring:
    """What somebody wants to be told of a controller, and when it is to be asked for."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._on_readings: Callable[[Readings], None] | None = None
        self._pads = False
        self._due = math.inf
        """When something is to be asked for, or told."""
        self._raw: Raw | None = None
        self._thresholds: tuple[int, ...] = ()

    @property
    def wakes(self) -> float:
        """When `go_on` is due next; infinite while nobody wants to be told."""
        return self._due

    def begin(self, on_readings: Callable[[Readings], None] | None, pads: bool, now: float) -> None:
        """Tell this function from now on; None: nobody. With ``pads``, also what those read."""
        self._on_readings, self._pads = on_readings, pads
        self._due, self._raw, self._thresholds = math.inf, None, ()
        if on_readings is not None:
            self._tell()
            self._due = now

    def heard(self, answer: Raw | SettingsTold, now: float) -> None:
        """Take an answer of the controller."""
        if self._on_readings is None or not self._pads:
            return
        if isinstance(answer, SettingsTold):
            self._thresholds = answer.settings.touch
            self._due = now
        else:
            self._raw = answer
            self._due = now + EVERY
            self._tell()

    def go_on(self, now: float) -> None:
        """Ask for what is due, or tell it."""
        if now < self._due:
            return
        if self._pads and self._link.is_up:
            self._link.request(Ask(Tell.RAW if self._thresholds else Tell.SETTINGS))
            self._due = now + RETRY_SECONDS
            return
        self._raw, self._thresholds = None, ()  # the link is lost: it may be another controller
        self._due = now + EVERY
        self._tell()

    def _tell(self) -> None:
        if self._on_readings is None:
            return
        state, raw = self._link.state, self._raw
        deltas: tuple[int | None, ...] = ()
        if raw is not None:
            pairs = zip(raw.filtered, raw.baseline, strict=True)
            deltas = tuple(None if count is None else base - count for count, base in pairs)
        self._on_readings(
            Readings(
                deltas,
                self._thresholds,
                noisy=frozenset() if state is None else state.noisy,
                current_ma=None if state is None else state.current_ma,
                capped=state is not None and state.starving,
                counts=Counts(**self._link.counts),
            )
        )
