"""A real collector between a real broker and real databases, killed and cut off: nothing is lost,
and nothing is counted twice."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest
from collecting import CLIENT, Collecting, Teller, acknowledged, asked, has_subscribed, until
from kept_games import expected, stored
from mosquitto import OPEN, Mosquitto
from postgres import Postgres
from told_games import records

from pi_table.fleet.collector import process
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.record import Record
from pi_table.fleet.collector.settings import Settings

pytestmark = pytest.mark.fleet


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/games.sqlite"
    server: Postgres = request.getfixturevalue("server")
    return server.new_database()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that keeps what it has where it is stopped."""
    keeps = ("max_queued_messages 0", "persistence true", f"persistence_location {tmp_path}/")
    with Mosquitto(tmp_path / "broker", *OPEN, *keeps) as running:
        yield running


@pytest.fixture
def teller(broker: Mosquitto) -> Iterator[Teller]:
    with closing(Teller(broker)) as telling:
        yield telling


@pytest.fixture
def collector(tmp_path: Path, broker: Mosquitto, database: str) -> Iterator[Collecting]:
    with closing(Collecting(tmp_path, broker.port, database)) as one:
        one.start()
        until(lambda: has_subscribed(broker), "A subscription")
        yield one


def delivered(broker: Mosquitto) -> int:
    """Return the number of deliveries to acknowledge, without the broker's own status messages."""
    return len(re.findall(rf"Sending PUBLISH to {CLIENT} \(d[01], q1", broker.log.read_text()))


def grown(number: Callable[[], int]) -> Callable[[], bool]:
    """Return a function that is True once a number is larger than now."""
    now = number()
    return lambda: number() > now


def count(address: str) -> int:
    (found,) = asked(address, "SELECT count(*) FROM games")
    return int(found[0])


def check(address: str, told: list[Record]) -> None:
    """The database holds what was told, each game once."""
    with closing(open_database(address)) as database:
        assert stored(database) == expected(told)
    assert asked(address, "SELECT why FROM rejects") == []


@contextmanager
def locked(address: str) -> Iterator[Callable[[], bool]]:
    """Lock a database for other writers, and yield a function: True if somebody waits to write."""
    if address.startswith("sqlite"):
        with closing(
            sqlite3.connect(address.removeprefix("sqlite://"), isolation_level=None)
        ) as it:
            it.execute("BEGIN IMMEDIATE")
            yield lambda: False  # nothing tells
    else:
        with psycopg.connect(address) as it:
            it.execute("LOCK TABLE games IN ACCESS EXCLUSIVE MODE")
            yield lambda: bool(it.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchall())


def muddled(games: list[Record], chance: Random) -> list[Record]:
    """The same games, some with a second revision, many told more than once, in any order."""
    told = [*games]
    for game in chance.sample(games, len(games) // 3):
        told.append(
            msgspec.structs.replace(
                game,
                revision=game.revision + 2,
                guesses=game.guesses[:-1],
                seconds=game.seconds + 60,
            )
        )
    told += chance.sample(told, len(told) // 2)
    chance.shuffle(told)
    return told


def test_a_collector_that_is_killed_before_it_has_committed_has_acknowledged_nothing(
    broker: Mosquitto, teller: Teller, collector: Collecting, database: str
) -> None:
    told = [*islice(records(1), 20)]
    with locked(database) as waits:
        until(teller.tell_records(told))
        until(lambda: waits() or "database is locked" in collector.said(), "A lock")
        assert delivered(broker) == 20
        assert acknowledged(broker) == 0
        collector.kill()
    assert count(database) == 0
    collector.start()
    until(lambda: acknowledged(broker) == 20, "Acknowledgements")
    check(database, told)


def test_each_game_is_kept_once_however_often_the_collector_is_killed(
    broker: Mosquitto, teller: Teller, collector: Collecting, database: str
) -> None:
    chance = Random("killed")
    told = muddled([*islice(records(2), 240)], chance)
    for some in batched(told, 16):
        committed = grown(lambda: count(database))
        on_its_way = grown(lambda: delivered(broker))
        taken = teller.tell_records(some)
        if any(count_of(database, record) == 0 for record in some) and chance.random() < 0.6:
            until(committed)  # and not acknowledged yet
        else:
            until(on_its_way)  # and not committed yet
        collector.kill()
        until(taken)
        collector.start()
    finish(collector)
    check(database, told)


def test_nothing_is_lost_where_the_broker_is_started_again(
    broker: Mosquitto, teller: Teller, collector: Collecting, database: str
) -> None:
    told = muddled([*islice(records(3), 120)], Random("broker"))
    for some in batched(told, 4):
        on_its_way = grown(lambda: delivered(broker))
        taken = teller.tell_records(some)
        until(on_its_way)
        broker.stop()
        broker.start()
        until(taken)
    finish(collector)
    check(database, told)


def test_nothing_is_lost_where_the_database_is_away(
    request: pytest.FixtureRequest,
    broker: Mosquitto,
    teller: Teller,
    collector: Collecting,
    database: str,
) -> None:
    if database.startswith("sqlite"):
        pytest.skip("A file is away only where it is locked, which is tested above.")
    server: Postgres = request.getfixturevalue("server")
    told = muddled([*islice(records(4), 120)], Random("database"))
    for some in batched(told, 4):
        some_kept = grown(lambda: acknowledged(broker))
        taken = teller.tell_records(some)
        until(some_kept)
        server.stop()
        until(taken)
        server.start()
    assert collector.said().count("Until it can, nothing is acknowledged") >= 1
    finish(collector)
    check(database, told)


def test_that_the_database_is_away_is_said_once(
    server: Postgres, tmp_path: Path, broker: Mosquitto, teller: Teller
) -> None:
    with closing(Collecting(tmp_path, broker.port, server.new_database())) as collector:
        server.stop()
        try:
            collector.start()
            until(lambda: has_subscribed(broker))
            until(teller.tell_records(islice(records(5), 30)))
            until(lambda: delivered(broker) == 30)
            assert acknowledged(broker) == 0
        finally:
            server.start()
        until(lambda: acknowledged(broker) == 30)
        # A server that recovers is another cause, and another sentence.
        said = [line for line in collector.said().splitlines() if "cannot be used" in line]
        assert 1 <= len(said) == len({*said}) <= 2
        assert collector.stop() == 0


def test_a_user_who_owns_no_database_is_told_once_what_to_do(
    server: Postgres, tmp_path: Path, broker: Mosquitto
) -> None:
    address = server.new_database()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute('CREATE USER "pi-table-collector"')
        name = connection.info.dbname
    theirs = server.address(name, "pi-table-collector")
    denials = grown(lambda: server.log.read_text().count("permission denied for schema public"))
    with closing(Collecting(tmp_path, broker.port, theirs)) as collector:
        collector.start()
        until(denials)
        until(grown(lambda: server.log.read_text().count("permission denied for schema public")))
        what_to_do = f'ALTER DATABASE "{name}" OWNER TO "pi-table-collector"'
        assert collector.said().count("permission denied for schema public") == 1
        assert collector.said().count(what_to_do) == 1
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(what_to_do.encode())
        until(lambda: asked(address, "SELECT to_regclass('games')") != [(None,)], "A table")
        assert collector.stop() == 0


def test_a_database_that_goes_away_is_noticed_though_nothing_comes(
    server: Postgres, tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.01)
    metrics = tmp_path / "collector.prom"
    where = f"mqtt://127.0.0.1:{broker.port}"
    settings = Settings(where, server.new_database(), username="", metrics=str(metrics))

    def shows(value: int) -> bool:
        running.turn()
        line = f"pi_table_collector_database_connected {value}\n"
        return metrics.exists() and line in metrics.read_text()

    with closing(process.Collector(settings)) as running:
        until(lambda: shows(1))
        server.stop()
        try:
            until(lambda: shows(0))
        finally:
            server.start()
        until(lambda: shows(1))


def finish(collector: Collecting) -> None:
    """Let the collector keep all that the broker has for it."""
    collector.stop()
    collector.start("--once")
    assert collector.ended() == 0


def count_of(address: str, record: Record) -> int:
    return int(asked(address, f"SELECT count(*) FROM games WHERE id = '{record.game}'")[0][0])


def batched(told: list[Record], times: int) -> Iterator[list[Record]]:
    """So many parts of what is told, in its order."""
    size = -(-len(told) // times)
    return (told[begin : begin + size] for begin in range(0, len(told), size))
