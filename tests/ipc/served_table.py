"""A server with real viewers at it, on a loop whose clock can be put forward."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

from pi_table.protocols.ipc.server import Server, Viewer

P = ParamSpec("P")


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def later(seconds: float) -> None:
    """Let so many seconds pass at once."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    loop.ahead += seconds


def on_a_loop(
    test: Callable[Concatenate["Table", P], Awaitable[None]],
) -> Callable[..., None]:
    """Run a test on an event loop; the time it may take is for the case that it hangs."""

    @wraps(test)
    def run(table: "Table", *args: P.args, **kwargs: P.kwargs) -> None:
        async def limited() -> None:
            await asyncio.wait_for(test(table, *args, **kwargs), 1_000.0)

        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.run(limited())

    return run


def served(
    hears: bool = True, most: int | None = 8
) -> Callable[[Callable[Concatenate["Table", P], Awaitable[None]]], Callable[..., None]]:
    """Run a test on an event loop, while its table is served."""

    def decorate(test: Callable[Concatenate["Table", P], Awaitable[None]]) -> Callable[..., None]:
        async def while_served(table: "Table", /, *args: P.args, **kwargs: P.kwargs) -> None:
            async with table.served(hears, most=most):
                await test(table, *args, **kwargs)

        return wraps(test)(on_a_loop(while_served))

    return decorate


class Table:
    """The table behind the sockets: a published number, and an echo."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "run" / "table.sock"
        self.number = 0
        self.padding = b""
        self.heard: list[bytes] = []
        self.waiting: list[tuple[bytes, Viewer]] = []
        self.answers = True
        self.on_hear: dict[int, Callable[[], object]] = {}
        """Actions during the line of each number, from 1."""
        self.made = 0
        """Number of times that the newest message was made."""
        self.server: Server
        self.viewers: list[Eyes | socket.socket] = []
        """Closed with the server."""

    def newest(self) -> bytes:
        self.made += 1
        return b"%d %s\n" % (self.number, self.padding)

    def hear(self, line: bytes, viewer: Viewer) -> None:
        self.heard.append(line)
        self.on_hear.pop(len(self.heard), lambda: None)()
        if self.answers:
            viewer.answer(b"answer " + line + b"\n")
        else:
            self.waiting.append((line, viewer))

    def publish(self) -> None:
        self.number += 1
        self.server.publish()

    @asynccontextmanager
    async def served(
        self, hears: bool = True, mode: int = 0o660, most: int | None = 8
    ) -> AsyncIterator[Server]:
        self.server = Server(self.newest, self.hear if hears else None, most)
        await self.server.open(self.path, mode)
        try:
            yield self.server
        finally:
            for viewer in self.viewers:
                viewer.close()
            self.server.close()
            await asyncio.sleep(0)  # those who were cut off are told

    async def connect(self) -> "Eyes":
        reader, writer = await asyncio.open_unix_connection(str(self.path), limit=1 << 24)
        eyes = Eyes(reader, writer)
        self.viewers.append(eyes)
        return eyes

    async def viewer(self) -> "Eyes":
        """Somebody who has read the first message."""
        eyes = await self.connect()
        await eyes.line()
        return eyes


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
    (await table.viewer()).close()


async def send(sender: socket.socket, data: bytes, times: int) -> None:
    for _ in range(times):
        await asyncio.get_running_loop().sock_sendall(sender, data)


def raw(table: Table) -> socket.socket:
    """A viewer of which nothing is read but by the test."""
    viewer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    viewer.connect(str(table.path))
    viewer.setblocking(False)
    table.viewers.append(viewer)
    return viewer


def taken(viewer: socket.socket) -> bytes:
    """Return the bytes received so far."""
    try:
        return viewer.recv(1 << 20)
    except BlockingIOError:
        return b""
