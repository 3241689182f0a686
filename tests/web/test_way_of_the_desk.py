"""The way of an operator's desk to the table, and back."""

import asyncio
from pathlib import Path

import pytest
import virtual_loop
from served import Served, play, serving, with_pages

from pi_table.protocols.ipc.sealed import MAX_DESK_BYTES
from pi_table.screens.web import desk, table_link
from pi_table.screens.web.asgi import Message

KIND = {"content_type": "application/octet-stream"}
ASK = ("/api/1/desk", "POST")


@with_pages()
async def test_what_a_desk_asks_is_answered_sealed_as_it_came(served: Served) -> None:
    for sealed in (b"\x00\xff sealed", b"x" * MAX_DESK_BYTES, b""):
        answer = await served.ask(*ASK, sealed, content_length=str(len(sealed)), **KIND)
        assert (answer.status, answer.body) == (200, sealed[::-1])
        assert answer.headers["content-type"] == KIND["content_type"]
        assert answer.headers["cache-control"] == "no-store"


@with_pages()
async def test_more_than_a_desk_may_ask_is_not_even_read(served: Served) -> None:
    stated = await served.ask(*ASK, b"", content_length=str(MAX_DESK_BYTES + 1), **KIND)
    assert stated.status == 413
    chunked = f"{MAX_DESK_BYTES:x}\r\n".encode() + b"x" * MAX_DESK_BYTES + b"\r\n1\r\nx\r\n"
    head = f"POST /api/1/desk HTTP/1.1\r\nhost: {served.host}\r\n"
    head += f"content-type: {KIND['content_type']}\r\ntransfer-encoding: chunked\r\n\r\n"
    assert (await served.say(head.encode() + chunked)).status == 413  # and no end of it came


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
@with_pages()
async def test_what_any_page_could_send_unasked_is_no_question_of_a_desk(
    served: Served, kind: str
) -> None:
    headers = {"content_type": kind} if kind else {}
    assert (await served.ask(*ASK, b"x", **headers)).status == 415


class Echo(table_link.DeskRelay):
    """A table that answers what it is asked, at once."""

    async def ask(self, sealed: bytes) -> bytes:
        return sealed


class Guests:
    """Devices that ask at desks."""

    def __init__(self, folder: Path) -> None:
        self._desk = desk.Desk(Echo(folder))

    async def ask(self, device: str) -> int:
        """The status that this device is answered with."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"x"}

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"content-type", KIND["content_type"].encode())]
        await self._desk({"headers": headers, "client": (device, 1)}, receive, send)
        return int(sent[0]["status"])


def test_a_device_cannot_ask_without_end(tmp_path: Path) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        guests = Guests(tmp_path)
        for seconds, most in ((0.0, desk.AT_ONCE), (1.0, desk.A_SECOND), (3600.0, desk.AT_ONCE)):
            loop.advance(seconds)
            statuses = [await guests.ask("192.168.1.1") for _ in range(most + 1)]
            assert statuses == [200] * most + [429]

    virtual_loop.run(scene)


def test_so_many_devices_are_counted_and_another_waits_until_one_may_ask_all_again(
    tmp_path: Path,
) -> None:
    async def scene(loop: virtual_loop.VirtualLoop) -> None:
        guests = Guests(tmp_path)
        for number in range(desk.MAX_DEVICES):
            assert await guests.ask(f"192.168.1.{number}") == 200
        assert await guests.ask("192.168.2.1") == 429
        assert await guests.ask("192.168.1.1") == 200
        loop.advance(1.0)
        assert await guests.ask("192.168.2.1") == 200

    virtual_loop.run(scene)


def test_an_answer_that_does_not_come_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_link, "DESK_SECONDS", 0.05)

    async def scene() -> None:
        async with serving(tmp_path) as served:

            async def never(sealed: bytes) -> bytes:
                return await asyncio.Future()

            back, served.table.reply = served.table.reply, never
            assert (await served.ask(*ASK, b"x", **KIND)).status == 504
            served.table.reply = back
            assert (await served.ask(*ASK, b"x", **KIND)).status == 200

    play(scene())


@with_pages()
async def test_so_many_desks_may_wait_and_no_more(served: Served) -> None:
    answers = asyncio.Event()

    async def late(sealed: bytes) -> bytes:
        await answers.wait()
        return sealed

    served.table.reply = late
    most = table_link.MAX_DESK_REQUESTS
    asking = [asyncio.create_task(served.ask(*ASK, b"x", **KIND)) for _ in range(most + 1)]
    done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
    assert [each.result().status for each in done] == [503]
    answers.set()
    assert sorted(each.status for each in await asyncio.gather(*asking)) == [200] * most + [503]


@with_pages()
async def test_a_desk_that_waits_holds_up_no_phone(served: Served) -> None:
    asked = asyncio.Event()

    async def never(sealed: bytes) -> bytes:
        asked.set()
        return await asyncio.Future()

    served.table.reply = never
    asking = asyncio.create_task(served.ask(*ASK, b"x", **KIND))
    await asked.wait()
    for _ in range(2):
        await served.table.relayed.get()
    asking.cancel()


@with_pages()
async def test_a_table_that_is_away_is_told_of(served: Served) -> None:
    await served.table.go()
    assert (await served.ask(*ASK, b"x", **KIND)).status == 503


@with_pages()
async def test_a_body_of_the_smallest_chunks_is_read_by_many_turns(served: Served) -> None:
    """A chunk costs as much as a whole body: in one pass of the loop few are read."""

    head = f"POST /api/1/desk HTTP/1.1\r\nhost: {served.host}\r\n"
    head += "content-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    chunks = 10_000 * b"1\r\nx\r\n" + b"0\r\n\r\n"
    answer = asyncio.create_task(served.say(head.encode() + chunks))
    passes = 0
    while not answer.done():
        passes += 1
        await asyncio.sleep(0)
    assert answer.result().body == 10_000 * b"x"
    assert passes > 60  # 31 where all that lies there is read at once
