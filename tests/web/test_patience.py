"""Limits of time and number for connections: `SECURITY.md` names the attacks."""

import asyncio
from contextlib import suppress

import pytest
from patience import PATIENCE
from served import OUT_OF_ORDER, Served, Watching, with_pages

from pi_table.screens.web import http_connections
from pi_table.screens.web.http_connections import MAX_PER_DEVICE

SHORT_SECONDS = 0.15
"""Seconds that stand for the usual ones."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connections, "REQUEST_SECONDS", SHORT_SECONDS)
    monkeypatch.setattr(http_connections, "UNREAD_SECONDS", SHORT_SECONDS)


async def is_answered(served: Served) -> bool:
    """True if a client is answered, if need be after a retry on a busy machine."""
    for _ in range(20):
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            return (await served.ask("/api/1/about")).status == 200
    return False


async def watch(served: Served) -> Watching:
    """Return a client that watches, after a retry if its request came late on a busy machine."""
    for _ in range(20):
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            return await served.watch()
    raise AssertionError("Each request was cut off.")


async def is_cut_off(served: Served, *pieces: bytes, every: float = SHORT_SECONDS / 10) -> bool:
    """True if a connection is cut off that sends these pieces, and repeats the last one."""
    reader, writer = await served.connect()
    reading = asyncio.create_task(asyncio.wait_for(all_of(reader), PATIENCE))
    for piece in pieces:
        writer.write(piece)
        await asyncio.sleep(every)
    while not reading.done():
        writer.write(pieces[-1] if pieces else b"")
        await asyncio.sleep(every)
    await reading
    return True


async def all_of(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection ends, however it does."""
    came = b""
    with suppress(ConnectionError):
        while piece := await reader.read(4096):
            came += piece
    return came


@pytest.mark.paced
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [b"G"],
        [b"GET / HTTP/1.1\r\n", b"x: x\r\n"],
        [b"POST /api/1/desk HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\n", b"x"],
        [
            b"POST /api/1/desk HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/octet-stream\r\ncontent-length: 9999\r\n\r\n",
            b"x",
        ],
        [
            b"POST /nowhere HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
            b"1\r\nx\r\n",
        ],
        [b"GET /api/1/about HTTP/1.1\r\nhost: localhost\r\n\r\n", b"G", b""],
    ],
)
@with_pages()
async def test_a_request_that_never_ends_is_cut_off_and_others_are_answered(
    served: Served, pieces: list[bytes]
) -> None:
    slow = [asyncio.create_task(is_cut_off(served, *pieces)) for _ in range(20)]
    assert await is_answered(served)
    assert all(await asyncio.gather(*slow))


@pytest.mark.paced
@pytest.mark.usefixtures("impatient")
@with_pages()
async def test_who_does_not_read_is_cut_off(served: Served) -> None:
    reader, writer = await served.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    wish = f"GET /texts/en.json HTTP/1.1\r\nhost: {served.host}\r\n\r\n".encode()
    writer.write(wish * 200)
    await asyncio.sleep(20 * SHORT_SECONDS)
    writer.transport.resume_reading()  # type: ignore[attr-defined]
    came = await asyncio.wait_for(all_of(reader), PATIENCE)
    # One that asks no more is cut off, too, but not before it has all of its answers.
    assert came.count(b"HTTP/1.1 200 ") < 200


@pytest.mark.paced
@pytest.mark.usefixtures("impatient")
@with_pages()
async def test_who_looks_on_quietly_is_borne_with(served: Served) -> None:
    watching = await watch(served)
    await asyncio.sleep(5 * SHORT_SECONDS)
    served.table.publish(OUT_OF_ORDER)
    await watching.until(lambda table: table["here"] and table["table"]["out_of_order"])


@with_pages()
async def test_a_device_with_too_many_connections_loses_its_oldest(served: Served) -> None:
    watching = await served.watch("127.0.0.3")
    many = [await served.connect("127.0.0.2") for _ in range(MAX_PER_DEVICE + 5)]
    for reader, _ in many[:5]:
        await asyncio.wait_for(all_of(reader), PATIENCE)
    wish = f"GET /api/1/about HTTP/1.1\r\nhost: {served.host}\r\n\r\n".encode()
    for reader, writer in many[5:]:
        writer.write(wish)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    served.table.publish(OUT_OF_ORDER)
    await watching.until(lambda table: table["here"] and table["table"]["out_of_order"])


@with_pages()
async def test_a_crowd_of_one_machine_is_kept_within_bounds_and_one_guest_stays(
    served: Served,
) -> None:
    watching = await served.watch("127.0.0.3")
    await watching.until(lambda table: table["here"])
    readers = [(await served.connect())[0] for _ in range(http_connections.MAX_CONNECTIONS + 30)]
    for reader in readers[:30]:
        await asyncio.wait_for(all_of(reader), PATIENCE)
    served.table.publish(OUT_OF_ORDER)
    await watching.until(lambda table: table["table"]["out_of_order"])
