"""The bridge as a process, with a real Mosquitto: what it tells, and what it hears."""

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from bridged import Bridged, Ear, listening, until
from collecting import Collecting, asked, has_subscribed
from house_table import PUBLIC, HouseTable, finished, said, table_in
from mosquitto import Mosquitto
from msgspec.structs import replace

pytestmark = pytest.mark.fleet


class Scene(NamedTuple):
    """All that takes part."""

    broker: Mosquitto
    table: HouseTable
    bridge: Bridged
    ear: Ear


@asynccontextmanager
async def scene(folder: Path, *lines: str, **settings: object) -> AsyncIterator[Scene]:
    """A table, its bridge and a broker, with somebody who hears all that is told."""
    with Mosquitto(folder / "broker", *lines) as broker:
        bridge = Bridged(folder, f"mqtt://127.0.0.1:{broker.port}", **settings)
        async with table_in(folder) as table, listening(broker.port) as ear:
            with bridge.running():
                await ear.until("availability", lambda told: told == "online")
                yield Scene(broker, table, bridge, ear)


async def test_what_the_table_tells_is_at_the_broker(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, table, _, ear):
        state = await ear.until("state")
        assert state["presence"] == "playing"
        assert state["profile"] is None
        assert (await ear.until("settings"))["brightness"] == 80
        assert await ear.until("faults") == {"count": 0, "faults": [], "out_of_order": False}
        health = await ear.until("health")
        assert health["version"] == "0.7.0"
        assert health["games"] == 0
        table.show(replace(PUBLIC, out_of_order=True, said=(said(1), said(2, "won-red"))))
        table.fare(faults=("The disk is full.",), out_of_order=True)
        await ear.until("state", lambda state: state["out_of_order"])
        await ear.until("faults", lambda faults: faults["count"] == 1)
        won = await ear.until("event", lambda event: event["event_type"] == "won-red")
        assert won["words"]["it"] == "Tocca al Rosso."


async def test_who_comes_later_finds_how_the_table_stands(tmp_path: Path) -> None:
    async with scene(tmp_path) as (broker, _, bridge, ear):
        await ear.until("health")
        async with listening(broker.port) as later:
            assert await later.until("availability") == "online"
            for what in ("state", "settings", "faults", "health"):
                await later.until(what)
        assert bridge.end() == 0
        async with listening(broker.port) as later:
            assert await later.until("availability") == "offline"


async def test_the_broker_says_that_a_bridge_is_lost(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, _, bridge, ear):
        bridge.end(signal.SIGKILL)
        await ear.until("availability", lambda told: told == "offline")


async def test_a_command_reaches_the_table_and_is_answered(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, table, _, ear):
        await ear.command("brightness", b'{"percent": 60}')
        assert await ear.until("done") == {
            "command": "brightness",
            "ok": True,
            "sentence": None,
        }
        assert table.asked == [{"act": "set", "seat": "operator", "settings": {"brightness": 60}}]


async def test_finished_games_are_told_once_each_and_in_order(tmp_path: Path) -> None:
    async with scene(tmp_path) as (_, table, _, ear):
        for number in (1, 2, 3):
            table.finish(finished(number))
        await ear.until("record", lambda record: record["number"] == 3)
        table.finish(finished(3, revision=44))
        await ear.until("record", lambda record: record["revision"] == 44)
        assert [each["number"] for each in ear.of("record")] == [1, 2, 3, 3]


async def test_a_database_that_is_lost_comes_back_from_the_tables(tmp_path: Path) -> None:
    def games() -> list[int]:
        with suppress(sqlite3.OperationalError):  # it is being made
            found = asked(f"sqlite://{database}", "SELECT number FROM games ORDER BY number")
            return [number for (number,) in found]
        return []

    async with scene(tmp_path) as (broker, table, bridge, ear):
        database = tmp_path / "games.sqlite"
        with closing(Collecting(tmp_path, broker.port, f"sqlite://{database}")) as collector:
            collector.start()
            await until(lambda: has_subscribed(broker))
            for number in range(1, 6):
                table.finish(finished(number))
            await until(lambda: games() == [1, 2, 3, 4, 5])
            assert await asyncio.to_thread(collector.stop) == 0
            for each in tmp_path.glob("games.sqlite*"):
                each.unlink()
            collector.start()
            await asyncio.to_thread(bridge.tell_again)
            table.fare(faults=("The strip is dark.",))  # else it looks once a minute
            await until(lambda: games() == [1, 2, 3, 4, 5])
            # Once more, while they are all there: each stays the one that it is.
            await asyncio.to_thread(bridge.tell_again)
            table.fare(faults=())
            table.finish(finished(6))
            await until(
                lambda: [each["number"] for each in ear.of("record")][-6:] == [1, 2, 3, 4, 5, 6]
            )
            await until(lambda: games() == [1, 2, 3, 4, 5, 6])
