"""The bridge's end of the table's sockets, with the table's own server at the other."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from house_table import HOUSE, PUBLIC, finished, table_in
from msgspec.structs import replace
from patience import PATIENCE

from pi_table.fleet.bridge import table_link
from pi_table.fleet.bridge.table_link import ANSWER_SECONDS, HouseLink, PublicLink, TableAway
from pi_table.protocols.ipc import house
from pi_table.protocols.ipc.house import read_finished
from pi_table.protocols.ipc.messages import Answer, line

LOCATE = {"act": "locate", "seat": "operator", "seconds": 1}


def play(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scene, PATIENCE))


async def until(seen: asyncio.Queue[Any], wanted: Any) -> None:
    while await seen.get() != wanted:
        pass


async def test_messages_come_and_a_table_that_went_comes_back(tmp_path: Path) -> None:
    house: asyncio.Queue[Any] = asyncio.Queue()
    public: asyncio.Queue[Any] = asyncio.Queue()
    links = (
        HouseLink(tmp_path / "house.sock", house.put_nowait),
        PublicLink(tmp_path / "public.sock", public.put_nowait),
    )
    running = [asyncio.create_task(each.run()) for each in links]
    assert await house.get() is None
    assert await public.get() is None
    async with table_in(tmp_path) as table:
        await until(house, HOUSE)
        await until(public, PUBLIC)
        table.fare(kept_free=True)
        await until(house, replace(HOUSE, kept_free=True))
        await table.go()
        await until(house, None)
        await until(public, None)
        await table.come()
        await until(house, replace(HOUSE, kept_free=True))
        await until(public, PUBLIC)
    for each in running:
        each.cancel()


async def test_what_is_asked_is_answered_each_by_its_own(tmp_path: Path) -> None:
    house: asyncio.Queue[Any] = asyncio.Queue()
    async with table_in(tmp_path) as table:
        table.games = [finished(number) for number in range(1, 40)]
        link = HouseLink(tmp_path / "house.sock", house.put_nowait)
        running = asyncio.create_task(link.run())
        await until(house, HOUSE)
        question = {"act": "finished", "seat": "operator", "after": None}
        answers = await asyncio.gather(link.ask(LOCATE), link.ask(question), link.ask(LOCATE))
        assert all(each.ok for each in answers)
        assert [each.number for each in read_finished(answers[1].told)] == [*range(1, 17)]
        assert table.asked == [LOCATE, LOCATE]
        running.cancel()


async def test_a_table_that_goes_while_it_is_asked_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house: asyncio.Queue[Any] = asyncio.Queue()
    link = HouseLink(tmp_path / "house.sock", house.put_nowait)
    with pytest.raises(TableAway):
        await link.ask(LOCATE)
    async with table_in(tmp_path) as table:
        running = asyncio.create_task(link.run())
        await until(house, HOUSE)
        table.hears = False
        asking = asyncio.create_task(link.ask(LOCATE))
        while not table.unanswered:
            await asyncio.sleep(0.001)
        await table.go()
        with pytest.raises(TableAway):
            await asyncio.wait_for(asking, ANSWER_SECONDS / 2)
        await table.come()
        await until(house, HOUSE)
        monkeypatch.setattr(table_link, "ANSWER_SECONDS", 0.01)
        with pytest.raises(TableAway):
            await link.ask(LOCATE)  # which is heard, and not answered
        running.cancel()


async def test_an_answer_that_comes_too_late_is_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house: asyncio.Queue[Any] = asyncio.Queue()
    async with table_in(tmp_path) as table:
        link = HouseLink(tmp_path / "house.sock", house.put_nowait)
        running = asyncio.create_task(link.run())
        await until(house, HOUSE)
        table.hears = False
        with monkeypatch.context() as soon:
            soon.setattr(table_link, "ANSWER_SECONDS", 0.05)
            with pytest.raises(TableAway):
                await link.ask(LOCATE)
        asking = asyncio.create_task(link.ask(LOCATE))
        ((number, viewer),) = table.unanswered
        viewer.answer(line(Answer(number, False, "late", "Too late.")))
        while len(table.unanswered) < 2:
            await asyncio.sleep(0.001)
        number, viewer = table.unanswered[1]
        viewer.answer(line(Answer(number, True)))
        assert (await asking).ok
        running.cancel()


async def test_a_socket_that_may_not_be_opened_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(path: Path) -> Any:  # as the kernel does, but for root
        raise PermissionError

    monkeypatch.setattr(table_link, "connect", refused)
    monkeypatch.setattr(table_link, "RETRY_SECONDS", 0.0)
    shown: asyncio.Queue[Any] = asyncio.Queue()
    running = asyncio.create_task(HouseLink(tmp_path / "house.sock", shown.put_nowait).run())
    for _ in range(3):
        assert await shown.get() is None
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    (said,) = caplog.messages
    assert "pi-table-house" in said


@pytest.mark.parametrize("kind", [HouseLink, PublicLink])
async def test_what_cannot_be_read_is_said_once_until_something_can(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: type[HouseLink] | type[PublicLink],
) -> None:
    well = house.line(HOUSE) if kind is HouseLink else line(PUBLIC)
    told = iter([b"{}\n", b'{"kind": "busy"}\n', well, b"no JSON\n", b"[" * 9999 + b"\n", well])

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(next(told, b""))
        writer.close()

    monkeypatch.setattr(table_link, "RETRY_SECONDS", 0.0)
    shown: asyncio.Queue[Any] = asyncio.Queue()
    async with await asyncio.start_unix_server(tell, tmp_path / "socket"):
        running = asyncio.create_task(kind(tmp_path / "socket", shown.put_nowait).run())
        for _ in range(2):
            while await shown.get() is None:
                pass
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert len(caplog.messages) == 2
    assert all(f"{tmp_path / 'socket'} cannot be read" in each for each in caplog.messages)
