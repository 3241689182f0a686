"""The device of a table in virtual time: the controller's real firmware in an `EmulatedTable`.

Unlike the driver `pi_table.devices.hal.controller`, it has no serial port and no clock. Time passes
only in `advance` and `stand_still`, and each byte arrives at its own virtual time.
"""

from collections.abc import Callable
from math import ceil
from typing import Final

from pi_table.common.errors import DeviceError
from pi_table.common.geometry import PLACE_COUNT, PLACES
from pi_table.devices.hal.contracts import LightFrame, Readings, TouchFrame
from pi_table.devices.hal.measuring import Measuring
from pi_table.devices.hal.simulated import DARK
from pi_table.devices.wire.link import Link
from pi_table.devices.wire.touches import Touches
from pi_table.simulator.emulated import EmulatedTable
from pi_table.simulator.hands import FINGER_COUNTS, FINGER_MS

SECOND: Final = 1_000_000
PIECE_US: Final = 50_000
"""Maximum microseconds between two readings of the controller's output. After a longer time, the
output's buffer would overflow."""
STARTS_WITHIN: Final = 5.0
"""Timeout in seconds for the controller to find its touch chips and send its hello."""


class VirtualController:
    """A `TouchGrid` and `Lights` for the engine, with functions to touch places and see the lights.

    ``now`` is the time in seconds. It is 0 when the controller has started and can feel every
    place. Raises DeviceError if the controller does not start.
    """

    def __init__(self, table: EmulatedTable) -> None:
        self._table = table
        self._link = Link()
        self._link.on_open()
        self._measuring = Measuring(self._link)
        self._on_frame: Callable[[TouchFrame], None] = lambda frame: None
        self.frame = TouchFrame(deaf=frozenset(range(PLACE_COUNT)))
        self._unread = b""
        """Bytes that the controller sent while the program was stopped, and that are not read
        yet."""
        self._begun_us = 0
        self.shown: LightFrame = DARK
        self.on_show: Callable[[LightFrame], None] | None = None
        """Function that is called with each frame that the lights show, at the time of the
        frame."""
        self._wait_for_start()

    @property
    def now(self) -> float:
        return (self._table.now_us - self._begun_us) / SECOND

    # The driver's side

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        self._on_frame = on_frame
        on_frame(self.frame)

    def measure(self, on_readings: Callable[[Readings], None] | None, pads: bool = False) -> None:
        self._measuring.begin(on_readings, pads, self._table.now_us / SECOND)

    def show(self, frame: LightFrame) -> None:
        self._link.show(frame)

    def close(self) -> None:
        self._table.close()

    # The world's side

    def touch(self, place: int) -> None:
        self._table.tell(f"shape 0 {PLACES[place]} {FINGER_MS}:{FINGER_COUNTS}")

    def release(self, place: int) -> None:
        self._table.tell(f"shape 0 {PLACES[place]} {FINGER_MS}:0")

    def advance(self, until: float) -> None:
        """Let time pass until ``until`` (seconds), or until the controller has reported a touch."""
        # Rounding must not make the end earlier than ``until``.
        end_us = self._begun_us + ceil(until * SECOND + 0.001)
        felt = False
        while not felt and self._table.now_us < end_us:
            self._measuring.go_on(self._table.now_us / SECOND)
            while said := self._link.to_send(self._table.now_us / SECOND):
                self._table.write(said)
            wakes = self._measuring.wakes
            if self._link.wakes is not None:
                wakes = min(wakes, self._link.wakes)
            due_us = round(min(wakes * SECOND, end_us))
            # Let at least a microsecond pass, even if something is due or late.
            self._table.run(max(due_us, self._table.now_us + 1), stop_early=True)
            felt = self._hear()
            self._see()

    def stand_still(self, until: float, room: int | None = None) -> None:
        """Let time pass until ``until`` (seconds), as if the program were stopped.

        The next `advance` receives what the controller sends in this time, but at most the first
        ``room`` bytes.
        """
        end_us = self._begun_us + ceil(until * SECOND)
        while self._table.now_us < end_us:
            self._table.run(min(end_us, self._table.now_us + PIECE_US))
            self._unread = (self._unread + self._table.read())[:room]

    def _hear(self) -> bool:
        said, self._unread = self._unread + self._table.read(), b""
        now = self._table.now_us / SECOND
        events = self._link.receive(said, now)
        touches = [event for event in events if isinstance(event, Touches)]
        for felt in touches:
            late = felt is touches[-1] and self._link.is_late and bool(felt.touched)
            self.frame = TouchFrame(
                felt.touched,
                felt.deaf,
                felt.heavy,
                felt.blocked,
                noisy=felt.noisy,
                late=late,
                perhaps=felt.perhaps,
            )
            self._on_frame(self.frame)
        for event in events:
            if not isinstance(event, Touches):
                self._measuring.on_answer(event, now)
        return bool(touches)

    def _see(self) -> None:
        for shown in self._table.new_frames():
            self.shown = shown.frame
            if self.on_show is not None:
                self.on_show(self.shown)

    def _wait_for_start(self) -> None:
        while self.frame.deaf:
            if self.now > STARTS_WITHIN:
                raise DeviceError("The emulated controller does not start.")
            self.advance(self.now + 0.1)
        self._begun_us = self._table.now_us
