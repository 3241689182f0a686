"""The relay of the phones: every block to all alike, one frame of each a beat, nothing opened."""

import asyncio
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from patience import PATIENCE
from served import Served, play, serving, with_pages
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pi_table.protocols.ipc.sealed import (
    BEAT_SECONDS,
    DOWN_BYTES,
    MARK_BYTES,
    MAX_RELAYED,
    PLACES_FOR_PHONES,
    UP_BYTES,
    SealedBlock,
)
from pi_table.screens.web import phones, table_link
from pi_table.screens.web.phone_connection import PHONE_FRAMES_AT_ONCE
from pi_table.screens.web.phones import GAVE_WAY, NO_FRAME, TOO_OFTEN, Phones
from pi_table.screens.web.places import Places, do_nothing


async def phone(served: Served, source: str = "127.0.0.1", origin: str = "") -> ClientConnection:
    return await connect(
        f"ws://{served.host}/api/1/phones",
        local_addr=(source, 0),
        origin=origin or f"http://{served.host}",  # type: ignore[arg-type]
        proxy=None,
    )


def frame(number: int) -> bytes:
    return bytes([number]) * UP_BYTES


async def close_code(connection: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(hear_for_ever(connection), PATIENCE)
    return connection.close_code


async def ping_for_ever(connection: ClientConnection) -> None:
    while True:
        await connection.ping()
        await asyncio.sleep(0)


async def hear_for_ever(connection: ClientConnection) -> None:
    while True:
        await connection.recv()


@with_pages()
async def test_every_phone_is_sent_every_block_alike(served: Served) -> None:
    both = [await phone(served), await phone(served)]
    await served.table.relayed.get()
    for number in range(3):
        whole = served.table.send(number)
        assert len(whole) == PLACES_FOR_PHONES * DOWN_BYTES
        for each in both:
            assert await asyncio.wait_for(each.recv(), PATIENCE) == whole
    for each in both:
        await each.close()


@with_pages()
async def test_what_a_phone_says_goes_to_the_table_as_it_is(served: Served) -> None:
    one = await phone(served)
    await one.send(frame(7))
    assert await asyncio.wait_for(served.table.said(), PATIENCE) == frame(7)
    await one.close()


@with_pages()
async def test_a_beat_goes_to_the_table_whether_there_is_anything_or_not(served: Served) -> None:
    loop = asyncio.get_running_loop()
    first = await served.table.relayed.get()
    begun = loop.time()
    beats = [await served.table.relayed.get() for _ in range(6)]
    assert loop.time() - begun > 3 * BEAT_SECONDS  # the first may have come late
    assert [each.frames for each in beats] == 6 * [()]
    assert [each.id for each in beats] == [*range(first.id + 1, first.id + 7)]
    assert first.address == f"http://{served.host}"
    assert [each.address for each in beats] == 6 * [None]


@with_pages(address="http://table.local")
async def test_a_table_that_comes_back_is_told_the_address_again(served: Served) -> None:
    assert (await served.table.relayed.get()).address == "http://table.local"
    await served.table.go()
    while not served.table.relayed.empty():
        served.table.relayed.get_nowait()
    await served.table.come()
    assert (await served.table.relayed.get()).address == "http://table.local"


def test_one_frame_of_each_phone_goes_at_a_beat_the_newest() -> None:
    gathered = Phones()
    gathered.hear("one", frame(1))
    gathered.hear("two", frame(2))
    gathered.hear("one", frame(3))
    assert gathered.take(MAX_RELAYED) == (frame(3), frame(2))
    assert gathered.take(MAX_RELAYED) == ()


def test_who_has_to_wait_comes_first_at_the_next_beat() -> None:
    gathered = Phones()
    taken = []
    for _ in range(2):
        for number in range(3):
            gathered.hear(number, frame(number))
        taken.append([each[0] for each in gathered.take(2)])
    assert taken == [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    "wrong", [b"", b"x" * (UP_BYTES - 1), b"x" * (UP_BYTES + 1), "x" * UP_BYTES]
)
@with_pages()
async def test_a_phone_that_sends_no_frame_is_hung_up_on(
    served: Served, wrong: bytes | str
) -> None:
    one, other = await phone(served), await phone(served)
    await one.send(wrong)
    assert await close_code(one) in (NO_FRAME, 1009)  # the second: too long to be read
    await other.send(frame(1))
    assert await asyncio.wait_for(served.table.said(), PATIENCE) == frame(1)
    await other.close()


@with_pages()
async def test_a_phone_that_says_too_much_is_hung_up_on(served: Served) -> None:
    one = await phone(served)
    for _ in range(phones.MAX_BURST_FRAMES + 5):
        await one.send(frame(1))
    assert await close_code(one) == TOO_OFTEN


@with_pages()
async def test_a_phone_that_floods_with_anything_else_is_cut_off(served: Served) -> None:
    one = await phone(served)
    flooding = asyncio.create_task(ping_for_ever(one))
    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(flooding, PATIENCE)


@with_pages()
async def test_a_phone_that_does_not_read_is_dropped_and_nobody_waits_for_it(
    served: Served,
) -> None:
    reader, writer = await served.connect()
    writer.write(handshake(served))
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    reads = await phone(served)
    await served.table.relayed.get()
    for number in range(200):
        whole = served.table.send(number)
        assert await asyncio.wait_for(reads.recv(), PATIENCE) == whole
    writer.transport.resume_reading()  # type: ignore[attr-defined]
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await asyncio.wait_for(reader.readexactly(200 * 6144), PATIENCE)
    await reads.close()


def handshake(served: Served, **changed: str) -> bytes:
    """A browser's wish for a WebSocket; a header that is changed to nothing is left out."""
    headers = {
        "host": served.host,
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "origin": f"http://{served.host}",
    }
    headers |= {name.replace("_", "-"): value for name, value in changed.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    return f"GET /api/1/phones HTTP/1.1\r\n{lines}\r\n".encode()


WISHES: tuple[tuple[dict[str, str], int], ...] = (
    ({}, 101),
    ({"origin": ""}, 101),  # no browser
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"host": "evil.example"}, 421),
    ({"sec_websocket_version": "8"}, 426),
    ({"sec_websocket_key": ""}, 426),
    ({"sec_websocket_key": "x"}, 426),
    ({"connection": "close"}, 426),
    ({"upgrade": "h2c"}, 426),
)


@with_pages()
async def test_only_a_page_of_this_machine_gets_a_web_socket(served: Served) -> None:
    for changed, status in WISHES:
        answer = await served.say(handshake(served, **changed))
        assert answer.status == status, changed
        if status != 101:
            assert answer.headers["x-content-type-options"] == "nosniff"


@with_pages()
async def test_nothing_is_compressed_on_the_way(served: Served) -> None:
    """Compressed data may unfold, and its length discloses its content."""

    wish = handshake(served, sec_websocket_extensions="permessage-deflate")
    answer = await served.say(wish)
    assert answer.status == 101
    assert "sec-websocket-extensions" not in answer.headers


@with_pages()
async def test_there_is_no_web_socket_anywhere_else(served: Served) -> None:
    for path, status in (("/", 404), ("/api/1/events/", 404), ("/api/1/desk", 405)):
        wish = handshake(served).replace(b"/api/1/phones", path.encode())
        assert (await served.say(wish)).status in (status, 200)
    with pytest.raises(InvalidStatus):
        await connect(f"ws://{served.host}/nowhere", proxy=None)


@pytest.mark.parametrize("opcode", [0x89, 0x8A, 0x00], ids=["pings", "pongs", "fragments"])
@with_pages()
async def test_a_phone_that_floods_with_the_smallest_frames_is_cut_off(
    served: Served, opcode: int
) -> None:
    """Each costs as much as a long one: bytes alone do not bound them."""

    reader, writer = await served.connect()
    writer.write(handshake(served))
    await reader.readuntil(b"\r\n\r\n")
    begins = b"\x02\x80" + bytes(4) if opcode == 0x00 else b""
    writer.write(begins + 2000 * (bytes([opcode, 0x80]) + bytes(4)))
    came = b""
    with suppress(ConnectionError):
        while more := await asyncio.wait_for(reader.read(1 << 16), PATIENCE):
            came += more
    assert came.count(b"\x8a\x00") <= PHONE_FRAMES_AT_ONCE


def test_where_an_address_has_all_its_phones_one_more_is_told_to_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones, "MAX_PER_DEVICE", 4)

    async def scene() -> None:
        async with serving(tmp_path) as served:
            other = await phone(served, "127.0.0.3")
            many = [await phone(served, "127.0.0.2") for _ in range(4)]
            answer = await served.say(handshake(served), "127.0.0.2")
            assert (answer.status, answer.headers["retry-after"]) == (503, "5")
            assert answer.headers["x-content-type-options"] == "nosniff"
            await served.table.relayed.get()
            whole = served.table.send(5)
            for each in (other, *many):
                assert await asyncio.wait_for(each.recv(), PATIENCE) == whole
                await each.close()

    play(scene())


def test_a_phone_with_a_seat_stays_and_comes_back_where_others_take_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones, "MAX_PER_DEVICE", 4)
    monkeypatch.setattr(phones, "TRIAL_SECONDS", 0.0)

    async def scene() -> None:
        async with serving(tmp_path) as served:
            for number in range(2):  # it comes, and comes again after its network was gone
                seated = await phone(served, "127.0.0.2")
                await seated.send(frame(number))
                said = await asyncio.wait_for(served.table.said(), PATIENCE)
                opened = SealedBlock((bytes(DOWN_BYTES),) * PLACES_FOR_PHONES, (said[:MARK_BYTES],))
                served.table.write(msgspec.json.encode(opened))
                await asyncio.wait_for(seated.recv(), PATIENCE)
                hostile = [await phone(served, "127.0.0.2") for _ in range(9)]
                assert await close_code(hostile[-2]) == GAVE_WAY
                whole = served.table.send(7)
                for each in (seated, hostile[-1]):
                    assert await asyncio.wait_for(each.recv(), PATIENCE) == whole
                await seated.close()

    play(scene())


def test_what_a_phone_with_a_seat_says_goes_before_what_others_say(tmp_path: Path) -> None:
    async def scene() -> None:
        gathered, places = Phones(), Places(10, 10)
        for number in range(4):
            place = places.take("127.0.0.2", do_nothing)
            assert place is not None
            gathered.add(number, place)
        gathered.hear(3, frame(3))
        gathered.take(1)
        gathered.keep({frame(3)[:MARK_BYTES]})
        for number in range(4):
            gathered.hear(number, frame(number))
        assert [each[0] for each in gathered.take(2)] == [3, 0]
        assert [each[0] for each in gathered.take(2)] == [1, 2]

    play(scene())


@pytest.mark.parametrize(
    "rubbish",
    [b"rubbish", b'{"kind": "sealed", "frames": []}', b'{"kind": "sealed", "frames": ["eA=="]}'],
)
@with_pages()
async def test_a_block_of_another_size_reaches_no_phone(served: Served, rubbish: bytes) -> None:
    one = await phone(served)
    await served.table.relayed.get()
    served.table.write(rubbish)
    # Who talks so is hung up on, and tried again.
    while (await served.table.relayed.get()).address is None:
        pass
    whole = served.table.send(9)
    assert await asyncio.wait_for(one.recv(), PATIENCE) == whole
    await one.close()


def test_a_table_that_does_not_listen_is_not_talked_at_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_link, "BEAT_SECONDS", 0.01)

    async def scene() -> None:
        async with serving(tmp_path) as served:
            served.table.hears = False
            while not served.table.relayed.empty():
                served.table.relayed.get_nowait()
            await asyncio.sleep(0.3)
            assert served.table.relayed.qsize() <= table_link.MAX_UNACKNOWLEDGED

    play(scene())
