"""A conversation with the controller: sends one request at a time, and waits for each answer.

The engine's driver uses the same protocol (`pi_table.devices.wire`), but does not wait.
"""

from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeVar

from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.devices.hal import controller_trouble
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.wire.commands import Ask, Restart, Store, Tell
from pi_table.devices.wire.link import Event, Link
from pi_table.devices.wire.messages import CHIP_COUNT, Hello, Raw, SettingsReply, State
from pi_table.devices.wire.settings import Settings
from pi_table.maintenance.bring_up.raw_touch import Reading

GREETING_SECONDS: Final = 3.0
"""Timeout in seconds for the controller's hello. Opening the port restarts a Nano, which first runs
its boot loader."""
ANSWER_SECONDS: Final = 3.0
"""Timeout in seconds for an answer. A lost link must come back within this time."""


class Line(Protocol):
    """A serial line to a controller, with a clock."""

    def now(self) -> float:
        """Return the time in seconds, from a clock that never goes backwards."""

    def send(self, data: bytes) -> None:
        """Send bytes. Raises DeviceError if the serial device was unplugged."""

    def receive(self, seconds: float) -> bytes:
        """Wait at most this many seconds for bytes; return them, or b"". Raises DeviceError as
        `send` does."""


Answer = TypeVar("Answer", Raw, SettingsReply)


class Conversation:
    """A conversation with the controller at ``line``. Errors name the port ``where``.

    Any method may raise DeviceError. A link that is lost and comes back is no error.
    """

    def __init__(self, line: Line, where: str) -> None:
        """Wait until the controller has sent its hello."""
        self._line = line
        self._where = where
        self._link = Link()
        self._link.on_open()
        self._said_nothing = controller_trouble.silent
        self._greet(line.now() + GREETING_SECONDS)
        self._said_nothing = controller_trouble.fallen_silent

    @property
    def hello(self) -> Hello:
        assert self._link.hello is not None
        return self._link.hello

    def now(self) -> float:
        return self._line.now()

    def state(self) -> State:
        """Wait for the next state from the controller, and return it."""
        before, until = self._link.state, self._line.now() + ANSWER_SECONDS
        while self._link.state is None or self._link.state is before or self._link.is_behind:
            self._exchange(until)
        return self._link.state

    def state_after_restarts(self) -> State:
        """Return the next state. If a touch chip is missing in it, wait until a restart of the chip
        would be over, and return the state then."""
        state = self.state()
        if len(state.chips) == CHIP_COUNT:
            return state
        self.pause(controller_trouble.RESTART_MS / 1000)
        return self.state()

    def raw(self) -> Raw:
        """Return the present counts of all pads."""
        return self._answer(Ask(Tell.RAW), Raw)

    def listen(
        self, seconds: float, before_each: Callable[[], None] = lambda: None
    ) -> tuple[list[Raw], frozenset[int]]:
        """Read all pads again and again for this many seconds, at least once. Call ``before_each``
        before each reading.

        Return the readings, and the pads (0 … 30) that the controller reported as noisy. The noise
        of such a pad changes its counts by as much as a touch does.
        """
        raws, noisy, until = list[Raw](), frozenset[int](), self._line.now() + seconds
        while not raws or self._line.now() < until:
            before_each()
            raws.append(self.raw())
            if self._link.state is not None:
                noisy |= self._link.state.noisy
        return raws, noisy

    def readings(self) -> Iterator[Reading]:
        """Yield the counts of all pads again and again, as fast as the controller sends them."""
        while True:
            yield Reading(self._line.now(), self.raw().filtered)

    def settings(self) -> Settings:
        """Return the settings that the controller uses."""
        return self._answer(Ask(Tell.SETTINGS), SettingsReply).settings

    def store(self, settings: Settings) -> None:
        """Make the controller use and store these settings. Raises DeviceError if the controller
        refuses."""
        if self._answer(Store(settings), SettingsReply).refused:
            raise DeviceError(
                say(
                    "The controller at {where} refused the settings and keeps those that it has. "
                    "Its firmware may be older than this program: `pi-table flash` writes ours.",
                    where=self._where,
                )
            )

    def show(self, frame: LightFrame) -> None:
        """Set the frame that the lights show. The frame is sent with the next request."""
        self._link.show(frame)

    def restart(self) -> None:
        """Restart the touch chips with the next request. No finger may touch the pads during the
        restart."""
        self._link.request(Restart())

    def pause(self, seconds: float) -> None:
        """Wait for this many seconds, but keep sending: the controller treats a silent Pi as
        disconnected."""
        until = self._line.now() + seconds
        while (now := self._line.now()) < until:
            self._exchange(until, now)

    def _answer(self, request: Ask | Store, kind: type[Answer]) -> Answer:
        until = self._line.now() + ANSWER_SECONDS
        while True:
            self._greet(until)
            self._link.request(request)
            while self._link.is_up:
                for event in self._exchange(until):
                    if isinstance(event, kind):
                        return event

    def _greet(self, until: float) -> None:
        while not self._link.is_up:
            self._exchange(until)

    def _exchange(self, until: float, now: float | None = None) -> list[Event]:
        """Send and receive once. Return the events that the link reports, if any. ``now`` is the
        time if it has just been read.

        Raises DeviceError if ``until`` has passed, or if the controller has another protocol
        version.
        """
        now = self._line.now() if now is None else now
        if self._link.other_protocol is not None:
            raise DeviceError(
                controller_trouble.other_protocol(self._where, self._link.other_protocol)
            )
        if now >= until:
            raise DeviceError(self._said_nothing(self._where))
        if data := self._link.to_send(now):
            self._line.send(data)
        wakes = self._link.wakes
        heard = self._line.receive(max(0.0, min(until, until if wakes is None else wakes) - now))
        now = self._line.now()
        return self._link.receive(heard, now) if heard else self._link.tick(now)
