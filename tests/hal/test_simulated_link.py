"""The simulated table's link: who may be at its other end, and what stands at its path."""

import asyncio
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
from patience import PATIENCE

from pi_table.common.errors import DeviceError
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.devices.hal.simulated_link import MAX_LINE_BYTES, LinkedTable, lights_line


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "link"


class Bench:
    """A linked table on a loop, what it tells, and whoever is at the other end of its link."""

    def __init__(self, link: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.link, self.loop = link, loop
        self.table = LinkedTable(str(link), loop)
        self.frames: list[TouchFrame] = []
        self.table.start(self.frames.append)
        self._worlds: list[socket.socket] = []

    def connect(self, says: bytes = b"") -> socket.socket:
        world = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        world.settimeout(10.0)
        world.connect(str(self.link))
        self._worlds.append(world)
        self.say(world, says)
        return world

    def say(self, world: socket.socket, text: bytes) -> None:
        """Write to a Unix socket. The data arrives at once: a few turns of the loop are enough."""
        world.sendall(text)
        self.serve()

    def serve(self) -> None:
        for _ in range(5):
            self.loop.run_until_complete(asyncio.sleep(0))

    @property
    def touched(self) -> list[set[int]]:
        return touched(self.frames)

    def close(self) -> None:
        self.table.close()
        for world in self._worlds:
            world.close()


@pytest.fixture
def bench(link: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Bench]:
    with closing(Bench(link, loop)) as bench:
        yield bench


def touched(frames: list[TouchFrame]) -> list[set[int]]:
    """Return the successive sets of touched places; on a slow machine a frame may be repeated."""
    return [{*places} for places, _ in groupby(frame.touched for frame in frames)]


def test_noise_is_told_until_it_is_mended_and_never_of_what_is_deaf(bench: Bench) -> None:
    for line in ('{"touch": "D1"}', '{"disturb": "D1"}', '{"disturb": "E1"}', '{"fail": "E1"}'):
        bench.table.hear(line.encode())
    noisy, deaf = frozenset({3}), frozenset({4})
    assert bench.frames[-1] == TouchFrame(noisy, deaf=deaf, noisy=noisy)
    bench.table.hear(b'{"mend": true}')
    assert bench.frames[-1] == TouchFrame(noisy)


def test_whoever_connects_sees_how_the_lights_are(bench: Bench) -> None:
    shown = tuple(range(104))
    bench.table.show(shown)
    world = bench.connect()
    assert world.recv(65536) == lights_line(shown)


def test_a_line_tells_each_led_and_of_each_place_the_mean_of_its_leds() -> None:
    frame = [0] * 104
    frame[0:4] = [0xFF0000, 0x00FF00, 0x0000FF, 0x010203]
    frame[96:100] = [0x808080] * 4
    frame[102:104] = [0x100000, 0x200006]
    said = msgspec.json.decode(lights_line(tuple(frame)), type=dict[str, list[str]])
    assert [*said] == ["lights", "leds"]
    assert said["leds"] == [f"#{colour:06x}" for colour in frame]
    assert said["lights"] == ["#404040", *["#000000"] * 23, "#808080", "#000000", "#180003"]


def test_when_the_world_goes_its_fingers_are_lifted(bench: Bench) -> None:
    world = bench.connect(b'{"touch":"B1"}\n')
    world.close()
    bench.serve()
    assert bench.touched == [set(), {1}, set()]


def test_the_newest_world_wins_and_the_fingers_of_the_other_are_lifted(bench: Bench) -> None:
    first = bench.connect(b'{"touch":"B1"}\n')
    second = bench.connect()
    first.recv(65536)
    assert first.recv(65536) == b""
    bench.say(second, b'{"touch":"C1"}\n')
    assert bench.touched == [set(), {1}, set(), {2}]


def test_what_says_nothing_does_nothing(bench: Bench) -> None:
    world = bench.connect()
    for line in (
        b"",
        b"touch B1",
        b'{"touch":"F1"}',
        b'{"touch":true}',
        b'{"touch":["B1"]}',
        b'{"smash":"B1"}',
        b'["touch","B1"]',
        b"\xff\xfe",
        b"[" * 3000,
        b'{"touch":' + b"[" * 3000,
        b'{"touch":"\\ud800"}',
    ):
        world.sendall(line + b"\n")
    bench.say(world, b'{"touch":"B1"}\n')
    assert bench.touched == [set(), {1}]


def test_a_line_may_come_in_pieces(bench: Bench) -> None:
    world = bench.connect()
    for byte in b'{"touch":"B1"}\n{"release":"B1"}\n':
        bench.say(world, bytes([byte]))
    assert bench.touched == [set(), {1}, set()]


def test_a_line_without_an_end_is_not_kept(bench: Bench) -> None:
    world = bench.connect()
    for _ in range(1000):
        bench.say(world, b"x" * 1000)
    assert bench.table._world is not None
    assert len(bench.table._world._heard) <= MAX_LINE_BYTES
    bench.say(world, b'\n{"touch":"B1"}\n')
    assert bench.touched == [set(), {1}]


def test_only_its_owner_may_use_the_socket(bench: Bench) -> None:
    assert stat.S_IMODE(bench.link.stat().st_mode) == 0o600


def test_closing_removes_the_socket(bench: Bench) -> None:
    bench.table.close()
    assert not bench.link.exists()


def test_closing_leaves_alone_what_stands_under_the_name_of_the_socket(bench: Bench) -> None:
    bench.link.unlink()
    bench.link.mkdir()
    bench.table.close()
    assert bench.link.is_dir()


def test_lights_that_change_as_one_world_makes_way_for_another_go_to_that(
    bench: Bench, tmp_path: Path
) -> None:
    written = tmp_path / "a file of somebody else's"
    opened: list[int] = []
    shown = tuple(range(104))

    def answer(frame: TouchFrame) -> None:
        if opened or frame.touched:
            return
        opened.append(os.open(written, os.O_CREAT | os.O_WRONLY))  # it gets the number that is free
        bench.table.show(shown)

    bench.connect(b'{"touch":"B1"}\n')
    bench.table.start(answer)
    assert bench.table.shown != shown
    second = bench.connect()
    os.close(opened[0])
    assert written.read_bytes() == b""
    assert lights_line(shown) in second.recv(65536)


def test_a_socket_that_was_left_behind_makes_way(
    link: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(link))
    table = LinkedTable(str(link), loop)
    table.close()


def test_a_link_that_another_table_has_is_refused_and_that_table_unharmed(bench: Bench) -> None:
    world = bench.connect(b'{"touch":"B1"}\n')
    with pytest.raises(DeviceError, match="another program is listening there"):
        LinkedTable(str(bench.link), bench.loop)
    bench.serve()
    bench.say(world, b'{"touch":"C1"}\n')
    assert bench.touched == [set(), {1}, {1, 2}]  # the finger of the first world stayed


def test_what_is_no_socket_is_left_alone(link: Path, loop: asyncio.AbstractEventLoop) -> None:
    link.write_text("a letter")
    with pytest.raises(DeviceError, match="not a socket"):
        LinkedTable(str(link), loop)
    assert link.read_text() == "a letter"


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("missing/link", "No such file or directory"),
        ("x" * 200, "path too long"),
        (os.devnull, "Inappropriate ioctl"),
        ("", "not a socket"),
    ],
)
def test_a_link_that_cannot_be_is_a_clear_error(
    tmp_path: Path, loop: asyncio.AbstractEventLoop, where: str, says: str
) -> None:
    with pytest.raises(DeviceError, match=says) as error:
        LinkedTable(str(tmp_path / where), loop)
    assert str(error.value).startswith(f"The simulated table's link {tmp_path / where} cannot be")


def test_a_terminal_has_one_table(loop: asyncio.AbstractEventLoop) -> None:
    master, slave = os.openpty()
    table = LinkedTable(os.ttyname(slave), loop)
    with pytest.raises(DeviceError, match="no other table uses it"):
        LinkedTable(os.ttyname(slave), loop)
    table.close()
    LinkedTable(os.ttyname(slave), loop).close()
    os.close(master)
    os.close(slave)


def test_a_terminal_that_is_unplugged_leaves_no_finger_behind(
    loop: asyncio.AbstractEventLoop,
) -> None:
    master, slave = os.openpty()
    table = LinkedTable(os.ttyname(slave), loop)
    os.close(slave)
    frames: list[TouchFrame] = []
    table.start(frames.append)

    async def until(wanted: list[set[int]]) -> None:
        while touched(frames) != wanted:
            await asyncio.sleep(0.0005)  # a terminal passes bytes on when it likes

    os.write(master, b'{"touch":"B1"}\n')
    loop.run_until_complete(asyncio.wait_for(until([set(), {1}]), PATIENCE))
    os.close(master)
    loop.run_until_complete(asyncio.wait_for(until([set(), {1}, set()]), PATIENCE))
    for colour in range(100):
        table.show((colour,) * 104)
    table.close()
