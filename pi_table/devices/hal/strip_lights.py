"""`Lights` on a strip that this machine drives, with a thread that sends the frames.

Sending a frame takes milliseconds, and a faulty device may block for any time. So the event loop
waits neither for a frame nor for the device. If several frames arrive meanwhile, only the newest is
sent next.
"""

import logging
from threading import Condition, Thread
from typing import Final, Protocol

from pi_table.common.errors import DeviceError
from pi_table.common.geometry import LED_COUNT
from pi_table.common.light_layout import LightLayout
from pi_table.common.realtime import follow_main_thread
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.strip import pulses_of

log = logging.getLogger("pi_table")

RETRY_SECONDS: Final = 1.0
"""Seconds after which a failed frame is sent again, unless a newer frame arrives before."""
ENDING_SECONDS: Final = 2.0
"""Maximum time in seconds for which `close` waits until the strip is dark."""
DARK: Final[LightFrame] = (0,) * LED_COUNT


class Strip(Protocol):
    """A strip of LEDs that takes pulses. All its methods are called from one thread."""

    def put(self, pulses: tuple[int, ...]) -> None:
        """Send the pulses 0xRRGGBB of each light, in strip order. This may block. Raises
        DeviceError."""

    def close(self) -> None:
        """Release the device."""


class StripLights:
    """The `Lights` of a strip. A fault is logged once, and failed frames are sent again until the
    fault is over."""

    def __init__(self, strip: Strip, most_ma: int, layout: LightLayout) -> None:
        """``most_ma`` is the current limit in milliamperes."""
        self._strip = strip
        self._layout = layout
        self._most_ma = most_ma
        self._changed = Condition()
        self._due: LightFrame | None = None
        self._closing = False
        self._trouble: str | None = None
        self._thread = Thread(target=self._serve, name="lights", daemon=True)
        self._thread.start()

    def show(self, frame: LightFrame) -> None:
        with self._changed:
            self._due = frame
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(ENDING_SECONDS)

    def _serve(self) -> None:
        follow_main_thread()
        while (frame := self._next()) is not None:
            if not self._put(frame):
                self._keep(frame)
        self._put(DARK)
        self._strip.close()

    def _next(self) -> LightFrame | None:
        """Wait for the newest frame and return it; return None when the strip must become dark."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._due is not None)
            frame, self._due = self._due, None
            return None if self._closing else frame

    def _keep(self, frame: LightFrame) -> None:
        """Wait, then queue this failed frame again. If a newer frame arrives meanwhile, drop the
        failed frame."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._due is not None, RETRY_SECONDS)
            if self._due is None:
                self._due = frame

    def _put(self, frame: LightFrame) -> bool:
        try:
            self._strip.put(pulses_of(frame, self._most_ma, self._layout))
        except DeviceError as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                log.warning("%s", error)
            return False
        if self._trouble is not None:
            self._trouble = None
            log.info("The lights are back.")
        return True
