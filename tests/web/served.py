"""The pages, served in this process over real sockets, and a table's end of theirs by a script."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from patience import PATIENCE
from ports import free_port

from pi_table.common import config
from pi_table.protocols.ipc.messages import AnyPublicMessage, PublicMessage, line
from pi_table.protocols.ipc.sealed import (
    DOWN_BYTES,
    PLACES_FOR_PHONES,
    DeskCall,
    DeskReply,
    FromRelay,
    Heard,
    Relayed,
    SealedBlock,
)
from pi_table.screens.web.process import run

Test = Callable[..., None]
NOTHING = PublicMessage(None, out_of_order=False)
OUT_OF_ORDER = PublicMessage(None, out_of_order=True)


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class ScriptedTable:
    """The table's end of the public socket and of the sealed one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.newest: AnyPublicMessage = NOTHING
        self.relayed: asyncio.Queue[Relayed] = asyncio.Queue()
        """Messages of the relay."""
        self.hears = True
        """True if it confirms what it hears of the relay."""
        self.reply: Callable[[bytes], Coroutine[Any, Any, bytes]] = self._backwards
        """Function that answers a desk."""
        self._servers: list[asyncio.Server] = []
        self.viewers: set[asyncio.StreamWriter] = set()
        """Connections to the public socket."""
        self._relays: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()

    async def come(self) -> None:
        for name, serve in (("public", self._public), ("sealed", self._sealed)):
            path = self.folder / f"{name}.sock"
            path.unlink(missing_ok=True)
            self._servers.append(await asyncio.start_unix_server(serve, path))

    async def go(self) -> None:
        for server in self._servers:
            server.close()
        self._servers.clear()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await asyncio.sleep(0)  # in which connections end

    def publish(self, message: AnyPublicMessage) -> None:
        self.newest = message
        for viewer in self.viewers:
            viewer.write(line(message))

    def send(self, number: int) -> bytes:
        """Send phones a block whose bytes are all that number; what a phone is to get."""
        frame = bytes([number]) * DOWN_BYTES
        self.write(msgspec.json.encode(SealedBlock((frame,) * PLACES_FOR_PHONES)))
        return frame * PLACES_FOR_PHONES

    def write(self, text: bytes) -> None:
        for relay in self._relays:
            relay.write(text + b"\n")

    async def said(self) -> bytes:
        """The next frame that phones said."""
        while not (relayed := await self.relayed.get()).frames:
            pass
        (frame,) = relayed.frames
        return frame

    async def _public(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.viewers.add(writer)
        writer.write(line(self.newest))
        with self._kept(writer):
            await reader.read()

    async def _sealed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._kept(writer):
            async for text in reader:
                await self._heard(msgspec.json.decode(text, type=FromRelay), writer)

    @contextmanager
    def _kept(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):
                yield
        finally:
            self._serving.discard(task)
            self.viewers.discard(writer)
            self._relays.discard(writer)
            writer.transport.abort()

    async def _heard(self, said: FromRelay, writer: asyncio.StreamWriter) -> None:
        if isinstance(said, DeskCall):
            reply = DeskReply(said.id, await self.reply(said.sealed))
            writer.write(msgspec.json.encode(reply) + b"\n")
            return
        self._relays.add(writer)
        self.relayed.put_nowait(said)
        if self.hears:
            writer.write(msgspec.json.encode(Heard(said.id)) + b"\n")

    async def _backwards(self, sealed: bytes) -> bytes:
        return sealed[::-1]


class Served:
    """Pages that are served."""

    def __init__(self, table: ScriptedTable, port: int) -> None:
        self.table = table
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.stop = asyncio.Event()
        """Ends the pages."""
        self._connections: list[asyncio.StreamWriter] = []

    async def ask(
        self, path: str, method: str = "GET", body: bytes = b"", **headers: str
    ) -> Answer:
        """Ask for something; ``_`` in a header's name is a hyphen."""
        given = {"host": self.host, **{k.replace("_", "-"): v for k, v in headers.items()}}
        if body:
            given.setdefault("content-length", str(len(body)))
        lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        return await self.say(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)

    async def say(self, text: bytes, source: str = "127.0.0.1") -> Answer:
        """Send these bytes, and read what is answered to them."""
        reader, writer = await self.connect(source)
        writer.write(text)
        return await asyncio.wait_for(read_answer(reader, text.startswith(b"HEAD")), PATIENCE)

    async def connect(
        self, source: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, from one of the addresses that this machine has for itself."""
        found = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        self._connections.append(found[1])
        return found

    async def leave(self) -> None:
        """End every connection."""
        for writer in self._connections:
            writer.transport.abort()
        await asyncio.sleep(0)

    async def watch(self, source: str = "127.0.0.1") -> "Watching":
        """Look on as a browser does."""
        reader, writer = await self.connect(source)
        writer.write(f"GET /api/1/events HTTP/1.1\r\nhost: {self.host}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        return Watching(reader, writer)


class Watching:
    """Somebody who looks on."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._rest = b""
        self.told: list[bytes] = []
        """All that came, piece by piece."""

    async def piece(self) -> bytes:
        """Return the next piece: an event, a comment, or a retry time. Raises EOFError."""
        while b"\n\n" not in self._rest:
            size = int(await self._reader.readline() or b"0", 16)
            if not size:
                raise EOFError
            self._rest += await self._reader.readexactly(size)
            await self._reader.readline()
        piece, _, self._rest = self._rest.partition(b"\n\n")
        self.told.append(piece)
        return piece

    async def table(self) -> Any:
        """The next table that is shown."""
        while True:
            piece = await asyncio.wait_for(self.piece(), PATIENCE)
            if piece.startswith(b"event: table\ndata: "):
                return msgspec.json.decode(piece.partition(b"data: ")[2])

    async def ends(self) -> bool:
        """True if the connection ends like a complete answer."""
        try:
            while True:
                await asyncio.wait_for(self.piece(), PATIENCE)
        except EOFError:
            return True

    async def until(self, shown: Callable[[Any], bool]) -> Any:
        """The next table of which this is so."""
        while not shown(table := await self.table()):
            pass
        return table


async def read_answer(reader: asyncio.StreamReader, bodiless: bool = False) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value
        for name, _, value in (each.partition(": ") for each in head[1:] if each)
    }
    length = 0 if bodiless else int(headers.get("content-length", "0"))
    return Answer(int(head[0].split()[1]), headers, await reader.readexactly(length))


@asynccontextmanager
async def serving(folder: Path, **web: Any) -> AsyncIterator[Served]:
    """Pages that are served, with a scripted table; ``web`` changes the configuration."""
    port = free_port()
    used = config.load(
        changes={
            "web": {"listen": "127.0.0.1", "port": port, **web},
            "paths": {"runtime": str(folder), "state": str(folder)},
        }
    )
    table = ScriptedTable(folder)
    await table.come()
    served = Served(table, port)
    ready = asyncio.Event()
    serving = asyncio.create_task(run(used, served.stop, ready.set))
    try:
        await asyncio.wait(
            {serving, waiting := asyncio.create_task(ready.wait())},
            return_when=asyncio.FIRST_COMPLETED,
        )
        waiting.cancel()
        yield served
    finally:
        await served.leave()
        served.stop.set()
        await asyncio.wait_for(serving, PATIENCE)
        await table.go()


def play(scene: Coroutine[Any, Any, None]) -> None:
    """Run what a test does."""
    asyncio.run(asyncio.wait_for(scene, 2 * PATIENCE))


def with_pages(**web: Any) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Test]:
    """Give an async test pages that are served, as ``served``; ``web`` changes the configuration.

    All else that the test takes are fixtures and parameters, as ever.
    """

    def given_pages(test: Callable[..., Coroutine[Any, Any, None]]) -> Test:
        async def scene(folder: Path, given: dict[str, Any]) -> None:
            async with serving(folder, **web) as served:
                await test(served=served, **given)

        def run(tmp_path: Path, **given: Any) -> None:
            if "tmp_path" in taken:
                given["tmp_path"] = tmp_path
            play(scene(tmp_path, given))

        taken = dict(signature(test).parameters)
        folder = Parameter("tmp_path", Parameter.POSITIONAL_OR_KEYWORD)
        others = [each for name, each in taken.items() if name not in ("served", "tmp_path")]
        update_wrapper(run, test)
        run.__signature__ = Signature([folder, *others])  # type: ignore[attr-defined]
        return run

    return given_pages
