"""What the table needs of its devices, and what every driver of one promises.

A driver is opened by the registry and told everything that it needs; it never guesses and never
falls back on another. Nothing above these contracts knows which driver is in use. Each driver
must pass `tests/hal/contract.py`.
"""

import enum
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

HEARTBEAT: Final = 0.05
"""Seconds after which a frame comes again, at the latest, while a place is touched."""


class TouchFrame(msgspec.Struct, frozen=True):
    """The whole grid at one instant. Places are numbers from 0 to 26.

    A frame is as old as the call that brings it, give or take `HEARTBEAT`, unless it is late: a
    driver reads all that its device has said before it reports what that comes to.
    """

    touched: frozenset[int] = frozenset()
    """The places that are touched."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot be read. None of them is among the touched."""
    heavy: frozenset[int] = frozenset()
    """The touched places on which something larger than a finger lies: a palm, a cup."""
    blocked: bool = False
    """Is the grid wet, or does an arm lie on its rim? Then no touch means anything."""
    trouble: str | None = None
    """What is wrong with the device, in sentences for the staff; None if nothing is."""
    late: bool = False
    """May what is touched be of longer ago than `HEARTBEAT`? It was so once. Whether it is so now
    a later frame tells."""
    noisy: frozenset[int] = frozenset()
    """The places at which there is so much noise that nobody knows whether they are touched. They
    may be among the touched. None of them is among the deaf."""


class Counts(msgspec.Struct, frozen=True):
    """How often something has gone wrong with a device since it was opened."""

    unplugged: int = 0
    """Its port was there and has gone."""
    link_lost: int = 0
    """It said nothing intact for so long that it counted as gone."""
    frames_damaged: int = 0
    """A message from it came damaged."""
    frames_missing: int = 0
    """A message from it did not come."""
    commands_damaged: int = 0
    """A message to it came damaged."""
    bytes_lost: int = 0
    """It was too slow for a byte."""
    controller_starts: int = 0
    """It started anew, for whatever reason."""
    watchdog_starts: int = 0
    """It started anew because its program had stopped."""
    brown_outs: int = 0
    """It started anew because its supply was too low."""
    chip_restarts: int = 0
    """A touch chip was started anew, for whatever reason."""
    chips_silent: int = 0
    """A touch chip was started anew because it did not answer."""
    chips_brown_out: int = 0
    """A touch chip was started anew because it had lost its power."""
    chips_over_current: int = 0
    """A touch chip was started anew because it found too much current."""
    lights_capped: int = 0
    """The lights would have drawn more than they may, and were dimmed."""


class Readings(msgspec.Struct, frozen=True):
    """What a touch grid measures of itself, for whoever looks after it. Pads are the 27 places, and
    then the four strips of the rim: far, left, right, near."""

    deltas: tuple[int | None, ...] = ()
    """The load of each of the 31 pads, in counts below its baseline; None for a pad that cannot be
    read. Empty while nobody knows."""
    thresholds: tuple[int, ...] = ()
    """From how many counts on each pad is touched; empty while nobody knows."""
    noisy: frozenset[int] = frozenset()
    """The pads that are too noisy to be believed."""
    current_ma: int | None = None
    """What the lights draw, in milliampere, by calculation; None where the device does not know."""
    capped: bool = False
    """Would the lights have drawn more than they may, and are dimmer therefore?"""
    counts: Counts = Counts()


class TouchGrid(Protocol):
    """The 25 cells and two pads, as something that feels fingers."""

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        """Begin to report. The first frame comes at once or when the device has been read;
        after it, every change must be reported, as a whole frame, in order.

        While a place is touched, the frame must come again every `HEARTBEAT` seconds or sooner,
        for as long as the driver knows that it is so. A driver that does not know any more says
        that the place is deaf; one that only learns late what was so says that the frame is late.
        What nobody touches need not come again, but may.

        Calls come from the event loop's thread. Called once."""

    def measure(self, on_readings: Callable[[Readings], None] | None, pads: bool = False) -> None:
        """Begin to tell what the grid measures, at once and then some times a second or whenever
        it changes; with ``pads`` also what each pad reads, for which alone the device may be asked.
        None: tell it no longer. Frames are reported as they are otherwise.

        Calls come from the event loop's thread. After closing nothing is told."""

    def close(self) -> None:
        """Stop reporting and release the device. May be called again, with no effect."""


LightFrame = tuple[int, ...]
"""A colour 0xRRGGBB for each of the 104 LEDs, in the order of `geometry.leds_of`. A colour is told
as it is to look, in sRGB, as a screen is told. How an LED is driven for that is the driver's."""


class Lights(Protocol):
    """The LEDs under every place."""

    def show(self, frame: LightFrame) -> None:
        """Make the lights look like this. The newest frame wins; must not block."""

    def close(self) -> None:
        """Go dark and release the device; what is shown after it is not. May be called again,
        with no effect."""


class Input(enum.Enum):
    """What the spymasters' screen is driven by: a rotary encoder and two buttons."""

    PRESS = "press"
    RIGHT = "turn+1"
    LEFT = "turn-1"
    BACK = "back"
    PEEK = "peek"
    UNPEEK = "unpeek"
    """The peek button is let go."""


class ConsoleInputs(Protocol):
    """The encoder and the buttons beside the spymasters' screen."""

    def start(self, on_input: Callable[[Input], None]) -> None:
        """Begin to report each press and each step of the encoder, in order. Called once. Calls
        may come from a thread of the driver's own."""

    def close(self) -> None:
        """Stop reporting and release the device. May be called again, with no effect."""


SAMPLE_RATE: Final = 22050
"""Samples a second of every clip: what espeak-ng speaks at, so that its speech is played as it
came."""


class Clip(msgspec.Struct, frozen=True):
    """A piece of sound, mono."""

    samples: bytes = b""
    """Signed numbers of 16 bits, the low byte first, `SAMPLE_RATE` of them a second."""

    def __post_init__(self) -> None:
        if len(self.samples) % SAMPLE_BYTES:
            raise ValueError("A clip holds whole samples.")

    @property
    def seconds(self) -> float:
        """How long the clip lasts."""
        return len(self.samples) / (SAMPLE_BYTES * SAMPLE_RATE)


SAMPLE_BYTES: Final = 2
SILENCE: Final = Clip()
"""A clip without a sample: to play it ends what is being played."""


class Sounder(Protocol):
    """A loudspeaker, which plays one clip at a time."""

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        """Begin to play, and to say how the device is: at once or when that is known, and whenever
        it changes. What is said is what is wrong, in sentences for the staff, or None if nothing
        is.

        A device that is missing is no reason to stop: the driver says so, tries again by itself,
        and says when it is back. Calls come from the event loop's thread. Called once."""

    def play(self, clip: Clip) -> None:
        """Play the clip from now on. The newest wins: what is being played ends, and of clips that
        wait for the device only the newest is played. A clip that the device does not take is not
        played later. Must not block. Nothing is played before the loudspeaker is switched on."""

    def close(self) -> None:
        """Fall silent and release the device; what is played after it is not heard. May be called
        again, with no effect."""


class Lamp(enum.Enum):
    """What the status LED on the table's case does."""

    DARK = "dark"
    STEADY = "steady"
    SLOW = "slow"
    """It is on for about as long as off, and changes once a second or so."""
    FAST = "fast"
    """The same, more than twice a second: at a glance another pattern than the slow one."""


class Panel(Protocol):
    """What is on the table's case: the status LED, and the button that switches the table off."""

    def watch(self, on_held: Callable[[], None]) -> None:
        """Begin to report, once each time, that the button has been held for as long as it takes.
        A button that is down already counts when it has been let go. Calls come from the event
        loop's thread. Called once."""

    def shine(self, lamp: Lamp) -> None:
        """Let the LED do this from now on; it is dark before the first. Must not block."""

    def close(self) -> None:
        """Go dark, stop reporting and release the device; what it is to do after that it does not.
        May be called again, with no effect."""
