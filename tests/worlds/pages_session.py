"""The process of the pages beside the daemon, and everybody who opens a page, a phone or a desk.

It is the real one, on the loop of the world: only, it listens at a Unix socket, whose bytes come in
the instant in which they were sent. What anybody on the network can see is seen with its time:
every byte that a viewer is sent, and of a phone's conversation how long each piece is, for the rest
of that is sealed with keys that no two evenings have in common. Of what a phone itself shows, all
must be the same but the key, which is there for a spymaster who holds; and what an agent sees who
holds is seen as on the hidden screen: it must be the same for whoever knows nothing different.
"""

import asyncio
import logging
import math
import socket
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import msgspec
from game_scripts import Line
from phone import Phone
from virtual_loop import VirtualLoop
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from pi_table.protocols.ipc.sealed import BEAT_SECONDS, DOWN_BYTES
from pi_table.protocols.ipc.stream import read_line
from pi_table.screens.web import process, table_link

if TYPE_CHECKING:
    from daemon_world import World

HOST: Final = "table.local"
ADDRESS: Final = f"http://{HOST}"
PATHS: Final = ("/", "/api/1/table", "/api/1/about", "/qr.svg", "/texts/it.json", "/static/live.js")
GONE_SECONDS: Final = 1.6
"""So long after a finger was lifted a key may still be sent: the engine hears of that a beat later,
or of nothing for a second, and what it has sent comes round for one beat more."""


class Pages:
    """The process of the pages, and who has one open."""

    def __init__(self, world: "World", loop: VirtualLoop) -> None:
        self.world = world
        self.loop = loop
        self.path = world.folder / "runtime" / "pages.sock"
        self.stop = asyncio.Event()
        self.served: asyncio.Task[None] | None = None
        self.phones: dict[str, PhoneInAHand] = {}
        self.connections: list[asyncio.WriteTransport] = []
        self.awaited: list[str] = []
        """The seats for which a link was asked, and has not come."""

    async def open(self) -> None:
        self.path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.path))
        listener.listen(64)
        listener.setblocking(False)
        ready = asyncio.Event()
        config = self.world.config
        config = msgspec.structs.replace(
            config, web=msgspec.structs.replace(config.web, address=ADDRESS)
        )
        with mock.patch.object(process, "listeners", return_value=[listener]):
            self.served = self.loop.create_task(process.run(config, self.stop, ready.set))
            is_ready = self.loop.create_task(ready.wait())
            await asyncio.wait((self.served, is_ready), return_when=asyncio.FIRST_COMPLETED)
            is_ready.cancel()
            if self.served.done():
                await self.served  # it raises what went wrong
        await self.view()

    async def close(self) -> None:
        for each in self.phones.values():
            each.leave()
        for connection in self.connections:
            connection.abort()
        self.stop.set()
        assert self.served is not None
        await self.served

    async def connected(self, heard: Callable[[bytes], None]) -> asyncio.WriteTransport:
        transport, _ = await self.loop.create_unix_connection(lambda: Ear(heard), str(self.path))
        self.connections.append(transport)
        return transport

    # Who looks on

    async def view(self) -> None:
        """One more viewer follows the table."""
        told = await self.connected(partial(self.world.saw, "pages, a viewer"))
        told.write(_request("GET /api/1/events"))

    async def look_around(self) -> None:
        """Somebody opens every page once."""
        for path in PATHS:
            asked = await self.connected(partial(self.world.saw, f"pages, {path}"))
            asked.write(_request(f"GET {path}", "Connection: close"))
        asked = await self.connected(partial(self.world.saw, "pages, a desk"))
        kind, length = "Content-Type: application/octet-stream", "Content-Length: 64"
        asked.write(_request("POST /api/1/desk", kind, length) + bytes(64))

    # Phones

    async def happens(self, happening: Line) -> None:
        seat = happening["phone"]
        match happening:
            case {"does": "look around"}:
                await self.look_around()
            case {"does": "join"}:
                self.awaited.append(seat)
            case {"does": does, **more} if seat in self.phones:
                await self.phones[seat].happens(does, more.get("do"))

    def linked(self, link: str) -> None:
        """The link that was asked for first is there."""
        seat = self.awaited.pop(0)
        if seat in self.phones:
            self.phones[seat].leave()
        self.phones[seat] = PhoneInAHand(self, seat, link)
        self.phones[seat].wake()

    def not_linked(self) -> None:
        """It was refused."""
        self.awaited.pop(0)


class PhoneInAHand:
    """A phone with a seat: awake it beats, and shows what it is sent."""

    def __init__(self, pages: Pages, seat: str, link: str) -> None:
        self.pages = pages
        self.seat = seat
        self.phone = Phone(link)
        self.shown: object = None
        self.known: object = None
        """Latest secret on its screen: facts that only one agent knows."""
        self.held_until = 0.0
        """Until when the key may be on its way, or be here, as somebody holds, or did just now."""
        self.task: asyncio.Task[None] | None = None

    async def happens(self, does: str, do: Line | None) -> None:
        match does:
            case "hold":
                self.phone.hold, self.held_until = True, math.inf
            case "let go":
                self.phone.hold = False
                self.held_until = self.pages.loop.time() + GONE_SECONDS
            case "ask" if do is not None:
                self.phone.ask(**do)
            case "reload":
                self.phone.load()
            case "sleep":
                self.leave()
            case "wake":
                self.wake()

    def wake(self) -> None:
        if self.task is None:
            self.task = self.pages.loop.create_task(self._beat())

    def leave(self) -> None:
        if self.task is not None:
            self.task.cancel()
            self.task = None

    async def _beat(self) -> None:
        line = WebSocket(self._block)
        transport = await self.pages.connected(self._arrived(line))
        try:
            transport.write(line.opening())
            while not transport.is_closing():
                await asyncio.sleep(BEAT_SECONDS)
                transport.write(line.binary(self.phone.next()))
        finally:
            transport.abort()

    def _arrived(self, line: "WebSocket") -> Callable[[bytes], None]:
        def arrived(data: bytes) -> None:
            is_open = line.is_open
            line.receive(data)
            # What comes before is HTTP, and holds a random number: that of the WebSocket.
            self.pages.world.saw("pages, a phone", len(data) if is_open else data[:12])

        return arrived

    def _block(self, block: bytes) -> None:
        frames = tuple(
            block[start : start + DOWN_BYTES] for start in range(0, len(block), DOWN_BYTES)
        )
        is_for_it = self.phone.hear(frames)
        message: Any = self.phone.message
        if not is_for_it or message is None:
            return
        if message["agent"] is not None:
            # What an agent may see may have any length, and so may take any number of beats.
            if message != self.known:
                self.known = message
                value = msgspec.json.encode(message)
                self.pages.world.saw_on_screen(self.seat, message["game"], value)
            return
        now = self.pages.loop.time()
        is_theirs = self.seat.endswith("-spymaster") and now < self.held_until
        is_theirs = is_theirs and not message["asked"]  # who is asked may be an operative now
        shown = {**message, "key": "theirs"} if is_theirs and message["key"] else message
        if shown != self.shown:
            self.shown = shown
            self.pages.world.saw(f"phone of {self.seat}", msgspec.json.encode(shown))


class WebSocket:
    """A browser's end of a WebSocket, as bytes in and bytes out."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self._protocol = ClientProtocol(
            parse_uri(f"ws://{HOST}/api/1/phones"), max_size=None, logger=_QUIET
        )
        self._heard = heard
        self.is_open = False

    def opening(self) -> bytes:
        self._protocol.send_request(self._protocol.connect())
        return b"".join(self._protocol.data_to_send())

    def binary(self, data: bytes) -> bytes:
        if not self.is_open:
            return b""
        self._protocol.send_binary(data)
        return b"".join(self._protocol.data_to_send())

    def receive(self, data: bytes) -> None:
        if not data:
            return
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.BINARY:
                    self._heard(bytes(event.data))
            else:
                self.is_open = True


_QUIET: Final = logging.Logger("a phone", logging.CRITICAL)


class Ear(asyncio.Protocol):
    """Somebody at the other end of a socket; nothing is heard when that hangs up."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        self.heard = heard

    def data_received(self, data: bytes) -> None:
        self.heard(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.heard(b"")


def _request(what: str, *headers: str) -> bytes:
    lines = (f"{what} HTTP/1.1", f"Host: {HOST}", *headers, "", "")
    return "\r\n".join(lines).encode()


def lines_of_the_sealed_socket(saw: Callable[[str, object], None]) -> Any:
    """See how long each line is that the engine gives to whoever relays it, and when it comes."""

    async def line(reader: asyncio.StreamReader) -> bytes:
        text = await read_line(reader)
        if text.startswith(b'{"kind":"public'):
            saw("public socket, that of the pages", text)
        else:
            saw("sealed socket", (text[:24], len(text)))
        return text

    return mock.patch.object(table_link, "read_line", line)
