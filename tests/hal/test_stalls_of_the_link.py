"""The program stands still, and a finger does not: what was said meanwhile is all heard at once."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from firmware_peer import Firmware
from plug import Bench, connected, wait_for, waiting
from virtual_loop import VirtualLoop

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.devices.hal.simulated import REPEAT_AFTER
from pi_table.devices.hal.simulated_link import LinkedTable

A1 = frozenset({0})
NOTHING = frozenset[int]()
ALL = frozenset(range(PLACE_COUNT))
LONGEST_PIECE = 4095
"""Bytes that a terminal device gives at most when it is read."""


class Stalled:
    """The controller's driver at a terminal device, and the firmware at its other end."""

    def __init__(self, name: Path) -> None:
        self.firmware = Firmware()
        self.bench = Bench(name, self.firmware)
        self.bench.until(set())
        self.room: int | None = None
        """Bytes of room in the port while the program stalls; None: unlimited."""

    def close(self) -> None:
        self.bench.close()
        self.firmware.close()

    def stall(
        self, seconds: float, hands: dict[float, bool], timers_first: bool = False
    ) -> list[TouchFrame]:
        """The program stands still for so long, while a finger comes down or is lifted at these
        parts of it; what the first callback tells after it."""
        room = self.room
        begun = self.bench.loop.time()
        self.bench.loop.advance(seconds)
        for part, down in [*hands.items(), (1.0, None)]:
            for said in self.firmware.to_send(begun + part * seconds):
                self.bench.plug.write(said[:room])
                room = None if room is None else max(0, room - len(said))
            if down is not None:
                self.firmware.finger(down)
        told = len(self.bench.frames)
        serial = self.bench.driver._serial
        assert serial is not None
        if timers_first:
            self.bench.driver._wake()
        else:
            self.bench.driver._read(serial)
        assert waiting(serial.fd) == 0
        return self.bench.frames[told:]


@pytest.fixture
def stalled(tmp_path: Path) -> Iterator[Stalled]:
    with closing(Stalled(tmp_path / "port")) as stalled:
        yield stalled


def touched(frames: list[TouchFrame]) -> list[frozenset[int]]:
    return [frame.touched for frame in frames if not frame.perhaps]


@pytest.mark.parametrize("seconds", [0.2, 0.3, 0.48])
def test_a_finger_that_came_and_went_meanwhile_is_told_in_order(
    stalled: Stalled, seconds: float
) -> None:
    frames = stalled.stall(seconds, {0.1: True, 0.6: False})
    assert touched(frames) == [A1, NOTHING]


@pytest.mark.parametrize("seconds", [0.1, 0.14, 0.2, 0.48])
def test_a_finger_that_was_lifted_meanwhile_is_not_told_as_touched_any_more(
    stalled: Stalled, seconds: float
) -> None:
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    frames = stalled.stall(seconds, {0.3: False})
    assert frames == [TouchFrame()]


@pytest.mark.parametrize("seconds", [0.14, 0.3, 1.0, 1.3])
def test_a_finger_that_stays_is_told_once_and_late_and_soon_not_late(
    stalled: Stalled, seconds: float
) -> None:
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    assert stalled.stall(seconds, {}) == [TouchFrame(A1, late=True)]
    told = len(stalled.bench.frames)
    stalled.bench.run(0.04)
    after = stalled.bench.frames[told:]
    assert {frame.touched for frame in after} == {A1}
    assert after[-1] == TouchFrame(A1)


@pytest.mark.parametrize("seconds", [0.6, 1.0, 1.5])
def test_however_long_it_was_all_that_lay_there_is_told_in_order(
    stalled: Stalled, seconds: float
) -> None:
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    frames = stalled.stall(seconds, {0.2: False, 0.5: True, 0.8: False})
    assert touched(frames) == [NOTHING, A1, NOTHING]
    assert not any(frame.deaf for frame in frames)


def test_what_there_was_no_room_for_makes_deaf_what_was_touched(stalled: Stalled) -> None:
    """The kept bytes are old, and do not show that the finger was lifted since."""
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    stalled.room = 600  # ten states
    assert stalled.stall(0.5, {0.9: False}) == [TouchFrame(A1, late=True)]
    told = len(stalled.bench.frames)
    stalled.bench.run(0.04)
    assert stalled.bench.frames[told:] == [TouchFrame(deaf=A1, deaf_briefly=True), TouchFrame()]


def test_a_wire_that_was_cut_meanwhile_leaves_what_was_touched_late_and_then_deaf(
    stalled: Stalled,
) -> None:
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    stalled.firmware.cut()
    assert stalled.stall(1.0, {0.5: False}) == [TouchFrame(A1, late=True)]
    told = len(stalled.bench.frames)
    stalled.bench.run(0.14)
    assert len(stalled.bench.frames) == told
    stalled.bench.run(0.4)
    assert stalled.bench.frames[told] == TouchFrame(deaf=A1, deaf_briefly=True)
    assert stalled.bench.frames[-1].deaf == ALL


def test_time_is_not_judged_before_what_lies_there_was_read(stalled: Stalled) -> None:
    """The driver's timer comes first after a stall, and the port is full."""
    stalled.firmware.finger(True)
    stalled.bench.until({0})
    assert stalled.stall(1.0, {}, timers_first=True) == [TouchFrame(A1, late=True)]


# The simulated link


class World:
    """A linked table in virtual time, and the other end of its link."""

    def __init__(self, link: str, connect: Callable[[], int]) -> None:
        self.loop = VirtualLoop()
        self.table = LinkedTable(link, self.loop)
        self.frames: list[TouchFrame] = []
        self.table.start(self.frames.append)
        self.other_end = connect()
        self.serve()

    def close(self) -> None:
        self.table.close()
        os.close(self.other_end)
        self.loop.close()

    def say(self, text: bytes) -> None:
        assert os.write(self.other_end, text) == len(text)

    def serve(self, seconds: float = 0.0) -> None:
        self.loop.run_until_complete(self.loop.until(self.loop.time() + seconds))


@pytest.fixture
def on_socket(tmp_path: Path) -> Iterator[World]:
    link = str(tmp_path / "link")
    with closing(World(link, lambda: connected(link))) as world:
        yield world


@pytest.fixture
def on_terminal() -> Iterator[World]:
    master, slave = os.openpty()
    with closing(World(os.ttyname(slave), lambda: master)) as world:
        yield world
    os.close(slave)


def test_a_repetition_is_not_told_before_the_lift_that_lies_there(on_socket: World) -> None:
    on_socket.say(b'{"touch":"A1"}\n')
    on_socket.serve(10 * REPEAT_AFTER)
    assert {*touched(on_socket.frames[1:])} == {A1}
    on_socket.say(b'{"release":"A1"}\n')
    told = len(on_socket.frames)
    on_socket.table.read()  # as its timer does when it comes first after a stall
    assert touched(on_socket.frames[told:]) == [NOTHING]


def test_all_that_lies_on_a_socket_is_heard_at_once(on_socket: World) -> None:
    on_socket.say(b'{"touch":"A1"}\n' + b"\n" * 50_000 + b'{"release":"A1"}\n')
    assert on_socket.table._world is not None
    on_socket.table._world.read()
    assert touched(on_socket.frames) == [NOTHING, A1, NOTHING]


def test_more_lies_on_a_terminal_than_it_gives_at_a_time(on_terminal: World) -> None:
    on_terminal.say(b'{"touch":"A1"}\n' + b"\n" * LONGEST_PIECE + b'{"release":"A1"}\n')
    end = on_terminal.table._world
    assert end is not None
    wait_for(end._file, LONGEST_PIECE)
    end.read()
    assert touched(on_terminal.frames) == [NOTHING, A1, NOTHING]
