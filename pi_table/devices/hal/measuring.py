"""Measurements from the controller. Each state message contains some of the measurements. Readings
of the pads must be requested from the controller, and are requested only while there is a
subscriber. Times are in seconds."""

import math
from collections.abc import Callable
from typing import Final

from pi_table.devices.hal.contracts import Counts, Readings
from pi_table.devices.wire.commands import Ask, Tell
from pi_table.devices.wire.link import Link
from pi_table.devices.wire.messages import Raw, SettingsReply

EVERY: Final = 0.1
"""Seconds between two requests. This is short enough to follow the movement of a hand."""
RETRY_SECONDS: Final = 1.0
"""Seconds after which an unanswered request is repeated, because requests are dropped if the link
is lost."""


class Measuring:
    def __init__(self, link: Link) -> None:
        self._link = link
        self._on_readings: Callable[[Readings], None] | None = None
        self._pads = False
        self.wakes = math.inf
        """Time in seconds at which `go_on` must be called next; infinite while there is no
        subscriber."""
        self._raw: Raw | None = None
        self._thresholds: tuple[int, ...] = ()

    def begin(self, on_readings: Callable[[Readings], None] | None, pads: bool, now: float) -> None:
        """Start reports to ``on_readings``; if ``on_readings`` is None, stop the reports. If
        ``pads`` is true, the reports include the pads' counts."""
        self._on_readings, self._pads = on_readings, pads
        self.wakes, self._raw, self._thresholds = math.inf, None, ()
        if on_readings is not None:
            self._tell()
            self.wakes = now

    def on_answer(self, answer: Raw | SettingsReply, now: float) -> None:
        if self._on_readings is None or not self._pads:
            return
        if isinstance(answer, SettingsReply):
            self._thresholds = answer.settings.touch
            self.wakes = now
        else:
            self._raw = answer
            self.wakes = now + EVERY
            self._tell()

    def go_on(self, now: float) -> None:
        """If the time `wakes` has come, request the counts of the pads. If the subscriber does not
        want them, or the link is down, send a report without them."""
        if now < self.wakes:
            return
        if self._pads and self._link.is_up:
            self._link.request(Ask(Tell.RAW if self._thresholds else Tell.SETTINGS))
            self.wakes = now + RETRY_SECONDS
            return
        self._raw, self._thresholds = None, ()  # after a lost link, it may be another controller
        self.wakes = now + EVERY
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
