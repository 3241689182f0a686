"""WebSockets of phones that are not as phones are."""

import os
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest
from attacked import Attacked
from needs_root import looks_inside
from sealed_phone import UP
from wires import WebSocket, connected, hung_up, read_answer, ws_frame

pytestmark = pytest.mark.paced

BLOCK = 6 * 1024
FRAME = os.urandom(UP)


def half_a_frame(socket: WebSocket) -> None:
    socket.wire.sendall(ws_frame(FRAME)[:100])


def deflated(socket: WebSocket) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"\0" * 10_000_000) + packer.flush(zlib.Z_SYNC_FLUSH)
    socket.send(bomb[:-4], bits=4)


def many_pieces(socket: WebSocket) -> None:
    socket.send(b"", fin=False)
    for _ in range(5_000):
        socket.send(b"", opcode=0, fin=False)
    socket.send(FRAME, opcode=0)


def endless(socket: WebSocket) -> None:
    socket.send(b"x" * 500, fin=False)
    for _ in range(2_000):
        socket.send(b"x" * 500, opcode=0, fin=False)


def giant(socket: WebSocket) -> None:
    socket.wire.sendall(b"\x82\xff" + (2**62).to_bytes(8, "big") + b"mask" + b"x" * 70_000)


def below_zero(socket: WebSocket) -> None:
    socket.wire.sendall(b"\x82\xff" + b"\xff" * 8 + b"mask")


def all_at_once(socket: WebSocket) -> None:
    for _ in range(40):
        socket.send(FRAME)


NEVER: dict[str, Callable[[WebSocket], object]] = {
    "forty frames at once": all_at_once,
    "unmasked": lambda socket: socket.send(FRAME, masked=False),
    "text": lambda socket: socket.send(b'{"act":"start"}', opcode=1),
    "text that is none": lambda socket: socket.send(b"\xff\xfe\xfd", opcode=1),
    "too short": lambda socket: socket.send(FRAME[:-1]),
    "too long": lambda socket: socket.send(FRAME + b"\0"),
    "empty": lambda socket: socket.send(b""),
    "a megabyte": lambda socket: socket.send(b"x" * 1_000_000),
    "a length of an exabyte": giant,
    "a length below zero": below_zero,
    "an unknown kind": lambda socket: socket.send(FRAME, opcode=3),
    "an unknown control": lambda socket: socket.send(b"", opcode=11),
    "reserved bits": lambda socket: socket.send(FRAME, bits=1),
    "an inflated bomb": deflated,
    "the middle of nothing": lambda socket: socket.send(FRAME, opcode=0),
    "pieces without an end": endless,
    "a ping in pieces": lambda socket: socket.send(b"", opcode=9, fin=False),
    "a long ping": lambda socket: socket.send(b"x" * 126, opcode=9),
    "a close of one byte": lambda socket: socket.send(b"x", opcode=8),
    "a close with a wrong reason": lambda socket: socket.send(b"\x00\x00\xff", opcode=8),
    "HTTP": lambda socket: socket.wire.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
}
"""Actions of no real phone; the pages hang up on each."""


def test_odd_sockets_are_closed_and_the_others_hear_every_beat(table: Attacked) -> None:
    honest = table.phones()
    honest.block()
    sockets = {name: table.phones(device=f"127.0.0.{9 + at}") for at, name in enumerate(NEVER)}
    assert all(each.is_open for each in (honest, *sockets.values()))
    for name, odd in NEVER.items():
        with suppress(ConnectionError):  # it may be hung up on before all is sent
            odd(sockets[name])
    assert len(honest.carry(FRAME)) == BLOCK
    assert len(honest.carry(FRAME)) == BLOCK
    assert [name for name, each in sockets.items() if not hung_up(each.wire, seconds=15.0)] == []
    for each in (honest, *sockets.values()):
        each.close()


@looks_inside
def test_a_flood_of_pings_and_pieces_keeps_nobody_waiting(table: Attacked) -> None:
    honest = table.phones()
    honest.block()
    floods = [table.phones(device="127.0.0.9") for _ in range(3)]
    before = table.pages.memory()
    for flood, odd in zip(floods, (9, 10, 2), strict=True):
        flood.wire.settimeout(1.0)
        try:
            if odd == 2:
                many_pieces(flood)
            else:
                flood.wire.sendall(b"".join(ws_frame(b"x" * 125, odd) for _ in range(5_000)))
        except OSError:
            pass  # it was hung up on, or nobody reads any more
    for _ in range(3):
        assert len(honest.carry(FRAME)) == BLOCK
    assert table.pages.memory() < before + 8 * 2**20
    for socket in (honest, *floods):
        socket.close()


def test_nothing_that_inflates_is_agreed_upon(table: Attacked) -> None:
    offers = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    socket = table.phones(more=offers + "Sec-WebSocket-Protocol: chat\r\n")
    assert socket.is_open
    assert socket.answer.header("sec-websocket-extensions") == ""
    assert socket.answer.header("sec-websocket-protocol") == ""
    socket.close()


def test_a_handshake_that_is_none_opens_no_socket(table: Attacked) -> None:
    host = f"Host: 127.0.0.1:{table.port}\r\nOrigin: http://127.0.0.1:{table.port}\r\n"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    version = "Sec-WebSocket-Version: 13\r\n"
    wrong = (
        ("GET", host + upgrade + version),
        ("GET", host + upgrade + key),
        ("GET", host + upgrade + "Sec-WebSocket-Key: short\r\n" + version),
        ("GET", host + upgrade + key + "Sec-WebSocket-Version: 99\r\n"),
        ("GET", host + key + version),
        ("GET", host + "Upgrade: websocket\r\n" + key + version),
        ("GET", host + "Upgrade: h2c\r\nConnection: Upgrade\r\n" + key + version),
        ("POST", host + upgrade + key + version + "Content-Length: 0\r\n"),
        ("HEAD", host + upgrade + key + version),
    )
    for method, headers in wrong:
        with connected(table.port) as wire:
            wire.sendall(f"{method} /api/1/phones HTTP/1.1\r\n{headers}\r\n".encode())
            answer, _ = read_answer(wire, head=method == "HEAD")
            assert answer.status in (0, 400, 403, 404, 405, 426), (method, headers)


@pytest.mark.parametrize("path", ["/", "/api/1/table", "/api/1/events", "/api/1/desk", "/nothing"])
def test_only_phones_have_a_socket(table: Attacked, path: str) -> None:
    socket = table.phones(target=path)
    assert not socket.is_open
    socket.close()


def test_half_a_frame_holds_up_nobody(table: Attacked) -> None:
    honest, other = table.phones(), table.phones(device="127.0.0.9")
    half_a_frame(other)
    for _ in range(3):
        assert len(honest.carry(FRAME)) == BLOCK
    honest.close()
    other.close()


def test_every_phone_is_sent_the_same_bytes(table: Attacked) -> None:
    phones = [table.phones(device=f"127.0.0.{number}") for number in range(20, 26)]
    blocks: list[set[bytes]] = [set() for _ in phones]
    for _ in range(20):  # they joined one after another
        for phone, heard in zip(phones, blocks, strict=True):
            heard.add(phone.block())
        if len(set.intersection(*blocks)) >= 3:
            break
    assert len(set.intersection(*blocks)) >= 3
    for phone in phones:
        phone.close()
