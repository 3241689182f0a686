"""Connections, and what bounds each: uvicorn's protocols with the limits that they lack.

`README.md` beside this file tells which attack is met by what.
"""

import asyncio
from asyncio.transports import BaseTransport
from base64 import b64decode
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from pi_table.common.pacing import RateLimit
from pi_table.screens.web.asgi import PLACE
from pi_table.screens.web.guard import HEADERS, NO_STORE, Guard
from pi_table.screens.web.places import Place
from pi_table.screens.web.turns import Turns

MOST_CONNECTIONS: Final = 512
MOST_A_DEVICE: Final = 256
"""Connections of one address, behind which there may be a router with everybody. Boards and phones
that are served take no more than a part of them: `events.MOST_A_DEVICE`, `phones.MOST_A_DEVICE`."""
REQUEST_SECONDS: Final = 10.0
"""How long a request may take to come, from its first byte, or from the connection, to its last."""
UNREAD_SECONDS: Final = 15.0
"""How long an answer may lie unread."""
PHONE_BYTES_AT_ONCE: Final = 32 * 1024
"""Bytes that a phone may send at once, whatever they are: a network holds some back, and then
brings all of them."""
PHONE_BYTES_A_SECOND: Final = 8 * 1024
"""Bytes that a phone may send in the long run. One that does what it is to sends 2 kB."""
PHONE_UNREAD_BYTES: Final = 24 * 1024
"""Bytes of blocks that wait here for a phone, a second of them, besides what the system keeps."""
GOODBYE_SECONDS: Final = 2.0
"""How long a phone may take to answer that its connection ends."""
PHONE_FRAMES_AT_ONCE: Final = 40
PHONE_FRAMES_A_SECOND: Final = 10.0
"""Frames that a phone may send, of any kind: a ping of six bytes costs as much as a long one."""
PIECE_BYTES: Final = 1024
"""Bytes that are read at a time: in more of them there could be a thousand chunks, or pings."""
PHONES: Final = "/api/1/phones"
"""The one path at which there is a WebSocket."""


class HttpConnection(H11Protocol):
    """A connection over which requests come."""

    def __init__(
        self,
        guard: Guard,
        turns: Turns,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._place: Place = app_state[PLACE]
        self._guard = guard
        self._turns = turns
        self._came = bytearray()
        """What has come and waits to be read, by turns."""
        self._reading: asyncio.Task[None] | None = None
        self._awaited: asyncio.TimerHandle | None = None
        """Cuts the connection off when a request takes too long to come."""
        self._unread: asyncio.TimerHandle | None = None
        """Cuts the connection off when an answer is not read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._place.when_wanted(transport.abort)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._place.leave()
        if self._reading is not None:
            self._reading.cancel()
        self._request_came()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._came += data
        self.transport.pause_reading()  # the rest waits in the system, which keeps little of it
        if self._reading is None or self._reading.done():
            self._reading = self.loop.create_task(self._read())

    async def _read(self) -> None:
        """Read what has come, a piece at each turn."""
        while self._came and not self._is_over():
            await self._turns.wait(self._place.device)
            piece = bytes(self._came[:PIECE_BYTES])
            del self._came[:PIECE_BYTES]
            try:
                super().data_received(piece)
            except BaseException:
                self.transport.abort()
                raise
            if self._is_over():
                break
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self._await_request()
            else:
                self._request_came()
        if self._is_over() or not self.flow.read_paused:
            self.transport.resume_reading()

    def _is_over(self) -> bool:
        """Is nothing more of it read here?"""
        return self.transport.is_closing() or self.transport.get_protocol() is not self

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._request_came()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Tell that this is no request, whatever else is under way."""
        self._request_came()
        if self.cycle is None or not self.cycle.response_started or self.cycle.response_complete:
            self.transport.write(_NO_REQUEST)
            self.transport.close()
        else:
            self.transport.abort()

    def shutdown(self) -> None:
        self.transport.close()

    def _should_upgrade(self) -> bool:
        if self._get_upgrade() != b"websocket" or self.scope["path"] != PHONES:
            return False
        given = dict(self.headers)
        return (
            self.scope["method"] == "GET"
            and self.scope["http_version"] == "1.1"
            and given.get(b"sec-websocket-version") == b"13"
            and _is_a_key(given.get(b"sec-websocket-key", b""))
            and self._guard.refusal(self.scope["raw_path"], self.headers, sends=True) is None
        )

    def _await_request(self) -> None:
        if self._awaited is None:
            self._awaited = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _request_came(self) -> None:
        if self._awaited is not None:
            self._awaited.cancel()
            self._awaited = None


class PhoneConnection(WebSocketsSansIOProtocol):
    """A connection that has become a phone's WebSocket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._place: Place = app_state[PLACE]
        self._bytes = RateLimit(PHONE_BYTES_AT_ONCE, PHONE_BYTES_A_SECOND)
        self._frames = RateLimit(PHONE_FRAMES_AT_ONCE, PHONE_FRAMES_A_SECOND)
        self.close_timeout = GOODBYE_SECONDS

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=PHONE_UNREAD_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        self._place.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._bytes.spend(len(data), self.loop.time()):
            self.transport.abort()
        for at in range(0, len(data), PIECE_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[at : at + PIECE_BYTES])

    def handle_events(self) -> None:
        if self._frames.spend(len(self.conn.events), self.loop.time()):
            super().handle_events()
        else:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.transport.abort()


def _is_a_key(key: bytes) -> bool:
    """Is it what a browser draws for a WebSocket: 16 bytes in base64?"""
    try:
        return len(b64decode(key, validate=True)) == 16
    except ValueError:
        return False


def _no_request() -> bytes:
    content = b"This is no request.\n"
    headers = [
        *HEADERS,
        NO_STORE,
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(content)).encode()),
        (b"connection", b"close"),
    ]
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
    return b"HTTP/1.1 400 Bad Request\r\n" + lines + b"\r\n" + content


_NO_REQUEST: Final = _no_request()
