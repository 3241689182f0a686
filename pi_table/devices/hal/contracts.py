"""The contracts of the table's devices: what the table requires, and what every driver guarantees.

The registry opens a driver and gives it everything that it needs. A driver never guesses and never
falls back on another driver. Nothing above these contracts knows which driver is in use. Each
driver must pass its contract's tests in `tests/hal`.
"""

import enum
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

HEARTBEAT: Final = 0.05
"""Maximum number of seconds between two touch frames while a place is touched."""


class TouchFrame(msgspec.Struct, frozen=True):
    """The touches of the whole grid at one instant. Places are numbers from 0 to 26.

    Unless ``late`` is true, a frame is at most about `HEARTBEAT` seconds old when it is reported: a
    driver reads everything that its device has sent before it reports the result.
    """

    touched: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the touched places."""
    deaf: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places that cannot be read; none of these places is in `touched`."""
    heavy: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the touched places on which something larger than a finger rests, such as
    a palm."""
    blocked: bool = False
    """True if the grid is wet or an arm rests on its rim. Then touches have no effect."""
    trouble: str | None = None
    """Sentences for the staff about the device's faults; None if there are no faults."""
    late: bool = False
    """True if the touches may be older than `HEARTBEAT` seconds, and may be over by now."""
    noisy: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places whose touches are unreliable because of noise. Such a place
    may be in `touched`, but not in `deaf`."""
    deaf_briefly: bool = False
    """True if the places in `deaf` can probably be read again in a moment. This is no fault yet."""
    perhaps: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places that a finger has perhaps begun to touch. None of these places
    is in `touched` or `deaf`. Only a light may answer such a touch. The set is empty if the driver
    cannot know of such touches."""


class Counts(msgspec.Struct, frozen=True):
    """Counters of a device's faults since the device was opened."""

    unplugged: int = 0
    """Number of times that the open port disappeared because the device was unplugged."""
    link_lost: int = 0
    """Number of times that the link was lost, because nothing intact had arrived from the device
    for too long."""
    frames_damaged: int = 0
    """Number of messages from the device that arrived damaged."""
    frames_missing: int = 0
    """Number of messages from the device that did not arrive."""
    commands_damaged: int = 0
    """Number of messages to the device that arrived damaged."""
    bytes_lost: int = 0
    """Number of bytes that the device was too slow to read."""
    controller_starts: int = 0
    """Number of restarts of the device, for any reason."""
    watchdog_starts: int = 0
    """Number of restarts of the device by its watchdog, because the device's program had hung."""
    brown_outs: int = 0
    """Number of restarts of the device because its supply voltage was too low."""
    chip_restarts: int = 0
    """Number of restarts of touch chips, for any reason."""
    chips_silent: int = 0
    """Number of restarts of touch chips that did not answer."""
    chips_brown_out: int = 0
    """Number of restarts of touch chips that had lost their power."""
    chips_over_current: int = 0
    """Number of restarts of touch chips that detected too much current."""
    lights_capped: int = 0
    """Number of times that the lights were dimmed because they would have drawn too much current.
    """


class Readings(msgspec.Struct, frozen=True):
    """Measurements of a touch grid for maintenance. The 31 pads are the 27 places, then the four
    strips of the rim in the order far, left, right, near."""

    deltas: tuple[int | None, ...] = ()
    """Load of each of the 31 pads: the raw counts by which the pad's reading is below its baseline.
    None for a pad that cannot be read. Empty while the loads are unknown."""
    thresholds: tuple[int, ...] = ()
    """For each pad, the minimum load in counts that means a touch. Empty while unknown."""
    noisy: frozenset[int] = frozenset()
    """Numbers of the pads that are too noisy to be reliable."""
    current_ma: int | None = None
    """Calculated current of the lights in milliamperes; None if the device does not know it."""
    capped: bool = False
    """True if the lights are dimmed because they would draw too much current."""
    counts: Counts = Counts()


class TouchGrid(Protocol):
    """The touch grid: 25 cells and two pads, each of which detects fingers."""

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        """Start reporting touch frames. This may be called only once.

        The first frame is reported at once or when the device has been read. After the first frame,
        every change must be reported, as a whole frame, in order.

        While a place is touched, the frame must be repeated every `HEARTBEAT` seconds or sooner, as
        long as the driver knows that the touch continues. A driver that no longer knows this
        reports the place as unreadable (`deaf`). A driver that learns of a touch too late marks the
        frame as `late`. While nothing is touched, frames may be repeated but need not be.

        Reports come from the event loop's thread.
        """

    def measure(self, on_readings: Callable[[Readings], None] | None, pads: bool = False) -> None:
        """Start calling ``on_readings`` with readings: at once, and then several times a second or
        whenever the readings change. If ``on_readings`` is None, the reports stop.

        If ``pads`` is true, the readings include each pad's counts. Otherwise the driver must not
        ask the device for these counts. Touch frames are not affected. Reports come from the event
        loop's thread. No readings follow after `close`.
        """

    def close(self) -> None:
        """Stop reporting and release the device. A second call has no effect."""


LightFrame = tuple[int, ...]
"""A colour 0xRRGGBB for each of the 104 LEDs, in the order of `geometry.leds_of`.

Colours are sRGB: they describe the light as a screen would show it. The driver converts them into
the LEDs' pulses.
"""


class Lights(Protocol):
    """The LEDs of all places."""

    def show(self, frame: LightFrame) -> None:
        """Show this frame instead of the previous frame. Must not block."""

    def close(self) -> None:
        """Make all LEDs dark and release the device. Later frames are not shown. A second call has
        no effect."""


class Input(enum.Enum):
    """The events of the spymasters' controls: a rotary encoder and two buttons."""

    PRESS = "press"
    RIGHT = "turn+1"
    LEFT = "turn-1"
    BACK = "back"
    PEEK = "peek"
    UNPEEK = "unpeek"


class ConsoleInputs(Protocol):
    def start(self, on_input: Callable[[Input], None]) -> None:
        """Start reporting each `Input` in order: presses, the release of *peek*, and the encoder's
        steps. This may be called only once. Reports may come from a thread of the driver."""

    def close(self) -> None:
        """Stop reporting and release the device. A second call has no effect."""


SAMPLE_RATE: Final = 22050
"""Samples per second of every clip. Speech by espeak-ng has the same rate."""


class Clip(msgspec.Struct, frozen=True):
    """A piece of mono sound."""

    samples: bytes = b""
    """Samples as signed 16-bit numbers, low byte first. One second has `SAMPLE_RATE` samples."""

    def __post_init__(self) -> None:
        if len(self.samples) % SAMPLE_BYTES:
            raise ValueError("A clip holds whole samples.")

    @property
    def seconds(self) -> float:
        return len(self.samples) / (SAMPLE_BYTES * SAMPLE_RATE)


SAMPLE_BYTES: Final = 2
SILENCE: Final = Clip()
"""A clip without samples: playing it stops the current clip."""


class Sounder(Protocol):
    """A loudspeaker that plays one clip at a time."""

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        """Accept clips from now on, and start reporting the device's condition. This may be called
        only once.

        The first report is made at once or when the condition is known; further reports are made on
        each change. A report is either sentences for the staff about the device's fault, or None if
        there is no fault. A driver does not stop if the device is missing: it reports the fault,
        retries by itself, and reports when the device is back. Reports come from the event loop's
        thread.
        """

    def play(self, clip: Clip) -> None:
        """Play the clip now, replacing the current clip. Must not block.

        If several clips wait for the device, only the newest clip is played. A clip that the device
        does not accept is not played later. Nothing is played before `switch_on`.
        """

    def close(self) -> None:
        """Stop playing and release the device. Later clips are not played. A second call has no
        effect."""


class Lamp(enum.Enum):
    """Blinking patterns of the status LED on the table's case."""

    DARK = "dark"
    STEADY = "steady"
    SLOW = "slow"
    """The LED is on for about as long as it is off. It changes about once a second."""
    FAST = "fast"
    """The LED is on for about as long as it is off. It changes more than twice a second, clearly
    faster than with `SLOW`."""


class Panel(Protocol):
    """The status LED on the table's case, and the button that switches the table off."""

    def watch(self, on_held: Callable[[], None]) -> None:
        """Call ``on_held`` each time that the switch-off button was held long enough. `watch`
        itself may be called only once.

        A button that is down when `watch` is called must be released before a press counts. Reports
        come from the event loop's thread.
        """

    def shine(self, lamp: Lamp) -> None:
        """Show this pattern on the LED, which is dark before the first call. Must not block."""

    def close(self) -> None:
        """Make the LED dark, stop reporting and release the device. Later patterns are ignored. A
        second call has no effect."""
