"""Limits of a connection, to the second: time is a number, and there is no network."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import virtual_loop
from served import play, read_answer, serving
from test_relay import handshake

from pi_table.protocols.ipc.sealed import UP_BYTES
from pi_table.screens.web import http_connections
from pi_table.screens.web.asgi import Message, Receive, Scope, Send, tell
from pi_table.screens.web.guard import Guard
from pi_table.screens.web.http_connections import (
    KEPT_SECONDS,
    REQUEST_SECONDS,
    UNREAD_SECONDS,
    HttpConnection,
)
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.phone_connection import GOODBYE_SECONDS, PING_SECONDS
from pi_table.screens.web.phones import NO_FRAME, Phones
from pi_table.screens.web.places import Places, do_nothing
from pi_table.screens.web.turns import Turns

HOST = "host: localhost\r\n"
ASK = f"GET / HTTP/1.1\r\n{HOST}\r\n".encode()
WISH = (
    f"GET {http_connections.PHONES} HTTP/1.1\r\n{HOST}connection: Upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
).encode()
PING, PONG, TEXT = b"\x89\x00", b"\x8a\x80" + bytes(4), b"\x81\x80" + bytes(4)
DESK = "POST /api/1/desk HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/octet-stream\r\n"


def end_of(code: int) -> bytes:
    """The frame that ends a WebSocket."""
    return b"\x88\x02" + code.to_bytes(2)


class Wire(asyncio.Transport):
    """A connection, as the server meets it: what a browser does with it is a method."""

    def __init__(self, app: http_connections.App, turns: Turns | None = None) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        place = Places(1, 1).take("10.0.0.1", do_nothing)
        assert place is not None
        self.here = set[HttpConnection]()
        self._protocol: asyncio.BaseProtocol
        self._protocol = HttpConnection(app, Guard(""), turns or Turns(), place, self.here)
        self.said = b""
        """All that was written."""
        self.ended: float | None = None
        """When the connection ended."""
        self._protocol.connection_made(self)

    def come(self, data: bytes) -> None:
        """A browser sends something."""
        if self.ended is None:
            assert isinstance(self._protocol, asyncio.Protocol)
            self._protocol.data_received(data)

    def stop_reading(self) -> None:
        """A browser reads nothing any more, and a lot has been written."""
        self._protocol.pause_writing()  # type: ignore[attr-defined]

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert self.ended is None
        self.said += data

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if self.ended is None:
            self.ended = self._loop.time()
            self._loop.call_soon(self._lose)

    def _lose(self) -> None:
        self._protocol.connection_lost(None)

    def is_closing(self) -> bool:
        return self.ended is not None

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def answers(scope: Scope, receive: Receive, send: Send) -> None:
    """Take the whole of a request, and answer it."""
    while (await receive()).get("more_body"):
        pass
    await tell(send, 200, "Here.")


async def serves_phones(scope: Scope, receive: Receive, send: Send) -> None:
    await Phones().serve(Newest(b""), scope, receive, send)


def in_virtual_time(scene: Callable[[virtual_loop.VirtualLoop], Coroutine[Any, Any, None]]) -> None:
    virtual_loop.run(scene)


# --- requests


def test_a_connection_is_kept_for_another_request_for_some_seconds() -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(answers)
        for number in range(3):
            wire.come(ASK)
            await asyncio.sleep(KEPT_SECONDS - 0.1)
            assert wire.said.count(b"HTTP/1.1 200 ") == number + 1
        asked = loop.time() - (KEPT_SECONDS - 0.1)
        await asyncio.sleep(1.0)
        assert wire.ended is not None
        assert wire.ended - asked == pytest.approx(KEPT_SECONDS)
        assert not wire.here

    virtual_loop.run(scene)


BODY = f"POST / HTTP/1.1\r\n{HOST}content-length: 2\r\n\r\nab".encode()


@pytest.mark.parametrize("request_", [ASK, BODY], ids=["head", "body"])
@pytest.mark.parametrize("asked_before", [0, 1])
@pytest.mark.parametrize(("late", "is_answered"), [(-0.1, True), (0.1, False)])
def test_a_request_has_some_seconds_from_its_first_byte_to_its_last(
    request_: bytes, asked_before: int, late: float, is_answered: bool
) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(answers)
        if asked_before:
            wire.come(ASK)
            await asyncio.sleep(KEPT_SECONDS - 0.1)
        begun, seconds = loop.time(), REQUEST_SECONDS + late
        for at in range(len(request_)):  # a byte now and then does not help
            await loop.until(begun + seconds * at / (len(request_) - 1))
            wire.come(request_[at : at + 1])
        await asyncio.sleep(0.01)
        assert wire.said.count(b"HTTP/1.1 200 ") == asked_before + is_answered
        assert (wire.ended is None) == is_answered
        assert is_answered or wire.ended == pytest.approx(begun + REQUEST_SECONDS)

    virtual_loop.run(scene)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (b"", REQUEST_SECONDS),
        (b"G", REQUEST_SECONDS),
        (ASK + b"G", REQUEST_SECONDS),
        (ASK + ASK, KEPT_SECONDS),
    ],
    ids=["nothing", "a byte", "a request and a byte", "requests"],
)
def test_who_says_no_more_is_cut_off(said: bytes, seconds: float) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(answers)
        wire.come(said)
        await asyncio.sleep(60.0)
        assert wire.ended == pytest.approx(seconds)

    virtual_loop.run(scene)


def test_a_request_that_has_come_may_be_answered_late() -> None:
    async def thinks(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(60.0)
        await answers(scope, receive, send)

    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        for request_ in (ASK, BODY):
            wire = Wire(thinks)
            wire.come(request_)
            await asyncio.sleep(61.0)
            assert wire.said.startswith(b"HTTP/1.1 200 ")

    virtual_loop.run(scene)


def test_an_answer_may_lie_unread_for_some_seconds() -> None:
    async def goes_on(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b"more", "more_body": True})
            await asyncio.sleep(1.0)

    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(goes_on)
        wire.come(ASK)
        await asyncio.sleep(1.5)
        wire.stop_reading()
        said = wire.said
        await asyncio.sleep(60.0)
        assert wire.said == said
        assert wire.ended == 1.5 + UNREAD_SECONDS
        for each in wire.here:
            each.served.cancel()

    virtual_loop.run(scene)


def test_who_has_hung_up_takes_no_turn_from_others_of_its_address() -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        turns = Turns()
        wires = [Wire(answers, turns) for _ in range(1000)]
        for wire in wires:
            wire.come(b"G")
        await asyncio.sleep(0)
        for wire in wires:
            wire.abort()
        await asyncio.sleep(0)
        waiting, passes = asyncio.create_task(turns.wait("10.0.0.1")), 0
        while not waiting.done():
            passes += 1
            await asyncio.sleep(0)
        assert passes < 10

    virtual_loop.run(scene)


def test_what_nobody_wants_of_a_body_is_dropped_and_the_next_request_answered(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            reader, writer = await served.connect()
            head = f"GET /api/1/about HTTP/1.1\r\nhost: {served.host}\r\n"
            writer.write(f"{head}content-length: 3000\r\n\r\n".encode() + b"GET" * 1000)
            writer.write(f"{head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".encode())
            writer.write(f"{head}\r\n".encode())
            for _ in range(3):
                assert (await read_answer(reader)).status == 200

    play(scene())


def test_a_desk_that_waits_for_a_word_before_its_body_is_given_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            reader, writer = await served.connect()
            head = DESK.format(host=served.host) + "expect: 100-continue\r\ncontent-length: 5\r\n"
            writer.write(head.encode() + b"\r\n")
            assert (await read_answer(reader)).status == 100
            writer.write(b"abcde")
            assert (await read_answer(reader)).body == b"edcba"

    play(scene())


def test_a_body_that_is_none_is_no_request(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            head = DESK.format(host=served.host) + "transfer-encoding: chunked\r\n\r\n"
            for pieces in ([b"2\r\nabc"], [b"2\r\nab\r\n", b"x\r\n"]):
                reader, writer = await served.connect()
                for piece in (head.encode(), *pieces):
                    writer.write(piece)
                    await asyncio.sleep(0.01)
                answer = await read_answer(reader)
                assert (answer.status, answer.body) == (400, b"This is no request.\n")
                assert await reader.read() == b""

    play(scene())


def test_what_is_no_request_ends_an_answer_that_has_begun(tmp_path: Path) -> None:
    """Nothing else can be put into the midst of it."""

    async def scene() -> None:
        async with serving(tmp_path) as served:
            reader, writer = await served.connect()
            head = f"GET /api/1/events HTTP/1.1\r\nhost: {served.host}\r\n"
            writer.write(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
            await reader.readuntil(b"\n\n")
            writer.write(b"x\r\n")
            assert b"HTTP/1.1" not in await rest_of(reader)

    play(scene())


def test_an_application_that_fails_costs_its_guest_the_connection_and_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("of whoever asked")

    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(fails)
        wire.come(ASK)
        await asyncio.sleep(0.01)
        assert (wire.said, wire.ended is None) == (b"", False)

    virtual_loop.run(scene)
    assert [each.getMessage() for each in caplog.records] == [
        "A connection could not be served: ZeroDivisionError."
    ]


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection ends, however it does."""
    came = b""
    with suppress(ConnectionError):
        while piece := await reader.read(4096):
            came += piece
    return came


# --- phones


@pytest.mark.parametrize("answers_pings", [True, False])
def test_a_phone_is_asked_whether_it_is_there(answers_pings: bool) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(serves_phones)
        wire.come(WISH)
        for _ in range(6):
            await asyncio.sleep(PING_SECONDS + 0.01)
            if answers_pings:
                wire.come(PONG)
        said = wire.said.partition(b"\r\n\r\n")[2]
        if answers_pings:
            assert (said, wire.ended) == (6 * PING, None)
        else:
            assert said == PING + b"\x88\x18" + (1011).to_bytes(2) + b"keepalive ping timeout"
            assert wire.ended == pytest.approx(2 * PING_SECONDS)
        wire.abort()
        await asyncio.sleep(0.01)
        assert not wire.here

    virtual_loop.run(scene)


def test_a_phone_that_does_not_say_goodbye_is_waited_for_a_moment() -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(serves_phones)
        wire.come(WISH + TEXT)
        await asyncio.sleep(60.0)
        assert wire.said.endswith(b"\r\n\r\n" + end_of(NO_FRAME))
        assert wire.ended == pytest.approx(GOODBYE_SECONDS)
        assert not wire.here

    virtual_loop.run(scene)


def test_a_message_in_pieces_is_one(tmp_path: Path) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        heard: list[Message] = []

        async def hears(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                heard.append(message)

        wire = Wire(hears)
        wire.come(WISH + b"\x02\x81" + bytes(4) + b"a" + b"\x00\x80" + bytes(4) + PONG)
        wire.come(b"\x80\x81" + bytes(4) + b"b" + b"\x82\x81" + bytes(4) + b"c")
        await asyncio.sleep(0.01)
        assert [each["bytes"] for each in heard] == [b"ab", b"c"]
        wire.abort()
        await asyncio.sleep(0.01)
        assert not wire.here

    virtual_loop.run(scene)


@pytest.mark.parametrize("first", [b"", b"\x02\xfe\x01\x00" + bytes(4 + 256)])
def test_a_message_longer_than_any_phones_ends_it_before_it_has_come(first: bytes) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        wire = Wire(serves_phones)
        opcode, left = (b"\x80", UP_BYTES - 256) if first else (b"\x82", UP_BYTES)
        wire.come(WISH + first + opcode + b"\xfe" + (left + 1).to_bytes(2) + bytes(4))
        await asyncio.sleep(0.01)
        assert wire.said.partition(b"\r\n\r\n")[2][2:4] == (1009).to_bytes(2)
        assert wire.ended is not None

    virtual_loop.run(scene)


def test_what_a_phone_sends_with_its_handshake_is_heard(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            reader, writer = await served.connect()
            writer.write(handshake(served) + b"\x89\x81" + bytes(4) + b"?")
            await reader.readuntil(b"\r\n\r\n")
            assert await reader.readexactly(3) == b"\x8a\x01?"

    play(scene())


def test_phones_are_told_that_the_pages_end_and_nobody_is_waited_for(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            asked = asyncio.Event()

            async def silent(sealed: bytes) -> bytes:
                asked.set()
                return await asyncio.Future()

            served.table.reply = silent
            desk, writer = await served.connect()
            writer.write(f"{DESK.format(host=served.host)}content-length: 1\r\n\r\nx".encode())
            await asked.wait()
            phone, writer = await served.connect()
            writer.write(handshake(served))
            await phone.readuntil(b"\r\n\r\n")
            watching = await served.watch()
            served.stop.set()
            assert (await rest_of(phone)).endswith(end_of(1012))
            assert await watching.ends()
            assert await rest_of(desk) == b""

    play(scene())


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", 426),
        ("sec-websocket-version: 13", 426),
        ("upgrade: websocket", 426),
        ("content-length: 3", 426),
        ("transfer-encoding: chunked", 426),
        ("connection: keep-alive", 101),
    ],
)
def test_a_handshake_says_each_thing_once_and_has_no_body(
    tmp_path: Path, header: str, status: int
) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as served:
            wish = handshake(served).replace(b"\r\n\r\n", f"\r\n{header}\r\n\r\n".encode())
            answer = await served.say(wish)
            assert answer.status == status
            assert status == 101 or answer.headers["x-content-type-options"] == "nosniff"

    play(scene())


def test_whatever_a_phone_does_nothing_of_it_is_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level("INFO")
    caplog.set_level("DEBUG", "websockets.server")  # what strangers could make it say

    async def scene() -> None:
        async with serving(tmp_path) as served:
            for does in (b"\x88\x80" + bytes(4), b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, b""):
                reader, writer = await served.connect()
                writer.write(handshake(served))
                await reader.readuntil(b"\r\n\r\n")
                writer.write(does)
                if not does:
                    writer.transport.abort()
                await rest_of(reader)

    play(scene())
    said = [each.getMessage() for each in caplog.records]
    assert [each.split(" at ")[0] for each in said] == ["The pages are served"]
