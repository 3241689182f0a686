"""The controller's driver keeps the contract: its firmware as a program of this machine, and its
binary in the emulator, at the other end of a terminal device, in real time."""

import asyncio
import csv
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from contract import MANY, Grid, TableContract, pattern
from patience import serve_until
from peer import OWN_PULSES

from pi_table.common.config import load
from pi_table.common.geometry import PLACE_COUNT, PLACES
from pi_table.devices.hal.contracts import LightFrame, Lights, TouchGrid
from pi_table.devices.hal.controller import Controller
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.registry import open_hardware
from pi_table.devices.wire.commands import Store
from pi_table.devices.wire.link import Link
from pi_table.devices.wire.settings import MAX_LIMIT_MA, PAD_COUNT, Settings
from pi_table.simulator.emulated import FIRMWARE, Build, EmulatedTable, running
from pi_table.simulator.hands import FINGER_COUNTS, FINGER_MS

pytestmark = pytest.mark.paced


def electrodes() -> dict[int, tuple[int, int]]:
    """The chip and its channel that each place is wired to."""
    with (FIRMWARE.parent / "hardware/wiring.csv").open(encoding="utf-8") as file:
        return {
            PLACES.index(row["name"]): (int(row["chip"], 0) - 0x5A, int(row["channel"]))
            for row in csv.DictReader(file)
            if row["kind"] == "pad"
        }


ELECTRODES = electrodes()


@pytest.fixture(scope="module")
def bright() -> bytes:
    """The EEPROM of a controller whose lights may draw all that they can."""
    link, settings = (
        Link(),
        Settings((7,) * PAD_COUNT, (4,) * PAD_COUNT, (60,) * PAD_COUNT, MAX_LIMIT_MA),
    )
    with EmulatedTable("host") as table:
        link.on_open()
        asked = False
        while not table.now_us > 3_000_000:
            now = table.now_us / 1e6
            link.receive(table.read(), now)
            if link.is_up and not asked:
                link.request(Store(settings))
                asked = True
            table.write(link.to_send(now))
            table.run(table.now_us + 5_000)
        return table.memory


class Emulated:
    """A controller at a terminal device; the world is told and asked at its control socket."""

    def __init__(self, other_end: "subprocess.Popen[bytes]", port: Path, control: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.seen: list[LightFrame] = []
        self._failed: set[int] = set()
        self._answers: list[str] = []
        self.meet(other_end, control)
        self.device = self._opened(port)
        self.touch: TouchGrid = self.device
        self.lights: Lights = self.device
        self.until(lambda: self.device._frame is not None and not self.device._frame.deaf)

    def meet(self, other_end: "subprocess.Popen[bytes]", control: Path) -> None:
        """From now on, this is at the other end."""
        self._other_end = other_end
        self._rest = b""
        self._world = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._world.connect(str(control))
        self._world.setblocking(False)
        self.loop.add_reader(self._world, self._hear)
        self.tell("watch")

    def end_the_other(self, signal_number: signal.Signals) -> None:
        self.loop.remove_reader(self._world)
        self._world.close()
        self._other_end.send_signal(signal_number)
        self._other_end.wait()

    def _opened(self, port: Path) -> Controller:
        """As the table opens it."""
        named = {"driver": "controller"}
        changes = {"touch": named, "lights": named, "controller": {"port": str(port)}}
        device, *_ = open_hardware(load(changes=changes), self.loop)
        assert type(device) is Controller
        return device

    def sees(self, frame: LightFrame) -> LightFrame:
        """The witness is at the strip's line."""
        return tuple(map(pulses_of_colour, frame))

    def close(self) -> None:
        self.device.close()
        self.loop.remove_reader(self._world)
        self._world.close()
        self.loop.close()

    def finger(self, *places: int) -> None:
        self._load(places, FINGER_COUNTS)

    def lift(self, *places: int) -> None:
        self._load(places, 0)

    def fails_with(self, place: int) -> set[int]:
        return {other for other in ELECTRODES if ELECTRODES[other][0] == ELECTRODES[place][0]}

    def fail(self, *places: int) -> None:
        for place in places:
            self._failed.add(ELECTRODES[place][0])
            self.tell(f"chip {ELECTRODES[place][0]} nack -")

    def disturb(self, *places: int) -> None:
        """A charger beside the table: its noise comes through fingers alone."""
        self.tell("common 100 125030")

    def mend(self) -> None:
        self.tell("common 0 0")
        for chip in self._failed:
            self.tell(f"chip {chip} nack 0")
        self._failed.clear()

    def look(self, yes: bool) -> None:
        """Nothing is read while the other end stands still: it cannot feel then either."""
        self._other_end.send_signal(signal.SIGCONT if yes else signal.SIGSTOP)

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def serve(self) -> None:
        for _ in range(20):
            self.loop.run_until_complete(asyncio.sleep(0.0005))

    def time(self) -> float:
        """The controller's, as it told it last."""
        state = self.device._link.state
        return 0.0 if state is None else state.uptime_ms / 1000

    def _load(self, places: tuple[int, ...], counts: float) -> None:
        """One after another, and each until the chip feels it, or does not any more."""
        for place in places:
            chip, channel = ELECTRODES[place]
            self.tell(f"shape 0 {PLACES[place]} {FINGER_MS}:{counts}")
            while chip not in self._failed:
                status = int(self.tell(f"touched {chip}").removeprefix("ok "), 0)
                if bool(status >> channel & 1) == (counts > 0):
                    break

    def tell(self, line: str) -> str:
        """Tell or ask the world this; what it answers."""
        self._world.send(line.encode() + b"\n")
        self.until(lambda: bool(self._answers))
        answer = self._answers.pop()
        assert answer.startswith("ok")
        return answer

    def _hear(self) -> None:
        *lines, self._rest = (self._rest + self._world.recv(65536)).split(b"\n")
        for line in lines:
            word, *values = line.decode().split()
            if word != "shown":
                self._answers.append(line.decode())
                continue
            pulses = tuple(int(each, 16) for each in values[2:])
            if pulses != OWN_PULSES:
                self.seen.append(pulses)


def rig_of(build: Build, folder: Path, memory: bytes) -> Iterator[Emulated]:
    kept = folder / "memory"
    kept.write_bytes(memory)
    with running(build, folder / "port", folder / "control", kept) as other_end:
        rig = Emulated(other_end, folder / "port", folder / "control")
        yield rig
        rig.look(True)  # or it could not be ended
        rig.close()


class ControllerContract(TableContract):
    """The rest of the contract of the controller's driver."""

    def test_it_feels_while_nobody_looks(self, rig: Emulated) -> None:  # type: ignore[override]
        """As soon as the other end goes on: it is the one that feels."""
        grid = Grid(rig)
        grid.until(set())
        rig.look(False)
        for shift in range(MANY):
            rig.lights.show(pattern(shift))
        rig.look(True)
        rig.finger(9)
        grid.until({9})

    def test_what_nobody_tells_any_more_is_deaf(self, rig: Emulated) -> None:
        grid = Grid(rig)
        rig.finger(7)
        grid.until({7})
        rig.look(False)
        rig.until(lambda: 7 in grid.frames[-1].deaf)

    @pytest.mark.parametrize("accident", ["unplug", "reset", "power-cut"])
    def test_it_is_back_by_itself(self, rig: Emulated, accident: str) -> None:
        grid = Grid(rig)
        grid.until(set())
        rig.finger(7)
        grid.until({7})
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        first = len(grid.frames)
        rig.tell(accident)
        # It may be back before anybody has looked.
        rig.until(lambda: any(len(each.deaf) == PLACE_COUNT for each in grid.frames[first:]))
        rig.lights.show(pattern(1))
        rig.lift(7)
        if accident == "unplug":
            rig.finger(3)
            rig.lift(3)
            rig.tell("plug")
        grid.until(set())
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(1))])
        assert not any(3 in frame.touched for frame in grid.frames)
        rig.finger(8)
        grid.until({8})
        assert grid.frames[-1].trouble is None


class TestHostBuild(ControllerContract):
    @pytest.fixture
    def rig(self, tmp_path: Path, bright: bytes) -> Iterator[Emulated]:
        yield from rig_of("host", tmp_path, bright)


class TestEmulatedChip(ControllerContract):
    @pytest.fixture
    def rig(self, tmp_path: Path, bright: bytes) -> Iterator[Emulated]:
        yield from rig_of("emulated", tmp_path, bright)


class TestOnThePi(ControllerContract):
    """A process, which systemd starts again when it has ended."""

    may_stand_still = True

    @pytest.fixture
    def rig(self, tmp_path: Path, bright: bytes) -> Iterator[Emulated]:
        yield from rig_of("pi", tmp_path, bright)

    @pytest.mark.parametrize("accident", [signal.SIGKILL, signal.SIGTERM])
    def test_it_is_back_by_itself(  # type: ignore[override]
        self, rig: Emulated, accident: signal.Signals, tmp_path: Path
    ) -> None:
        grid = Grid(rig)
        rig.finger(7)
        grid.until({7})
        rig.lights.show(pattern(0))
        rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(0))])
        first = len(grid.frames)
        rig.end_the_other(accident)
        rig.until(lambda: any(len(each.deaf) == PLACE_COUNT for each in grid.frames[first:]))
        rig.lights.show(pattern(1))
        files = tmp_path / "port", tmp_path / "control", tmp_path / "memory"
        with running("pi", *files) as other_end:
            rig.meet(other_end, files[1])
            grid.until(set())
            rig.until(lambda: rig.seen[-1:] == [rig.sees(pattern(1))])
            rig.finger(8)
            grid.until({8})
            assert grid.frames[-1].trouble is None
