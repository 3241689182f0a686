"""Too many, too slow, too much: and everybody else is still served."""

import contextlib
import os
import resource
import select
import socket
from collections.abc import Iterator
from time import monotonic
from typing import Final

import pytest
from attacked import Attacked, join, link
from needs_root import looks_inside
from sealed_phone import UP, Phone
from wires import Events, WebSocket, connected, everything, request

pytestmark = pytest.mark.paced

MEGABYTE: Final = 2**20
MAX_MEMORY_BYTES: Final = 60 * MEGABYTE
MAX_WAIT_SECONDS: Final = 25.0
"""Seconds within which whoever keeps the pages waiting is hung up on."""
SERVED_WITHIN: Final = 10.0
"""Seconds within which an honest viewer is answered, whatever goes on."""


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """This process may have as many sockets as the machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def is_served(table: Attacked, device: str = "127.0.0.1") -> bool:
    """True if a newcomer is answered in time, by the board and by the table's news."""
    began = monotonic()
    answers = [request(table.port, target, device=device) for target in ("/", "/api/1/table")]
    viewer = Events(table.port, device)
    here = viewer.status() == 200 and b'"here":true' in viewer.next()
    viewer.close()
    assert [answer.status for answer in answers] == [200, 200]
    return here and monotonic() - began < SERVED_WITHIN


def a_change(table: Attacked) -> None:
    """Something happens at the table that every viewer is told."""
    console = table.console()
    if not console.ask("resume")["ok"]:
        console.do("pause")
    console.close()


# --- slow ones

HOST: Final = "Host: 127.0.0.1:{port}\r\n"
SLOW: Final = {
    "says nothing": "",
    "a method and no more": "GE",
    "headers, drop by drop": "GET / HTTP/1.1\r\n" + HOST + "X: ",
    "a body, drop by drop": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Origin: http://127.0.0.1:{port}\r\nContent-Length: 4000\r\n\r\n",
    "chunks, drop by drop": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Origin: http://127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
    "a handshake, drop by drop": "GET /api/1/phones HTTP/1.1\r\n" + HOST + "Upgrade: websocket\r\n",
    "a kept connection": "GET /api/1/about HTTP/1.1\r\n" + HOST + "\r\n",
}  # fmt: skip


def test_whoever_sends_slowly_is_hung_up_on_and_the_others_served(table: Attacked) -> None:
    slow: dict[socket.socket, str] = {}
    for number, (name, start) in enumerate(SLOW.items()):
        for device in range(3):
            wire = connected(table.port, f"127.0.1.{10 * number + device}")
            wire.sendall(start.format(port=table.port).encode())
            slow[wire] = name
    end = monotonic() + MAX_WAIT_SECONDS
    served = 0
    while slow and monotonic() < end:
        for wire in select.select([*slow], [], [], 1.0)[0]:
            with contextlib.suppress(ConnectionError):
                if wire.recv(65536):
                    continue
            del slow[wire]
            wire.close()
        for wire, name in slow.items():
            if "drop" in name:
                with contextlib.suppress(OSError):
                    wire.send(b"x")
        served += is_served(table)
    left = {*slow.values()}
    for wire in slow:
        wire.close()
    assert left == set()
    assert served > 0


@looks_inside
def test_whoever_never_reads_costs_little_and_nobody_waits_for_it(table: Attacked) -> None:
    honest = Events(table.port)
    assert honest.status() == 200
    honest.next()
    before = table.pages.memory()
    deaf = [Events(table.port, f"127.0.2.{number}", buffer=2048) for number in range(1, 41)]
    mute = [WebSocket(table.port, device=f"127.0.3.{number}") for number in range(1, 11)]
    for _ in range(10):
        a_change(table)
        assert honest.next()
    grown = table.pages.memory() - before
    for wire in [honest.wire, *(each.wire for each in deaf), *(each.wire for each in mute)]:
        wire.close()
    assert grown < 6 * MEGABYTE


@looks_inside
def test_whoever_asks_for_much_and_reads_nothing_is_not_answered_without_end(
    table: Attacked,
) -> None:
    before = table.pages.memory()
    wires = [connected(table.port, f"127.0.4.{number}", buffer=2048) for number in range(1, 9)]
    ask = f"GET /texts/en.json HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n\r\n".encode()
    for wire in wires:
        wire.settimeout(1.0)
        with contextlib.suppress(OSError):
            wire.sendall(ask * 5_000)
    assert is_served(table)
    assert table.pages.memory() < before + 16 * MEGABYTE
    for wire in wires:
        wire.close()


# --- many


@looks_inside
def test_a_thousand_connections_of_one_device_leave_others_served(table: Attacked) -> None:
    watcher = Events(table.port, "127.0.0.7")
    assert watcher.status() == 200
    watcher.next()
    crowd: list[socket.socket] = []
    ask = f"GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n\r\n".encode()
    for number in range(1_000):
        with contextlib.suppress(OSError):
            wire = connected(table.port, "127.0.0.66", seconds=5.0)
            crowd.append(wire)
            if number % 2:
                wire.sendall(ask)
    assert is_served(table, "127.0.0.8")
    a_change(table)
    assert watcher.next()
    assert table.pages.memory() < MAX_MEMORY_BYTES
    assert table.pages.files() < 400
    for wire in crowd:
        wire.close()
    watcher.close()


@looks_inside
def test_a_thousand_connections_of_a_thousand_devices_end_no_game_and_keep_nobody_out(
    table: Attacked,
) -> None:
    # Among so many nobody's place is safe; but whoever comes, or comes again, is taken in.
    crowd: list[socket.socket] = []
    for number in range(1_000):
        with contextlib.suppress(OSError):
            device = f"127.7.{number // 250}.{number % 250 + 1}"
            crowd.append(connected(table.port, device, seconds=5.0))
    assert is_served(table, "127.0.0.8")
    a_change(table)  # the table itself has not noticed
    assert is_served(table, "127.0.0.9")
    assert table.pages.memory() < MAX_MEMORY_BYTES


def test_a_hundred_forged_phones_of_one_device_do_not_drown_an_honest_one(table: Attacked) -> None:
    console = table.console()
    seat = link(console, "red-spymaster")
    forged: list[WebSocket] = []
    for _ in range(100):
        with contextlib.suppress(OSError):
            forged.append(WebSocket(table.port, device="127.0.0.66"))
    forged = [each for each in forged if each.is_open]
    honest = table.phones()
    assert honest.is_open

    def carry(frame: bytes) -> bytes:
        for each in forged:
            with contextlib.suppress(OSError):
                each.send(os.urandom(UP))
        return honest.carry(frame)

    join(Phone(seat), carry)
    for each in (honest, *forged):
        each.close()
    console.do("let-go", **{"for": "red-spymaster"})
    console.close()


def test_guests_of_one_router_stay_whoever_else_is_behind_it(table: Attacked) -> None:
    router = "127.0.0.70"
    console = table.console()
    seat = Phone(link(console, "red-spymaster"))
    seated = table.phones(device=router)
    join(seat, seated.carry)
    boards = [Events(table.port, router) for _ in range(20)]
    others = [table.phones(device=router) for _ in range(5)]
    hostile = [table.phones(device=router) for _ in range(64)]
    seated.close()  # its network was gone for a moment
    seated = table.phones(device=router)
    join(seat, seated.carry)
    hostile += [table.phones(device=router) for _ in range(64)]
    stay = [seated.wire, *(each.wire for each in others), *(each.wire for each in boards)]
    assert not any(map(ended, stay))
    for each in hostile:
        each.close()
    console.do("let-go", **{"for": "red-spymaster"})
    console.close()


def test_a_flood_of_requests_and_of_newcomers_ends_with_everybody_served(table: Attacked) -> None:
    end = monotonic() + 2.0
    asked = 0
    while monotonic() < end:
        with contextlib.suppress(OSError), connected(table.port, "127.0.0.66", seconds=2.0) as wire:
            wire.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % table.port * 20)
            asked += 20
    assert asked > 100
    assert is_served(table)


def test_nobody_can_say_in_a_header_who_they_are(table: Attacked) -> None:
    # One device that says to be many is one device.
    crowd: list[WebSocket] = []
    for number in range(150):
        with contextlib.suppress(OSError):
            lie = f"X-Forwarded-For: 10.0.0.{number}\r\nForwarded: for=10.0.0.{number}\r\n"
            lie += f"X-Real-IP: 10.0.0.{number}\r\nX-Forwarded-Host: example.com\r\n"
            crowd.append(WebSocket(table.port, device="127.0.0.66", more=lie))
    end = monotonic() + MAX_WAIT_SECONDS
    while sum(each.is_open and not ended(each.wire) for each in crowd) >= 100:
        assert monotonic() < end  # the table hangs up in its own time
        assert is_served(table)
    for each in crowd:
        each.close()
    forwarded = request(table.port, "/api/1/about", X_Forwarded_Host="example.com")
    assert b"example.com" not in forwarded.body


def ended(wire: socket.socket) -> bool:
    """True if the other end has hung up, according to the bytes received so far."""
    wire.settimeout(0.0)
    try:
        while wire.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


@looks_inside
def test_a_body_that_is_longer_than_any_desks_is_not_read_to_its_end(table: Attacked) -> None:
    before = table.pages.memory()
    with connected(table.port) as wire:
        head = f"POST /api/1/desk HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n"
        head += f"Origin: http://127.0.0.1:{table.port}\r\nTransfer-Encoding: chunked\r\n"
        head += "Content-Type: application/octet-stream\r\n\r\n"
        wire.sendall(head.encode())
        sent = 0
        with contextlib.suppress(OSError):
            wire.settimeout(2.0)
            for _ in range(400):
                wire.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                sent += 65536
        assert sent < 400 * 65536
        assert b" 200 " not in everything(wire, 1.0)[:16]
    assert table.pages.memory() < before + 4 * MEGABYTE


@looks_inside
def test_after_all_of_it_the_process_is_as_small_as_before(table: Attacked) -> None:
    for number in range(200):
        with contextlib.suppress(OSError):
            Events(table.port, f"127.9.0.{number + 1}").close()
            WebSocket(table.port, device=f"127.9.1.{number + 1}").close()
    end = monotonic() + MAX_WAIT_SECONDS
    while table.pages.files() > 40 and monotonic() < end:
        is_served(table)
    assert table.pages.files() <= 40
    assert table.pages.memory() < MAX_MEMORY_BYTES
