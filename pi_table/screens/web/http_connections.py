"""HTTP connections: h11 parses requests, and an ASGI application answers them. Timers limit how
long a request or an answer may take.

`SECURITY.md` beside this file lists the attacks, and the limit against each of them.
"""

import asyncio
import logging
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha1
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

import h11

from pi_table.screens.web.asgi import PLACE, Message, Receive, Scope, Send
from pi_table.screens.web.guard import HEADERS, MAX_HEAD_BYTES, NO_STORE, Guard
from pi_table.screens.web.phone_connection import PhoneConnection
from pi_table.screens.web.places import Place
from pi_table.screens.web.turns import PIECE_BYTES, Turns

log = logging.getLogger("pi_table")

App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_CONNECTIONS: Final = 512
"""Maximum number of all connections. `phones.MAX_PHONES` and `events.MAX_VIEWERS` limit phones and
boards."""
MAX_PER_DEVICE: Final = 256
"""Maximum number of connections from one address. It is high, because all guests may be behind one
router.

Boards and phones may use only a part of these connections: `events.MAX_PER_DEVICE`,
`phones.MAX_PER_DEVICE`.
"""
REQUEST_SECONDS: Final = 10.0
"""Timeout in seconds for a request to arrive. For the first request of a connection, it
starts when the connection is made; for a later request, at the request's first byte."""
KEPT_SECONDS: Final = 5.0
"""Timeout in seconds after which a connection without a new request is closed."""
UNREAD_SECONDS: Final = 15.0
"""Timeout in seconds for a client that leaves an answer unread."""
PHONES: Final = "/api/1/phones"
"""The path of the phones' WebSocket. There is no other WebSocket."""
CLOSE: Final = (b"connection", b"close")
"""Header that ends the connection after this answer."""
WEB_SOCKETS: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""The constant that a server appends to a browser's key before hashing (RFC 6455, 1.3)."""


class HttpConnection(asyncio.Protocol):
    """A connection for HTTP requests. One task answers its requests, one after the other."""

    def __init__(
        self, app: App, guard: Guard, turns: Turns, place: Place, connections: set["HttpConnection"]
    ) -> None:
        """``connections`` is the set of all connections. A connection stays in the set until it is
        lost and its task has ended."""
        self._app = app
        self._guard = guard
        self._turns = turns
        self._place = place
        self._connections = connections
        self._transport: asyncio.Transport
        self._http = h11.Connection(h11.SERVER, MAX_HEAD_BYTES)
        self._phone: PhoneConnection | None = None

        self._came = bytearray()
        """Received bytes that are parsed when it is this device's turn. Until then no more bytes
        are received."""
        self._has_come = asyncio.Event()
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._lost = asyncio.Event()
        self._idle = _Timer()
        """The timer that closes a connection without requests."""
        self._coming = _Timer()
        """The timer that aborts the connection if a request takes too long to arrive."""
        self._unread = _Timer()
        """The timer that aborts the connection if the client leaves an answer unread."""

        # The state of the current request:
        self._is_answering = False
        self._body = bytearray()
        """Bytes of the request's body that the application has not taken yet."""
        self._has_more = False
        """True if a part of the request's body has not arrived yet."""
        self._is_taken = False
        """True if the application has taken the whole body of the request."""
        self._is_head = False
        """True if the method is HEAD: the answer then has headers, but no content."""
        self._is_begun = False
        self._over = asyncio.Event()
        """Set when the answer is complete, or when the connection is lost."""

    # What asyncio calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._place.when_wanted(transport.abort)
        self._coming.start(REQUEST_SECONDS, transport.abort)
        self._connections.add(self)
        self.served = asyncio.get_running_loop().create_task(self._serve())

    def connection_lost(self, exc: Exception | None) -> None:
        self._place.leave()
        for timer in (self._idle, self._coming, self._unread):
            timer.stop()
        for event in (self._lost, self._over, self._has_come, self._may_write):
            event.set()
        if not self._is_answering:
            self.served.cancel()  # so that it takes no turn from other connections of its device

    def data_received(self, data: bytes) -> None:
        self._came += data
        self._transport.pause_reading()
        self._has_come.set()

    def pause_writing(self) -> None:
        self._may_write.clear()
        self._unread.start(UNREAD_SECONDS, self._transport.abort)

    def resume_writing(self) -> None:
        self._unread.stop()
        self._may_write.set()

    def close(self) -> None:
        """End the connection, after the data written so far has been sent."""
        if self._phone is None:
            self._transport.close()
        else:
            self._phone.close()

    def abort(self) -> None:
        self._transport.abort()

    # Requests

    async def _serve(self) -> None:
        try:
            try:
                while await self._answer_one():
                    pass
                self._transport.close()
            except ConnectionError:
                pass  # the browser has disconnected
            except h11.RemoteProtocolError:
                self._refuse()
            except Exception as error:
                log.error("A connection could not be served: %s.", type(error).__name__)
                self._transport.abort()
            await self._lost.wait()
        finally:
            self._connections.discard(self)

    async def _answer_one(self) -> bool:
        """Answer the next request; return True if another request may follow on this connection."""
        # Step 1: read the head, and the part of the body that arrived with it.
        self._is_answering = self._is_begun = self._is_taken = False
        request = await self._next_event()
        assert isinstance(request, h11.Request)
        self._is_answering = self._has_more = True
        self._is_head = request.method == b"HEAD"
        self._over.clear()
        while self._has_more and (event := self._http.next_event()) is not h11.NEED_DATA:
            self._add_to_body(event)
        # Step 2: let the application answer.
        scope = self._build_scope(request)
        if self._wants_web_socket(scope):
            scope["type"] = "websocket"
            key = dict(scope["headers"])[b"sec-websocket-key"]
            await self._app(scope, self._receive_web_socket, partial(self._send_web_socket, key))
        else:
            await self._app(scope, self._receive, self._send)
        if self._phone is not None:
            await self._lost.wait()
        if not self._over.is_set() or self._http.our_state is not h11.DONE:
            return False
        # Step 3: read and drop the rest of the body, if the application has not read all of it.
        self._is_answering = False
        while self._has_more:
            self._add_to_body(await self._next_event())
            self._body.clear()
        self._http.start_next_cycle()
        if self._came or self._http.trailing_data[0]:
            self._coming.start(REQUEST_SECONDS, self._transport.abort)
        else:
            self._idle.start(KEPT_SECONDS, self._transport.close)
        return True

    async def _next_event(self) -> h11.Event:
        """Return h11's next event: a whole head, a part of a body, or the end of a body.

        One piece of the received bytes is parsed in each turn. Raises ConnectionError if the
        connection is lost, and h11.RemoteProtocolError if the bytes are not HTTP.
        """
        while (event := self._http.next_event()) is h11.NEED_DATA:
            while not self._came:
                self._has_come.clear()
                await self._has_come.wait()
                if self._lost.is_set():
                    raise ConnectionResetError
            self._idle.stop()
            self._coming.start(REQUEST_SECONDS, self._transport.abort)
            await self._turns.wait(self._place.device)
            if self._transport.is_closing():
                raise ConnectionResetError
            piece = bytes(self._came[:PIECE_BYTES])
            del self._came[:PIECE_BYTES]
            if not self._came:
                self._transport.resume_reading()
            self._http.receive_data(piece)
        assert not isinstance(event, type)  # not PAUSED: h11 pauses only after the end of a request
        return event

    def _add_to_body(self, event: object) -> None:
        if isinstance(event, h11.Data):
            self._body += event.data
        else:
            self._has_more = False
            self._coming.stop()

    def _refuse(self) -> None:
        """Answer that the received bytes are not a valid request, and end the connection."""
        if self._is_begun and not self._over.is_set():
            self._transport.abort()
        else:
            self._transport.write(_NO_REQUEST)
            self._transport.close()

    def _build_scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": request.http_version.decode(),
            "method": request.method.decode(),
            "scheme": "http",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": list(request.headers),
            "client": (self._place.device, 0),  # nothing uses the port
            "state": {PLACE: self._place},
        }

    # What the application calls (ASGI)

    async def _receive(self) -> Message:
        """Return the next piece of the request's body; after the last piece, wait until the answer
        is complete."""
        if not self._is_taken:
            try:
                if self._has_more and not self._body:
                    if self._http.they_are_waiting_for_100_continue:
                        self._write(_GO_ON)
                    self._add_to_body(await self._next_event())
            except ConnectionError:
                return {"type": "http.disconnect"}
            except h11.RemoteProtocolError:
                self._refuse()
                return {"type": "http.disconnect"}
            body = bytes(self._body)
            self._body.clear()
            self._is_taken = not self._has_more
            return {"type": "http.request", "body": body, "more_body": self._has_more}
        await self._over.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        """Send a part of the answer. If the connection is lost, the part is dropped."""
        await self._may_write.wait()
        if self._transport.is_closing():
            return
        if message["type"] == "http.response.start":
            status = message["status"]
            reason = HTTPStatus(status).phrase.encode()
            self._is_begun = True
            self._write(h11.Response(status_code=status, headers=message["headers"], reason=reason))
            return
        if not self._is_head:
            self._write(h11.Data(data=message["body"]))
        if not message.get("more_body", False):
            self._write(h11.EndOfMessage())
            self._over.set()

    def _write(self, event: h11.Event) -> None:
        self._transport.write(self._http.send(event) or b"")

    # What the application calls for a WebSocket (ASGI)

    def _wants_web_socket(self, scope: Scope) -> bool:
        """True if the request opens the phones' WebSocket in a valid way (RFC 6455, 4.2.1)."""
        given: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name, []).append(value)
        connection = b",".join(given.get(b"connection", [])).lower().split(b",")
        return (
            (scope["method"], scope["http_version"], scope["path"]) == ("GET", "1.1", PHONES)
            and b"upgrade" in (each.strip() for each in connection)
            and [each.lower() for each in given.get(b"upgrade", [])] == [b"websocket"]
            and given.get(b"sec-websocket-version") == [b"13"]
            and [*map(_is_a_key, given.get(b"sec-websocket-key", []))] == [True]
            and not given.keys() & {b"content-length", b"transfer-encoding"}
            and self._guard.refusal(scope["raw_path"], scope["headers"], sends=True) is None
        )

    async def _receive_web_socket(self) -> Message:
        if self._phone is None:
            return {"type": "websocket.connect"}
        return await self._phone.receive()

    async def _send_web_socket(self, key: bytes, message: Message) -> None:
        """Send a message over the WebSocket. If the application refuses the WebSocket, send its
        HTTP answer.

        Raises ConnectionError if the connection is lost.
        """
        kind = message["type"].removeprefix("websocket.")
        if self._phone is not None:
            await self._phone.send(message)
        elif kind == "accept":
            await self._open_web_socket(key)
        elif kind == "http.response.start":
            await self._send({**message, "type": kind, "headers": [*message["headers"], CLOSE]})
        elif kind == "http.response.body":
            await self._send({**message, "type": kind})

    async def _open_web_socket(self, key: bytes) -> None:
        await self._may_write.wait()
        if self._transport.is_closing():
            raise ConnectionResetError
        headers = [
            (b"Upgrade", b"websocket"),
            (b"Connection", b"Upgrade"),
            (b"Sec-WebSocket-Accept", _accept_key(key)),
        ]
        self._write(
            h11.InformationalResponse(
                status_code=101, headers=headers, reason=b"Switching Protocols"
            )
        )
        early = self._http.trailing_data[0] + self._came
        self._came.clear()
        self._phone = PhoneConnection(self._transport, self._place, self._lost)
        self._phone.data_received(early)
        self._transport.resume_reading()


class _Timer:
    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    def start(self, seconds: float, then: Callable[[], object]) -> None:
        """Start the timer, unless it is running already."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(seconds, then)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


def _is_a_key(key: bytes) -> bool:
    """True if ``key`` is 16 bytes in base64, as browsers send them."""
    try:
        return len(b64decode(key, validate=True)) == 16
    except ValueError:
        return False


def _accept_key(key: bytes) -> bytes:
    """Return the proof for a browser that this server supports WebSockets (RFC 6455, 4.2.2)."""
    return b64encode(sha1(key + WEB_SOCKETS, usedforsecurity=False).digest())


def _no_request() -> bytes:
    content = b"This is no request.\n"
    headers = [
        *HEADERS,
        NO_STORE,
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(content)).encode()),
        CLOSE,
    ]
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
    return b"HTTP/1.1 400 Bad Request\r\n" + lines + b"\r\n" + content


_NO_REQUEST: Final = _no_request()
_GO_ON: Final = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
