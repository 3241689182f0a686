"""Evenings of many tables in virtual time, with real bridges and the collector's real database,
while everything between them fails: each game is kept, once."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest import mock

import pytest
from evening import Evening, evening
from kept_games import stored
from scripted_table import Pace, ScriptedTable, in_place_of_sockets, settings_of
from virtual_broker import VirtualBroker, VirtualLine
from virtual_loop import VirtualLoop

from pi_table.fleet.bridge import broker_link, process
from pi_table.fleet.bridge.broker_link import BrokerLink
from pi_table.fleet.bridge.outbox import Message
from pi_table.fleet.bridge.records import SentGames
from pi_table.fleet.collector.database import Database
from pi_table.fleet.collector.ingest import Delivery, keep
from pi_table.fleet.collector.sqlite import SqliteDatabase

TABLES = 2
HOURS = 3600.0
OPEN_SECONDS = 3.5 * HOURS
"""Seconds of an evening."""
DRAIN_SECONDS = 600.0
"""Seconds for the last games to arrive."""
GATHERS_SECONDS = 5.0
"""From one look of the collector to the next."""


@pytest.fixture(scope="module")
def of_table() -> Evening:
    return evening(4)


def empty_database() -> SqliteDatabase:
    one = SqliteDatabase(":memory:", to_read=False)
    one.prepare()
    return one


@pytest.fixture
def database() -> Iterator[Database]:
    with closing(empty_database()) as one:
        yield one


Done = TypeVar("Done")
Trouble = Callable[["House"], Coroutine[Any, Any, None]]


def in_virtual_time(scene: Coroutine[Any, Any, Done]) -> Done:
    """Run what a test does."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene)


class House:
    """Some tables of one house with their bridges, its broker, and whoever gathers their games."""

    def __init__(
        self, folder: Path, evening: Evening, database: Database, chance: Random, tables: int
    ) -> None:
        self.broker = VirtualBroker()
        self.gathers = True
        """True if the collector runs."""
        self.told: list[Message] = []
        """All that the broker took, besides finished games."""
        self._folder = folder
        self._database = database
        self._chance = chance
        self._clock = asyncio.get_running_loop().time
        pace = Pace(0.0, OPEN_SECONDS, 1.0)
        self.tables = {
            name: ScriptedTable(
                name, evening, pace, chance.uniform(0.0, evening.seconds), self._clock
            )
            for name in (f"table-{number}" for number in range(tables))
        }
        self._bridges: dict[str, asyncio.Task[None]] = {}
        self._lines: dict[str, VirtualLine] = {}

    def switch_on(self, name: str) -> None:
        """Start the bridge of a table."""
        settings = settings_of(name, self._folder, "mqtt://broker.lan")
        running = process.run(settings, asyncio.Event())
        self._bridges[name] = asyncio.get_running_loop().create_task(running)

    async def kill(self, name: str) -> None:
        """End the bridge of a table as a power cut does."""
        if name in self._lines:
            self._lines[name].lose()
        running = self._bridges.pop(name)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async def evening(self, trouble: Trouble) -> None:
        """Let the tables be played at, in trouble, until all is at rest again."""

        def line(link: BrokerLink) -> VirtualLine:
            made = VirtualLine(self.broker, self._chance)
            self._lines[link._broker.table] = made
            return made

        take = self.broker.take

        def taken(message: Message) -> bool:
            if message.topic.endswith("/record"):
                return take(message)
            self.told.append(message)
            return True

        with (
            in_place_of_sockets(self.tables),
            mock.patch.object(BrokerLink, "_line", line),
            mock.patch.object(self.broker, "take", taken),
            mock.patch.object(broker_link, "random", self._chance),
        ):
            for name in self.tables:
                self.switch_on(name)
            async with asyncio.TaskGroup() as around:
                beside = [
                    around.create_task(each)
                    for each in (self.broker.run(), self._gather(), trouble(self))
                ]
                await asyncio.sleep(OPEN_SECONDS)
                beside.pop().cancel()
                self.broker.come()
                self.broker.loses_answers = 0.0
                self.gathers = True
                for name in self.tables.keys() - self._bridges.keys():
                    self.switch_on(name)
                await asyncio.sleep(DRAIN_SECONDS)
                for each in beside:
                    each.cancel()
            for name in self.tables:
                await self.kill(name)

    def differs(self) -> dict[str, tuple[int, int]]:
        """The tables whose games in the database are not those that they finished: how many there
        ought to be, and how many there are."""
        games = stored(self._database).values()
        found = {
            name: {each["game"] for each in games if each["table"] == name} for name in self.tables
        }
        ought = {
            name: {
                table.game(number).game for number in range(1, table.finished(self._clock()) + 1)
            }
            for name, table in self.tables.items()
        }
        assert all(len(each) > 10 for each in ought.values())
        return {
            name: (len(ought[name]), len(found[name]))
            for name in self.tables
            if found[name] != ought[name]
        }

    async def _gather(self) -> None:
        """Be the collector, to which a broker may deliver twice, and in any order."""
        while True:
            await asyncio.sleep(GATHERS_SECONDS)
            if not self.gathers or not self.broker.up:
                continue
            if self.broker.session is None:
                self.broker.session = []
            came = [*self.broker.session]
            again = [each for each in came if self._chance.random() < 0.1]
            at = datetime.now(UTC)
            deliveries = [Delivery(each.topic, each.payload, at) for each in (*came, *again)]
            self._chance.shuffle(deliveries)
            assert keep(self._database, ("pi-table",), deliveries) == []
            if self._chance.random() < 0.8:  # else it dies before it has acknowledged them
                del self.broker.session[: len(came)]


# An hour without a network


@pytest.mark.parametrize("tables", [1, pytest.param(5, marks=pytest.mark.torture)])
def test_what_an_hour_without_a_network_held_up_is_told_afterwards(
    tmp_path: Path, of_table: Evening, database: Database, tables: int
) -> None:
    async def told() -> None:
        house = House(tmp_path, of_table, database, Random(1), tables)

        async def an_hour(house: House) -> None:
            await asyncio.sleep(1.0 * HOURS)
            house.broker.cut()
            before = len(house.told)
            await asyncio.sleep(1.0 * HOURS)
            assert len(house.told) == before
            house.broker.come()
            await asyncio.sleep(90.0)
            topics = {each.topic for each in house.told[before:]}
            for name in house.tables:
                for what in ("availability", "state", "settings", "faults", "health"):
                    assert f"pi-table/{name}/{what}" in topics

        await house.evening(an_hour)
        assert house.differs() == {}
        for name in house.tables:
            numbers = [each["number"] for each in _payloads(house, name, "event")]
            assert len(numbers) > 100
            # They fall where the table begins its evening anew. What was announced while nobody
            # could hear it is no news an hour later, and is missing: once, and nowhere else.
            leaps = [each for each in pairwise(numbers) if each[1] != each[0] + 1]
            anew = (max(numbers), min(numbers))
            assert len([each for each in leaps if each != anew]) == 1
            health = _payloads(house, name, "health")
            assert [each["dropped"] for each in health if each["dropped"]] == []
            assert max(each["queued"] for each in health) > 60
            assert len(health) > OPEN_SECONDS / 60 - 5, "no minute of health is missing"

    in_virtual_time(told())


def _payloads(house: House, name: str, what: str) -> list[dict[str, Any]]:
    topic = f"pi-table/{name}/{what}"
    return [json.loads(each.payload) for each in house.told if each.topic == topic]


# Everything else


async def everything_fails(house: House) -> None:
    """For a whole evening one thing after another goes wrong."""
    chance = house._chance
    house.broker.loses_answers = 0.02
    while True:
        await asyncio.sleep(chance.uniform(0.0, 900.0))
        match chance.randrange(6):
            case 0:
                house.broker.cut()
                await asyncio.sleep(chance.choice((20.0, 300.0, 1.0 * HOURS)))
                house.broker.come()
            case 1:  # a broker, with what it had for a collector that is away
                house.gathers = False
                await asyncio.sleep(chance.uniform(0.0, 1500.0))
                house.broker.lose_power()
                await asyncio.sleep(chance.uniform(1.0, 300.0))
                house.broker.come()
                house.gathers = True
            case 2:  # the power of the whole house
                for name in house.tables:
                    await house.kill(name)
                house.broker.lose_power()
                await asyncio.sleep(60.0)
                house.broker.come()
                for name in house.tables:
                    house.switch_on(name)
            case 3:
                name = chance.choice([*house.tables])
                await house.kill(name)
                await asyncio.sleep(chance.uniform(1.0, 600.0))
                house.switch_on(name)
            case 4:
                house.gathers = False
                await asyncio.sleep(chance.uniform(60.0, 1.0 * HOURS))
                house.gathers = True
            case 5:  # a broker whose disk was lost, too
                house.broker.lose_power()
                house.broker.session = None
                await asyncio.sleep(60.0)
                house.broker.come()


async def a_broker_forgets(house: House) -> None:
    """A broker loses its power while it alone has some games."""
    await asyncio.sleep(2.0 * HOURS + 60.0)
    house.gathers = False
    await asyncio.sleep(1500.0)
    before = len(house.broker.session or ())
    house.broker.lose_power()
    assert before > len(house.broker.session or ())
    await asyncio.sleep(60.0)
    house.broker.come()
    house.gathers = True


def troubled(
    folder: Path,
    of_table: Evening,
    database: Database,
    trouble: Trouble = a_broker_forgets,
    seed: int = 0,
    tables: int = TABLES,
) -> dict[str, tuple[int, int]]:
    """Return the differences after an evening with this trouble."""

    async def told() -> dict[str, tuple[int, int]]:
        house = House(folder, of_table, database, Random(seed), tables)
        await house.evening(trouble)
        return house.differs()

    return in_virtual_time(told())


@pytest.mark.parametrize(
    ("tables", "seeds"), [(TABLES, 1), pytest.param(5, 20, marks=pytest.mark.torture)]
)
def test_no_game_is_lost_or_doubled_whatever_goes_wrong(
    tmp_path: Path, of_table: Evening, tables: int, seeds: int
) -> None:
    for seed in range(seeds):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with closing(empty_database()) as database:
            assert troubled(folder, of_table, database, everything_fails, seed, tables) == {}


def test_what_a_broker_forgets_is_told_again(
    tmp_path: Path, of_table: Evening, database: Database
) -> None:
    assert troubled(tmp_path, of_table, database) == {}


def acknowledged_too_soon(told: SentGames, now: float) -> None:
    """Make `SentGames.settle` trust an acknowledgement at once."""
    if told._fresh:
        told._settled = told.latest
        told._fresh.clear()


def told_again_never(told: SentGames) -> None:
    """Make `SentGames.on_new_connection` assume that brokers never forget."""


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("settle", acknowledged_too_soon),
        pytest.param("on_new_connection", told_again_never, marks=pytest.mark.mutation),
    ],
)
def test_a_game_that_a_broker_forgets_would_be_missed(
    tmp_path: Path, of_table: Evening, database: Database, name: str, planted: Callable[..., None]
) -> None:
    with mock.patch.object(SentGames, name, planted):
        assert troubled(tmp_path, of_table, database) != {}


@pytest.mark.mutation
def test_a_collector_that_acknowledges_what_it_has_not_kept_would_be_noticed(
    tmp_path: Path, of_table: Evening, database: Database
) -> None:
    async def told() -> None:
        house = House(tmp_path, of_table, database, Random(0), 2)

        async def forgetful(house: House) -> None:
            await asyncio.sleep(2.0 * HOURS)
            house.gathers = False
            await asyncio.sleep(1.0 * HOURS)
            assert house.broker.session
            house.broker.session.clear()
            house.gathers = True

        await house.evening(forgetful)
        assert house.differs() != {}

    in_virtual_time(told())
