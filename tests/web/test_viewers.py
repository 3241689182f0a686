"""The table for whoever looks on: the newest state at once, to everybody, and nothing in store."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from served import NOTHING, OUT_OF_ORDER, Served, Watching, play, serving, with_pages

from pi_table.common.language import LANGUAGES, translate
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import PublicMessage, Said
from pi_table.screens.web import events
from pi_table.screens.web.asgi import FULL, PLACE, Message
from pi_table.screens.web.events import MAX_PER_DEVICE, MAX_VIEWERS, Viewers
from pi_table.screens.web.places import Places, do_nothing


@with_pages()
async def test_a_viewer_is_shown_the_table_at_once_and_whatever_is_new(served: Served) -> None:
    watching = [await served.watch() for _ in range(50)]
    for each in watching:
        await each.until(lambda table: table["here"])
        assert each.told[0] == b"retry: 500"
    served.table.publish(OUT_OF_ORDER)
    for each in watching:
        assert (await each.table())["table"]["out_of_order"]


@with_pages()
async def test_the_same_state_again_is_no_news(served: Served) -> None:
    watching = await served.watch()
    await watching.until(lambda table: table["here"])
    told = len(watching.told)
    for message in (NOTHING, NOTHING, OUT_OF_ORDER):
        served.table.publish(message)
    assert (await watching.table())["table"]["out_of_order"]
    assert len(watching.told) == told + 1


@with_pages()
async def test_a_table_that_is_away_is_told_of_and_comes_back_by_itself(served: Served) -> None:
    watching = await served.watch()
    await watching.until(lambda table: table["here"])
    await served.table.go()
    away = await watching.table()
    assert not away["here"]
    assert away["table"] is not None  # what was known last
    served.table.newest = OUT_OF_ORDER
    await served.table.come()
    assert (await watching.until(lambda table: table["here"]))["table"]["out_of_order"]


def test_who_comes_late_is_told_how_old_the_news_is() -> None:
    now = 10.0
    viewers = Viewers(lambda: now)
    viewers.show(True, OUT_OF_ORDER)
    now = 17.5
    assert msgspec.json.decode(viewers.table())["age"] == 7.5
    viewers.show(False, OUT_OF_ORDER)  # the table is away, and that is no news of it
    assert msgspec.json.decode(viewers.table())["age"] == 7.5
    viewers.show(True, NOTHING)
    assert msgspec.json.decode(viewers.table())["age"] == 0.0


def guessed(*numbers: int) -> PublicMessage:
    """Return the message after a guess: its answer follows two seconds later."""
    what = ((1, "turn", 0.0), (2, "revealing", 0.0), (3, "right", 2.0), (4, "turn", 2.9))
    said = (
        Said(number, name, {"en": name}, after, spoken=True)
        for number, name, after in what
        if number in numbers
    )
    return PublicMessage(None, out_of_order=False, said=tuple(said))


def test_who_comes_before_the_answer_is_sent_what_was_shown_before_as_well() -> None:
    now = 10.0
    viewers = Viewers(lambda: now)
    viewers.show(True, guessed(1))
    now = 15.0
    viewers.show(True, guessed(1, 2, 3, 4))
    marked = msgspec.structs.replace(guessed(1, 2, 3, 4), marks={"A1": Team.RED})
    now = 16.0
    viewers.show(True, marked)  # which makes nothing of the answer known
    now = 16.9
    first, second = map(msgspec.json.decode, viewers.initial_messages())
    assert [said["number"] for said in first["table"]["said"]] == [1]
    assert (first["age"], second["age"]) == (6.9, 0.9)
    assert second["table"] == msgspec.json.decode(msgspec.json.encode(marked))
    now = 17.0
    assert [*viewers.initial_messages()] == [viewers.table()]


def test_who_comes_is_sent_one_table_where_no_answer_is_awaited() -> None:
    viewers = Viewers(lambda: 10.0)
    for message in (None, guessed(1, 2, 3), guessed(1, 2, 3, 4)):  # the guess was made before
        viewers.show(True, message)
        assert [*viewers.initial_messages()] == [viewers.table()]


@with_pages()
async def test_a_stream_begins_with_what_was_shown_before_the_answer(served: Served) -> None:
    early = await served.watch()
    await early.until(lambda table: table["here"])
    served.table.publish(guessed(1))
    await early.until(lambda table: number_of(table) == 1)
    said = guessed(1, 2, 3).said
    later = tuple(msgspec.structs.replace(each, after=1000 * each.after) for each in said)
    served.table.publish(PublicMessage(None, out_of_order=False, said=later))
    await early.until(lambda table: len(table["table"]["said"]) == 3)
    late = await served.watch()
    shown = [len((await late.table())["table"]["said"]) for _ in range(2)]
    assert shown == [1, 3]


@pytest.mark.parametrize("rubbish", [b"rubbish", b"{}", b"[" * 100_000, b'{"kind": "table"}'])
@with_pages()
async def test_a_table_that_talks_rubbish_is_away(served: Served, rubbish: bytes) -> None:
    watching = await served.watch()
    await watching.until(lambda table: table["here"])
    for viewer in served.table.viewers:
        viewer.write(rubbish + b"\n")
    assert not (await watching.table())["here"]
    assert (await watching.table())["here"]


@with_pages()
async def test_what_nobody_knows_of_is_never_passed_on(served: Served) -> None:
    """Were a secret in a message by mistake, no viewer would be sent it."""

    watching = await served.watch()
    await watching.until(lambda table: table["here"])
    line = b'{"kind": "public", "view": null, "out_of_order": true, "key": "rbn"}\n'
    for viewer in served.table.viewers:
        viewer.write(line)
    assert "key" not in (await watching.table())["table"]


@with_pages()
async def test_a_viewer_that_reads_late_skips_to_the_newest(served: Served) -> None:
    late, quick = await served.watch(), await served.watch()
    await quick.until(lambda table: table["here"])
    last = 200
    for number in range(1, last + 1):
        said = Said(number, "x", {"en": 20_000 * "x"}, 0.0, spoken=False)
        served.table.publish(PublicMessage(None, out_of_order=False, said=(said,)))
        await quick.until(lambda table: number_of(table) == number)  # noqa: B023
    await late.until(lambda table: number_of(table) == last)
    shown = [each for each in late.told if each.startswith(b"event: table")]
    assert len(shown) < last / 2


def number_of(table: dict[str, dict[str, list[dict[str, int]]]]) -> int:
    said = table["table"]["said"]
    return said[0]["number"] if said else 0


def test_a_quiet_line_is_told_that_we_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "QUIET_SECONDS", 0.01)

    async def scene() -> None:
        async with serving(tmp_path) as served:
            watching = await served.watch()
            while await watching.piece() != b"event: here\ndata: {}":
                pass
            served.table.publish(OUT_OF_ORDER)
            await watching.until(lambda table: table["here"] and table["table"]["out_of_order"])

    play(scene())


def look_on(viewers: Viewers, count: int, pieces: list[bytes]) -> list[asyncio.Task[None]]:
    """Begin to look on with this many viewers, and to send signs of life. What the viewers are sent
    comes to ``pieces``."""

    async def send(message: Message) -> None:
        pieces.append(message.get("body", b""))

    async def receive() -> Message:
        await asyncio.Event().wait()
        return {}

    places = Places(count, count)
    looking = []
    for _ in range(count):
        place = places.take("127.0.0.2", do_nothing)
        scope = {"method": "GET", "client": ("127.0.0.2", 1), "state": {PLACE: place}}
        looking.append(asyncio.create_task(viewers(scope, receive, send)))
    return [*looking, asyncio.create_task(viewers.run())]


@pytest.mark.parametrize("count", [1, 100])
def test_news_and_signs_of_life_are_made_once_for_all_viewers(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(events, "QUIET_SECONDS", 0.01)
    pieces, timers = list[bytes](), list[float]()
    call_at = asyncio.BaseEventLoop.call_at

    def spy(loop: asyncio.BaseEventLoop, when: float, *rest: Any, **more: Any) -> Any:
        timers.append(when)
        return call_at(loop, when, *rest, **more)

    async def scene() -> None:
        viewers = Viewers(asyncio.get_running_loop().time)
        looking = look_on(viewers, count, pieces)
        while len(pieces) < 2 * count:  # the head, and the first state
            await asyncio.sleep(0)
        monkeypatch.setattr(asyncio.BaseEventLoop, "call_at", spy)
        viewers.show(True, OUT_OF_ORDER)
        while len(pieces) < 4 * count:  # the news, and a sign of life
            await asyncio.sleep(0)
        for each in looking:
            each.cancel()

    asyncio.run(scene())
    assert [len({*map(id, pieces[n * count : (n + 1) * count])}) for n in (2, 3)] == [1, 1]
    assert pieces[3 * count :] == count * [events.HERE]
    assert len(timers) <= 2


@pytest.mark.parametrize("turns", range(8))
def test_news_that_come_with_a_sign_of_life_are_not_lost(
    monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """The timer is always due, so in one of these turns of the loop both come at once."""
    monkeypatch.setattr(events, "QUIET_SECONDS", 0.0)
    pieces = list[bytes]()

    async def scene() -> None:
        viewers = Viewers(asyncio.get_running_loop().time)
        looking = look_on(viewers, 1, pieces)
        for _ in range(20 + turns):
            await asyncio.sleep(0)
        viewers.show(True, OUT_OF_ORDER)
        for _ in range(20):
            await asyncio.sleep(0)
        for each in looking:
            each.cancel()

    asyncio.run(scene())
    states = [each for each in pieces if b"event: table" in each]
    assert len(states) == 2
    assert b'"out_of_order":true' in states[-1]
    assert events.HERE in pieces


@with_pages()
async def test_boards_that_are_open_stay_and_one_too_many_of_their_address_is_told_so(
    served: Served,
) -> None:
    other = await served.watch("127.0.0.3")
    here = [await served.watch("127.0.0.2") for _ in range(MAX_PER_DEVICE)]
    for path in ("/api/1/events", "/"):
        wish = f"GET {path} HTTP/1.1\r\nhost: {served.host}\r\n\r\n"
        answer = await served.say(wish.encode(), "127.0.0.2")
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
        assert answer.body.splitlines() == [translate(FULL, lang).encode() for lang in LANGUAGES]
    assert answer.headers["refresh"] == "5"
    await still_watch(served, other, *here)


@with_pages()
async def test_when_all_places_are_taken_an_address_with_fewer_gets_the_newest_of_the_largest(
    served: Served,
) -> None:
    first = await served.watch("127.0.0.2")
    crowd = [await served.watch() for _ in range(MAX_VIEWERS - 1)]
    newcomer = await served.watch("127.0.0.3")
    assert await crowd[-1].ends()
    await still_watch(served, first, *crowd[:-1], newcomer)


async def still_watch(served: Served, *viewers: Watching) -> None:
    served.table.publish(OUT_OF_ORDER)
    for each in viewers:
        await each.until(lambda table: table["here"] and table["table"]["out_of_order"])


@with_pages()
async def test_who_has_hung_up_leaves_a_place(served: Served) -> None:
    stays = await served.watch("127.0.0.2")
    for _ in range(3 * MAX_PER_DEVICE):
        (await served.watch("127.0.0.2")).writer.transport.abort()
    await still_watch(served, stays)
