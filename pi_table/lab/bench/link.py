"""Measures the time from a finger to the light that answers it, through the controller.

The real program is at one end of the serial line. At the other end is the real firmware in an
emulator, with the touch chips and the lights' data line.

The emulator runs in real time, at most half a millisecond late unless the machine itself is late.
So the result includes the time of the table's own process. The simulated finger comes down at once.
A real finger is slower, but that time is not the table's.

The same is measured with the controller that runs on the Raspberry Pi itself. For this controller,
the load of the processor and of the I²C bus is measured too.
"""

import os
import select
import socket
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from pi_table.common.errors import DeviceError
from pi_table.common.geometry import CELLS, LED_COUNT, PLACES, leds_of
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.lights.scenes import ABOUT_TO_ANSWER
from pi_table.devices.wire.codec import Deframer
from pi_table.devices.wire.messages import State, read
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import DISK
from pi_table.lab.running_table import TIMEOUT_SECONDS, Console, RunningTable, cover_of
from pi_table.simulator.emulated import Build, EmulatedTable, running
from pi_table.simulator.hands import FINGER_COUNTS
from pi_table.simulator.virtual_controller import VirtualController

TOUCHES: Final = 1000
GUESSES: Final = 100
BRIEF: Final = {"touches": 40, "guesses": 8, "cost_seconds": 1.5}
HOLD_MS: Final = 400
TOUCH_MS: Final = 100
"""Milliseconds from the glow of a touched cell until the finger is lifted."""
LIFTED_MS: Final = 200
"""Milliseconds without a finger before each touch."""
ELSEWHERE_MS: Final = 700
"""Additional milliseconds without a finger before a touch of another cell. The table would treat
faster touches as a single movement."""
TOO_LATE_US: Final = 1_000_000
"""Timeout in microseconds for an answer after the end of a hold."""
ON_ONE_CELL: Final = 20
"""Number of touches of one cell before the finger goes to another cell."""
FEW_CELLS: Final = 8
"""Maximum number of covered cells, so that the lights draw much less current than their limit. With
more, a new game starts."""
ANSWERED: Final = pulses_of_colour(ABOUT_TO_ANSWER)
"""Pulses 0xRRGGBB of a cell's second LED while a stored guess is about to be answered."""
MOVING: Final = 50
"""Frames per second of a light that moves over the whole table."""
MOVING_SECONDS: Final = 4.0
OF_ONE_CHIP: Final = range(10, 20)
"""The cells whose electrodes are read by touch chip 1."""
STATS: Final = {
    "bit_worst_ns": "ns",
    "off_worst_us": "µs",
    "gap_worst_us": "µs",
    "overruns": "bytes",
    "current_worst_ma": "mA",
    "flash": "bytes",
    "ram": "bytes",
}
"""Figures that the emulator counts, with their units (firmware/model/README.md)."""
BUSES_HZ: Final = (400_000, 250_000, 100_000)
COST_SECONDS: Final = 3.0
SETTLE_SECONDS: Final = 0.3
"""Seconds to wait until a finger is felt and the current transfer has ended."""
NAP: Final = 0.0005
"""Seconds for which the emulator sleeps when it is ahead of real time."""


def measure(
    touches: int = TOUCHES, guesses: int = GUESSES, cost_seconds: float = COST_SECONDS
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench link`."""
    yield from answers("emulated", "link", touches, guesses)
    yield from answers("pi", "link/pi", touches, guesses)
    yield from cost_of_the_pi(cost_seconds)
    yield from whole_tables()
    yield from recoveries()


def answers(build: Build, name: str, touches: int, guesses: int) -> Iterator[Measurement]:
    """Measure the times from fingers to lights; for the emulated controller, also its `STATS`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-", dir=DISK)))
        device = stack.enter_context(closing(_Device(build)))
        settings = (
            f'[touch]\ndriver = "controller"\nhold_ms = {HOLD_MS}\n'
            f'[lights]\ndriver = "controller"\n[controller]\nport = "{device.port}"\n'
        )
        table = stack.enter_context(RunningTable(folder, settings))
        table.wait()
        console = table.console()
        stack.callback(console.close)
        device.run_until(lambda: device.feels, "the controller to be heard")
        bench = _Bench(device, console)
        glows = [bench.glow() for _ in range(touches)]
        yield {"name": f"{name}/touch_to_glow", **percentiles(glows)}
        reveals = [bench.reveal() for _ in range(guesses)]
        yield {"name": f"{name}/hold_end_to_reveal", **percentiles(reveals)}
        if build == "emulated":
            stats = device.table.stats
            for each, unit in STATS.items():
                yield {"name": f"{name}/{each}", "value": stats[each], "unit": unit}


def cost_of_the_pi(seconds: float) -> Iterator[Measurement]:
    """Measure the load of the controller on the Pi, at rest and with a finger held: its main
    thread's share of a core, and its share of the I²C bus at each bus speed. Each measurement takes
    this many seconds."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
        control = folder / "control"
        program = stack.enter_context(running("pi", folder / "port", control))
        world = stack.enter_context(socket.socket(socket.AF_UNIX))
        world.connect(str(control))
        answers = stack.enter_context(world.makefile("r", encoding="utf-8"))

        def tell(line: str) -> dict[str, str]:
            world.sendall(line.encode() + b"\n")
            words = answers.readline().split()
            if words[:1] != ["ok"]:
                raise DeviceError(f"The simulated Pi refuses {line!r}: {' '.join(words)}")
            return dict(word.split("=") for word in words[1:] if "=" in word)

        def busy_us() -> int:
            return int(tell("transfers")["bus_us"])

        for what, line in (("at_rest", "clear 0"), ("held", f"shape 0 C3 0:{FINGER_COUNTS}")):
            for bus in BUSES_HZ:
                tell(line)
                tell(f"bus {bus}")
                time.sleep(SETTLE_SECONDS)
                begun, cpu, bus_us = perf_counter(), _cpu_seconds(program.pid), busy_us()
                time.sleep(seconds)
                took = perf_counter() - begun
                share = 100 * (_cpu_seconds(program.pid) - cpu) / took
                if bus == BUSES_HZ[0]:
                    yield {"name": f"link/pi/core/{what}", "value": round(share, 2), "unit": "%"}
                yield {
                    "name": f"link/pi/bus/{what}/{bus // 1000}_khz",
                    "value": round((busy_us() - bus_us) / took / 1e4, 1),
                    "unit": "%",
                }


def _cpu_seconds(pid: int) -> float:
    """Return the processor time of a process's main thread, without its other threads."""
    stat = Path(f"/proc/{pid}/task/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def whole_tables(seconds: float = MOVING_SECONDS) -> Iterator[Measurement]:
    """Measure how many frames per second reach the LEDs' data pin if every LED changes.

    The first run requests 50 frames per second, the second run 200, which is more than the line can
    carry. The time is virtual. So delays of this machine and of a serial adapter are not included.
    """
    for wanted in (MOVING, 4 * MOVING):
        with EmulatedTable("emulated") as table:
            device = VirtualController(table)
            device.start(lambda frame: None)
            seen: list[LightFrame] = []
            device.on_show = seen.append
            for number in range(round(wanted * seconds)):
                device.show(tuple(0x101010 * (1 + (number + led) % 4) for led in range(LED_COUNT)))
                _pass(device, 1 / wanted)
            yield {
                "name": f"link/whole_table_frames/{wanted}_wanted",
                "value": round(len(seen) / seconds, 1),
                "unit": "frames/s",
            }


FAULTS: Final = {
    "chip_brown_out": "chip 1 brown-out",
    "chip_over_current": "chip 1 over-current",
    "chip_nack": "chip 1 nack 5",
    "bus_held": "chip 1 hold 200",
    "firmware_hang": "hang",
    "reset": "reset",
    "power_cut": "power-cut",
}
"""Commands that cause a fault in the emulated hardware (firmware/model/README.md)."""


def recoveries() -> Iterator[Measurement]:
    """Measure the time from a fault until the table feels a finger again.

    A finger taps the cells of one touch chip in turn, ten times per second. The time is virtual.
    """
    for name, fault in FAULTS.items():
        with EmulatedTable("emulated") as table:
            device = VirtualController(table)
            device.start(lambda frame: None)
            _pass(device, 0.5)
            table.tell(fault)
            begun = device.now
            taps = cycle(OF_ONE_CHIP)
            while not _is_felt(device, next(taps)):
                if device.now > begun + TIMEOUT_SECONDS:
                    raise DeviceError(f"The table does not recover from {fault!r}.")
            yield {
                "name": f"link/recovery/{name}",
                "value": round(1000 * (device.now - begun), 1),
                "unit": "ms",
            }


def _is_felt(device: VirtualController, place: int) -> bool:
    device.touch(place)
    _pass(device, 0.05)
    felt = place in device.frame.touched
    device.release(place)
    if not felt:
        _pass(device, 0.05)
    return felt


def _pass(device: VirtualController, seconds: float) -> None:
    end = device.now + seconds
    while device.now < end:
        device.advance(end)


class _Device:
    """A controller without hardware at one end of a pseudo-terminal, in real time."""

    def __init__(self, build: Build) -> None:
        self.table = EmulatedTable(build)
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self._slave = slave
        self.port = os.ttyname(slave)
        self._deframer = Deframer()
        self._origin = perf_counter()
        self.touched_us: int | None = None
        """Time in microseconds of the state message with which the present touch began; None
        without a touch."""
        self.feels = False
        self._pulses: tuple[int, ...] = ()
        self.shown_us = 0
        """Time in microseconds of the first edge of the newest light frame on the pin."""

    def run_until(self, happened: Callable[[], bool], what: str) -> None:
        """Run the emulator until ``happened`` returns True. After a timeout, raises DeviceError,
        which says that ``what`` was awaited."""
        end = perf_counter() + TIMEOUT_SECONDS
        while not happened():
            if perf_counter() > end:
                raise DeviceError(f"Waited in vain for {what}.")
            self._go_on()

    def run_for(self, milliseconds: float) -> None:
        end = self.table.now_us + milliseconds * 1000
        self.run_until(lambda: self.table.now_us >= end, "the time")

    def finger(self, place: int, counts: int) -> int:
        """Put a finger of this many counts on a place; 0 lifts the finger. Return the emulator's
        time in microseconds."""
        self.table.tell(f"shape 0 {PLACES[place]} 0:{counts}")
        return self.table.now_us

    def pulses_at(self, place: int, led: int = 0) -> int:
        return self._pulses[leds_of(place)[led]]

    def _go_on(self) -> None:
        until = round((perf_counter() - self._origin) * 1e6)
        if until > self.table.now_us:
            self.table.run(until, stop_early=True)
        else:
            select.select([self._master], [], [], NAP)
        self._hear(self.table.read())
        for shown in self.table.new_frames():
            self._pulses, self.shown_us = shown.pulses, shown.begun_us
        if select.select([self._master], [], [], 0)[0]:
            self.table.write(os.read(self._master, 4096))

    def _hear(self, said: bytes) -> None:
        if not said:
            return
        os.write(self._master, said)
        for message in self._deframer.feed(said):
            state = read(message)
            if isinstance(state, State):
                self.feels = not state.deaf
                if state.touched and self.touched_us is None:
                    self.touched_us = self.table.now_us
                elif not state.touched:
                    self.touched_us = None

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)
        self.table.close()


class _Bench:
    """Plays games with a finger that touches the table at random cells."""

    def __init__(self, device: _Device, console: Console) -> None:
        self._device = device
        self._console = console
        self._random = Random(1)
        self._place: int | None = None
        self._fingers = 0

    def glow(self) -> float:
        """Touch a cell. Return the seconds until the first light frame in which the cell glows.

        The finger stays as long as a real one. If it left at once, the controller would take the
        touch for noise, and mistrust the next touches.
        """
        device = self._device
        place, dark = self._cell()
        begun_us = device.finger(place, FINGER_COUNTS)
        device.run_until(
            lambda: _brightness(device.pulses_at(place)) > _brightness(dark),
            f"a glow at {PLACES[place]}",
        )
        seconds = (device.shown_us - begun_us) / 1e6
        device.run_for(TOUCH_MS)
        device.finger(place, 0)
        self._rest(place)
        return seconds

    def reveal(self) -> float:
        """Hold a cell. Return the seconds from the end of the hold to the light frame that answers
        it.

        The hold begins when the controller has sent the state message with the touch. If this
        machine is delayed during the hold, the table withdraws the hold; then the finger tries
        again.
        """
        while (seconds := self._hold_to_the_end()) is None:
            self._device.run_for(ELSEWHERE_MS)
        return seconds

    def _hold_to_the_end(self) -> float | None:
        device = self._device
        place, _ = self._cell()
        device.finger(place, FINGER_COUNTS)
        device.run_until(lambda: device.touched_us is not None, "a touch")
        assert device.touched_us is not None
        ends_us = device.touched_us + HOLD_MS * 1000
        device.run_until(
            lambda: (
                device.pulses_at(place, 1) == ANSWERED
                or device.table.now_us > ends_us + TOO_LATE_US
            ),
            "the answer",
        )
        revealed = device.pulses_at(place, 1) == ANSWERED
        seconds = (device.shown_us - ends_us) / 1e6
        device.finger(place, 0)
        self._rest(place)
        if not revealed:
            return None
        self._console.until(lambda table: cover_of(table, PLACES[place]) is not None)
        return seconds

    def _cell(self) -> tuple[int, int]:
        while self._console.waiting():
            self._console.read()
        public = self._console.table["public"]
        if (
            public is not None
            and public["phase"] != "over"
            and sum(bool(cell["covered"]) for cell in public["cells"].values()) > FEW_CELLS
        ):
            self._console.do("abandon")
            public = self._console.table["public"]
        if public is None or public["phase"] == "over":
            self._console.do("start", profile=PROFILE.id)
            public = self._console.table["public"]
        if public["phase"] == "clue":
            self._console.do("clue", f"{public['turn']}-spymaster", number="unlimited")
            public = self._console.table["public"]
        free = [CELLS.index(name) for name, cell in public["cells"].items() if not cell["covered"]]
        place, self._fingers = self._place, self._fingers + 1
        if place is None or place not in free or self._fingers % ON_ONE_CELL == 0:
            place = self._place = self._random.choice(free)
            self._device.run_for(ELSEWHERE_MS)
        # Chips and program work in cycles. The next touch comes at a random moment of a cycle.
        self._device.run_for(LIFTED_MS + self._random.uniform(0, 20))
        return place, self._device.pulses_at(place)

    def _rest(self, place: int) -> None:
        device = self._device
        device.run_until(lambda: device.touched_us is None, f"{PLACES[place]} to be free again")


def _brightness(colour: int) -> int:
    return sum(colour.to_bytes(3, "big"))
