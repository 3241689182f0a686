"""A table without hardware: a program sets the touches and reads the lights.

`SimulatedTable` is a `TouchGrid`, a `Lights`, a `Sounder` and a `Panel`. The methods of its *world
side* imitate people and faults. They put fingers on places and lift them (`touch`, `lean`,
`release`), make the grid wet (`wet`), make places unreadable (`fail`), report a fault (`ail`) and
end the faults (`mend`). They also break the loudspeaker (`break_speaker`, `mend_speaker`) and hold
the switch-off button (`hold_button`). The *witness side* reports the lights (`shown`, `on_show`),
the sound (`played`, `on_play`) and the status LED (`lamp`, `on_shine`). With a ``link``, another
process can also use touches, lights, button and LED, as `simulated_link` describes.
"""

import asyncio
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

import msgspec

from pi_table.common.geometry import CELL_COUNT, LED_COUNT, LED_SLICES, PLACE_COUNT
from pi_table.common.light_layout import read_layout
from pi_table.devices.hal.contracts import (
    HEARTBEAT,
    SILENCE,
    Clip,
    Lamp,
    LightFrame,
    Readings,
    TouchFrame,
)
from pi_table.devices.hal.strip import seen_frame

DARK: LightFrame = (0,) * LED_COUNT
REPEAT_AFTER: Final = HEARTBEAT / 2
"""Seconds between two touch frames while a place is touched."""
FINGER: Final = 24
"""Load of a finger in counts, as on a table whose acrylic sheet has the right thickness."""
PALM: Final = 61
THRESHOLD: Final = 12
PADS: Final = PLACE_COUNT + 4


class SimulatedTable:
    """A simulated table in memory: its grid, lights, loudspeaker and case."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop | None = None, layout: str = "tiles"
    ) -> None:
        """``loop`` repeats frames while a place is touched. Without a loop, the caller must call
        `read` every `HEARTBEAT` seconds or sooner.

        ``layout`` is the name of the layout of the lights (`light_layout`). `shown` has the colours
        that people see on such a string. Raises InputError for a layout with an error.
        """
        self.layout = read_layout(layout)
        self._clock = loop
        self._timer: asyncio.TimerHandle | None = None
        self._felt = TouchFrame()
        """Everything that rests on the table, even on places that cannot be read."""
        self._on_frame: Callable[[TouchFrame], None] | None = None
        self._on_readings: Callable[[Readings], None] | None = None
        self._reads_pads = False
        self._closed = False
        self.shown: LightFrame = DARK
        self.on_show: Callable[[LightFrame], None] | None = None
        self._on_trouble: Callable[[str | None], None] | None = None
        self._speaker_trouble: str | None = None
        self.played: Clip = SILENCE
        self.on_play: Callable[[Clip], None] | None = None
        self._on_held: Callable[[], None] | None = None
        self.lamp: Lamp | None = None
        self.on_shine: Callable[[Lamp], None] | None = None

    # The driver's side

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        self._on_frame = on_frame
        self._report()

    def measure(self, on_readings: Callable[[Readings], None] | None, pads: bool = False) -> None:
        self._on_readings = None if self._closed else on_readings
        self._reads_pads = pads
        self._tell_readings()

    def read(self) -> None:
        """Report the touches again if a place is touched."""
        if self.is_touched:
            self._report()

    def show(self, frame: LightFrame) -> None:
        if self._closed:
            return
        self.shown = seen_frame(frame, self.layout)
        if self.on_show is not None:
            self.on_show(self.shown)

    def close(self) -> None:
        self._on_frame = self._on_readings = None
        self._read_later(False)
        if self.shown != DARK:
            self.show(DARK)
        if self.played != SILENCE:
            self.play(SILENCE)
        if self.lamp is not None:
            self.shine(Lamp.DARK)
        self._on_trouble = None
        self._on_held = None
        self._closed = True

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        self._on_trouble = on_trouble
        on_trouble(self._speaker_trouble)

    def play(self, clip: Clip) -> None:
        if self._on_trouble is None or self._speaker_trouble is not None:
            return
        self.played = clip
        if self.on_play is not None:
            self.on_play(clip)

    def watch(self, on_held: Callable[[], None]) -> None:
        self._on_held = on_held

    def shine(self, lamp: Lamp) -> None:
        if self._closed or lamp is self.lamp:
            return
        self.lamp = lamp
        if self.on_shine is not None:
            self.on_shine(lamp)

    # The world's side

    def hold_button(self) -> None:
        """Hold the switch-off button for the required time, then release it."""
        if self._on_held is not None:
            self._on_held()

    @property
    def is_touched(self) -> bool:
        """True if a finger is on a place that can be read."""
        return bool(self._felt.touched - self._felt.deaf)

    def touch(self, *places: int) -> None:
        """Put fingers on these places (0 … 26), all at once."""
        self._feel(touched=self._felt.touched | {*places})

    def lean(self, *places: int) -> None:
        """Put something larger than a finger on these places."""
        self._feel(touched=self._felt.touched | {*places}, heavy=self._felt.heavy | {*places})

    def wet(self, yes: bool) -> None:
        self._feel(blocked=yes)

    def release(self, *places: int) -> None:
        """Lift the fingers from these places; without arguments, from all places."""
        rest = self._felt.touched - {*places} if places else frozenset()
        self._feel(touched=rest, heavy=self._felt.heavy & rest)

    def fail(self, *places: int) -> None:
        self._feel(deaf=self._felt.deaf | {*places})

    def disturb(self, *places: int) -> None:
        """Make these places noisy, so that touches on them do not count."""
        self._feel(noisy=self._felt.noisy | {*places})

    def ail(self, trouble: str) -> None:
        """Report this sentence as the device's fault."""
        self._feel(trouble=trouble)

    def mend(self) -> None:
        """Make all places readable and free of noise, and clear the device's fault."""
        self._feel(deaf=frozenset(), noisy=frozenset(), trouble=None)

    def mend_speaker(self) -> None:
        self.break_speaker(None)

    def break_speaker(self, trouble: str | None) -> None:
        self._speaker_trouble = trouble
        if self._on_trouble is not None:
            self._on_trouble(trouble)

    def _feel(self, **changed: object) -> None:
        felt = msgspec.structs.replace(self._felt, **changed)
        if felt != self._felt:
            self._felt = felt
            self._report()
            self._tell_readings()

    def _report(self) -> None:
        if self._on_frame is None:
            return
        read = self._felt.touched - self._felt.deaf
        self._read_later(bool(read))
        self._on_frame(
            msgspec.structs.replace(
                self._felt,
                touched=read,
                heavy=self._felt.heavy & read,
                noisy=self._felt.noisy - self._felt.deaf,
            )
        )

    def _tell_readings(self) -> None:
        if self._on_readings is None:
            return
        if not self._reads_pads:
            self._on_readings(Readings())
        else:
            deltas = (*map(self._load, range(PLACE_COUNT)), *[0] * (PADS - PLACE_COUNT))
            self._on_readings(Readings(deltas, (THRESHOLD,) * PADS, self._felt.noisy))

    def _load(self, place: int) -> int | None:
        if place in self._felt.deaf:
            return None
        if place not in self._felt.touched:
            return 0
        return PALM if place in self._felt.heavy else FINGER

    def _read_later(self, again: bool) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if again and self._clock is not None:
            self._timer = self._clock.call_later(REPEAT_AFTER, self.read)


def of_places(frame: LightFrame) -> tuple[int, ...]:
    """Return one colour 0xRRGGBB for each of the 27 places: the mean of the place's LEDs, channel
    by channel."""
    return tuple(mean_of_leds(frame[leds]) for leds in LED_SLICES)


def of_cells(frame: LightFrame) -> list[str]:
    """Return the colours of the 25 cells as ``#rrggbb``, in the order A1 … E5."""
    return to_hex(of_places(frame)[:CELL_COUNT])


def to_hex(colours: Iterable[int]) -> list[str]:
    return [f"#{colour:06x}" for colour in colours]


@lru_cache(1 << 12)  # LEDs of a place mostly share a colour, and so do places
def mean_of_leds(colours: tuple[int, ...]) -> int:
    mean = 0
    for shift in (16, 8, 0):
        mean |= round(sum(colour >> shift & 0xFF for colour in colours) / len(colours)) << shift
    return mean
