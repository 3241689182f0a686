"""The sockets, with real viewers at them: honest ones, slow ones, and others."""

import asyncio
import os
import socket
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

import pytest

from pi_table.errors import DeviceError
from pi_table.ipc.messages import LONGEST_LINE
from pi_table.ipc.server import MOST_UNANSWERED, MOST_VIEWERS, Server, Viewer

P = ParamSpec("P")
BIG = b"x" * 20_000


def on_a_loop(
    test: Callable[Concatenate[Path, P], Awaitable[None]],
) -> Callable[Concatenate[Path, P], None]:
    """Run a test on an event loop; the time it may take is for the case that it hangs."""

    @wraps(test)
    def run(tmp_path: Path, *args: P.args, **kwargs: P.kwargs) -> None:
        async def limited() -> None:
            await asyncio.wait_for(test(tmp_path, *args, **kwargs), 20.0)

        asyncio.run(limited())

    return run


class Table:
    """What is behind the sockets: a number that is published, and an echo."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "run" / "table.sock"
        self.number = 0
        self.padding = b""
        self.heard: list[bytes] = []
        self.waiting: list[tuple[bytes, Viewer]] = []
        self.answers = True

    def newest(self) -> bytes:
        return b"%d %s\n" % (self.number, self.padding)

    def hear(self, line: bytes, viewer: Viewer) -> None:
        self.heard.append(line)
        if self.answers:
            viewer.answer(b"answer " + line + b"\n")
        else:
            self.waiting.append((line, viewer))

    def publish(self, server: Server) -> None:
        self.number += 1
        server.publish()

    @asynccontextmanager
    async def served(self, hears: bool = True, mode: int = 0o660) -> AsyncIterator[Server]:
        server = Server(self.newest, self.hear if hears else None)
        await server.open(self.path, mode)
        try:
            yield server
        finally:
            server.close()
            await asyncio.sleep(0)  # those who were cut off are told

    async def connect(self) -> "Eyes":
        reader, writer = await asyncio.open_unix_connection(str(self.path), limit=1 << 24)
        return Eyes(reader, writer)


class Eyes:
    """A viewer that behaves."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def line(self) -> bytes:
        return (await self.reader.readline()).strip()

    def say(self, data: bytes) -> None:
        self.writer.write(data)

    async def is_cut_off(self) -> bool:
        """Read to the end of what comes."""
        try:
            while await self.reader.read(1 << 20):
                pass
        except ConnectionResetError:
            pass
        self.writer.close()
        return True

    def close(self) -> None:
        self.writer.close()


async def settled(table: Table) -> None:
    """All that was sent so far has been served: somebody who comes now is answered after it."""
    eyes = await table.connect()
    await eyes.line()
    eyes.close()


async def send(sender: socket.socket, data: bytes, times: int) -> None:
    for _ in range(times):
        await asyncio.get_running_loop().sock_sendall(sender, data)


# --- what is published


@on_a_loop
async def test_whoever_connects_gets_the_newest_and_each_newer_one(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        table.number = 7
        first = await table.connect()
        assert await first.line() == b"7"
        table.publish(server)
        second = await table.connect()
        assert [await first.line(), await second.line()] == [b"8", b"8"]
        table.publish(server)
        assert [await first.line(), await second.line()] == [b"9", b"9"]
        first.close()
        second.close()


@on_a_loop
async def test_somebody_may_leave_and_come_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        for number in range(100):
            eyes = await table.connect()
            assert await eyes.line() == b"%d" % number
            eyes.close()
            table.publish(server)
        await settled(table)
        assert len(server._viewers) <= 1


@on_a_loop
async def test_whoever_does_not_read_gets_the_newest_and_costs_no_memory(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.padding = BIG
    async with table.served() as server:
        sleeper = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sleeper.connect(str(table.path))
        while not server._viewers:
            await asyncio.sleep(0)
        (viewer,) = server._viewers
        transport = viewer._transport
        assert transport is not None
        awake = await table.connect()
        await awake.line()
        for number in range(1, 1001):
            table.publish(server)
            assert (await awake.line()).split()[0] == b"%d" % number
            assert transport.get_write_buffer_size() <= len(BIG) + 10
        sleeper.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=sleeper, limit=1 << 24)
        seen = 0
        while seen < 1000:
            line = await reader.readline()
            number, padding = line.split()
            assert padding == BIG
            assert int(number) >= seen
            seen = int(number)
        writer.close()
        awake.close()


@on_a_loop
async def test_there_is_room_for_so_many_and_no_more(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        crowd = [await table.connect() for _ in range(40)]
        seen = [await eyes.reader.read(100) for eyes in crowd]
        assert seen == [b"0 \n"] * MOST_VIEWERS + [b""] * (40 - MOST_VIEWERS)
        table.publish(server)
        assert await crowd[0].line() == b"1"
        crowd[0].close()
        crowd[1].close()
        await asyncio.sleep(0)
        late = await table.connect()
        assert await late.line() == b"1"
        for eyes in [*crowd[2:], late]:
            eyes.close()


# --- what is said


@on_a_loop
async def test_requests_in_one_piece_are_heard_and_answered_in_order(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served():
        eyes = await table.connect()
        await eyes.line()
        eyes.say(b"".join(b"%d\n" % number for number in range(1000)))
        for number in range(1000):
            assert await eyes.line() == b"answer %d" % number
        assert len(table.heard) == 1000
        eyes.close()


@on_a_loop
async def test_a_request_may_come_in_pieces(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served():
        eyes = await table.connect()
        await eyes.line()
        for byte in b"one\ntwo\n":
            eyes.say(bytes([byte]))
            await settled(table)
        assert [await eyes.line(), await eyes.line()] == [b"answer one", b"answer two"]
        eyes.close()


@on_a_loop
async def test_half_a_line_is_waited_for_and_disturbs_nobody(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        eyes, other = await table.connect(), await table.connect()
        eyes.say(b"half a li")
        await eyes.line()
        await other.line()
        table.publish(server)
        assert await other.line() == b"1"
        assert table.heard == []
        eyes.say(b"ne\n")
        assert [await eyes.line(), await eyes.line()] == [b"1", b"answer half a line"]
        eyes.close()
        other.close()


@pytest.mark.parametrize("ends", [b"", b"\n"])
@on_a_loop
async def test_a_line_that_is_too_long_ends_the_connection(tmp_path: Path, ends: bytes) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        longest, longer = await table.connect(), await table.connect()
        longest.say(b"x" * LONGEST_LINE + b"\n")
        await longest.line()
        assert await longest.line() == b"answer " + b"x" * LONGEST_LINE
        longer.say(b"x" * (LONGEST_LINE + 1) + ends)
        assert await longer.is_cut_off()
        assert len(table.heard) == 1
        table.publish(server)
        assert await longest.line() == b"1"
        longest.close()


@on_a_loop
async def test_a_megabyte_without_a_line_feed_is_not_kept(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        flood = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        flood.connect(str(table.path))
        flood.setblocking(False)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            await send(flood, b"x" * 1024, times=1024)
        flood.close()
        await settled(table)
        assert all(len(viewer._rest) <= LONGEST_LINE for viewer in server._viewers)


@on_a_loop
async def test_whoever_asks_and_never_reads_is_cut_off(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served():
        flood = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        flood.connect(str(table.path))
        flood.setblocking(False)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            await send(flood, b"x" * 60_000 + b"\n", times=200)
        flood.close()
        assert 4 < len(table.heard) < 30


@on_a_loop
async def test_whoever_asks_for_more_than_is_answered_is_cut_off(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.answers = False
    async with table.served():
        patient, greedy = await table.connect(), await table.connect()
        await patient.line()
        await greedy.line()
        patient.say(b"ask\n" * MOST_UNANSWERED)
        await settled(table)
        greedy.say(b"more\n" * (MOST_UNANSWERED + 1))
        assert await greedy.is_cut_off()
        for line, viewer in table.waiting:
            viewer.answer(line + b"\n")  # also to the one that is not there any more
        for _ in range(MOST_UNANSWERED):
            assert await patient.line() == b"ask"
        patient.close()


@on_a_loop
async def test_an_answer_to_somebody_who_left_goes_nowhere(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.answers = False
    async with table.served():
        eyes = await table.connect()
        await eyes.line()
        eyes.say(b"ask\n")
        await settled(table)
        eyes.close()
        await settled(table)
        ((line, viewer),) = table.waiting
        viewer.answer(line)


@on_a_loop
async def test_nobody_may_say_anything_on_a_socket_that_does_not_hear(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served(hears=False) as server:
        quiet = await table.connect()
        await quiet.line()
        for said in (b"x", b"{}\n", b"\n"):
            eyes = await table.connect()
            assert await eyes.line() == b"0"
            eyes.say(said)
            assert await eyes.is_cut_off()
        assert table.heard == []
        table.publish(server)
        assert await quiet.line() == b"1"
        quiet.close()


# --- what stands at the path


@pytest.mark.parametrize("mode", [0o666, 0o660])
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
@on_a_loop
async def test_the_rights_are_the_same_whatever_the_umask(
    tmp_path: Path, mode: int, umask: int
) -> None:
    table = Table(tmp_path)
    table.path.parent.mkdir()
    before = os.umask(umask)
    try:
        async with table.served(mode=mode):
            assert stat.S_IMODE(table.path.stat().st_mode) == mode
            assert os.umask(umask) == umask
    finally:
        os.umask(before)


@on_a_loop
async def test_closing_removes_the_socket_and_may_be_done_twice(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        eyes = await table.connect()
        await eyes.line()
        server.close()
        assert not table.path.exists()
        assert await eyes.is_cut_off()


@on_a_loop
async def test_a_socket_that_was_left_behind_makes_way(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.path.parent.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(table.path))
    async with table.served():
        eyes = await table.connect()
        assert await eyes.line() == b"0"
        eyes.close()


@on_a_loop
async def test_a_live_socket_is_left_to_whoever_listens_there(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.served() as server:
        eyes = await table.connect()
        await eyes.line()
        second = Server(table.newest)
        with pytest.raises(DeviceError, match="another program listens there"):
            await second.open(table.path, 0o666)
        second.close()
        assert stat.S_IMODE(table.path.stat().st_mode) == 0o660
        table.publish(server)
        assert await eyes.line() == b"1"
        eyes.close()


@on_a_loop
async def test_what_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.path.parent.mkdir()
    table.path.write_text("a letter")
    with pytest.raises(DeviceError, match="something that is no socket stands there"):
        await Server(table.newest).open(table.path, 0o666)
    assert table.path.read_text() == "a letter"


@on_a_loop
async def test_a_path_that_cannot_be_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, says in (
        (tmp_path / "file" / "table.sock", "File exists"),
        (tmp_path / ("x" * 200), "path too long"),
    ):
        with pytest.raises(DeviceError, match=says) as error:
            await Server(lambda: b"").open(path, 0o666)
        assert str(error.value).startswith(f"The socket {path} cannot be opened: ")
        assert str(error.value).endswith("and that no other table runs.")
