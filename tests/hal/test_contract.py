"""Every driver of the table's devices keeps its contract; a new one adds a class here."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from contract import TableContract
from patience import serve_until
from plug import connected
from virtual_loop import VirtualLoop

from pi_table.common.config import load
from pi_table.common.geometry import PLACES
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.registry import open_hardware
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.hal.simulated_link import LinkedTable


class InMemory:
    """The simulated table, which has no other end: its world's side is its own."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        device, *_ = open_hardware(load(), self.loop)
        assert type(device) is SimulatedTable
        self.touch = self.lights = self.device = device
        self.seen: list[LightFrame] = []
        self.device.on_show = self.seen.append

    def sees(self, frame: LightFrame) -> LightFrame:
        return frame

    def finger(self, *places: int) -> None:
        for place in places:
            self.device.touch(place)

    def lift(self, *places: int) -> None:
        for place in places:
            self.device.release(place)

    def fails_with(self, place: int) -> set[int]:
        return {place}

    def fail(self, *places: int) -> None:
        for place in places:
            self.device.fail(place)

    def disturb(self, *places: int) -> None:
        self.device.disturb(*places)

    def mend(self) -> None:
        self.device.mend()

    def look(self, yes: bool) -> None:
        """It is always looked at."""

    def until(self, condition: Callable[[], bool]) -> None:
        end = self.loop.time() + 10.0
        while not condition():
            assert self.loop.time() < end
            self.serve()

    def serve(self) -> None:
        self.loop.run_until_complete(self.loop.until(self.loop.time() + 0.001))

    def time(self) -> float:
        return self.loop.time()

    def close(self) -> None:
        self.device.close()
        self.loop.close()


class Linked:
    """A linked table, and at the other end of its link this file descriptor."""

    def __init__(self, link: str, connect: Callable[[], int]) -> None:
        self.loop = asyncio.new_event_loop()
        self.moved = asyncio.Event()
        self.device = self._opened(link)
        self.touch = self.lights = self.device
        self.other_end = connect()
        os.set_blocking(self.other_end, False)
        self.seen: list[LightFrame] = []
        self._rest = b""
        self.look(True)

    def _opened(self, link: str) -> LinkedTable:
        """As the table opens it."""
        device, *_ = open_hardware(load(changes={"simulated": {"link": link}}), self.loop)
        assert type(device) is LinkedTable
        return device

    def close(self) -> None:
        self.device.close()
        self.loop.remove_reader(self.other_end)
        os.close(self.other_end)
        self.loop.close()

    def sees(self, frame: LightFrame) -> LightFrame:
        return frame

    def finger(self, *places: int) -> None:
        self._say("touch", places)

    def lift(self, *places: int) -> None:
        self._say("release", places)

    def fails_with(self, place: int) -> set[int]:
        return {place}

    def fail(self, *places: int) -> None:
        self._say("fail", places)

    def disturb(self, *places: int) -> None:
        self._say("disturb", places)

    def mend(self) -> None:
        self._write(b'{"mend":true}\n')

    def _say(self, act: str, places: tuple[int, ...]) -> None:
        for place in places:
            self._write(msgspec.json.encode({act: PLACES[place]}) + b"\n")

    def _write(self, line: bytes) -> None:
        try:
            assert os.write(self.other_end, line) == len(line)
        except BrokenPipeError:
            assert not self.device._listener  # it was closed, and hears nothing

    def look(self, yes: bool) -> None:
        if yes:
            self.loop.add_reader(self.other_end, self._see)
        else:
            self.loop.remove_reader(self.other_end)

    def _see(self) -> None:
        try:
            data = os.read(self.other_end, 65536)
        except OSError:  # a terminal that was closed at the other end
            data = b""
        if not data:
            self.look(False)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            said = msgspec.json.decode(line, type=dict[str, list[str]])
            self.seen.append(tuple(int(colour[1:], 16) for colour in said["leds"]))

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def serve(self) -> None:
        for _ in range(20):
            self.loop.run_until_complete(asyncio.sleep(0.0005))

    def time(self) -> float:
        return self.loop.time()


class TestSimulatedTable(TableContract):
    @pytest.fixture
    def rig(self) -> Iterator[InMemory]:
        with closing(InMemory()) as rig:
            yield rig


class TestLinkedTableOnASocket(TableContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[Linked]:
        link = str(tmp_path / "link")
        with closing(Linked(link, lambda: connected(link))) as rig:
            yield rig


class TestLinkedTableOnATerminal(TableContract):
    @pytest.fixture
    def rig(self) -> Iterator[Linked]:
        master, slave = os.openpty()
        rig = Linked(os.ttyname(slave), lambda: master)
        os.close(slave)
        yield rig
        rig.close()
