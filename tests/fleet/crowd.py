"""A crowd of tables: real bridges, a real collector with its database, and troubles, at the broker
that `pi-table provision` makes: sealed, with a user, a password and rights for each, and with as
many open files as its unit has.

By hand, a thousand tables for some minutes, from this folder, with what it prints:

    PYTHONPATH=..:../engine:../bridge:../collector ../../.venv-fleet/bin/python crowd.py 1000
"""

import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from subprocess import Popen
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from bridges import Plan, Seen
from certificates import Authority
from collecting import Collecting, asked
from evening import Evening, evening
from mosquitto import Mosquitto
from patience import PATIENCE
from postgres import Postgres
from provisioned import HOST, Provisioned
from scripted_table import Pace, ScriptedTable

A_PROCESS: Final = 125
"""Bridges in one process."""
GAMES: Final = 6
SECONDS: Final = 60.0
"""How long each phase is measured."""
GATHER_SECONDS: Final = 40.0
"""How long bridges have to connect before anything is measured."""
DRAIN_SECONDS: Final = 180.0
"""How long the last games may take to arrive: a game that nobody had asked for is told again after
a minute."""
TICK: Final = os.sysconf("SC_CLK_TCK")


class Crowd:
    """So many tables, which play at a ``speed`` (1: the pace of a bar) for some seconds."""

    def __init__(
        self, folder: Path, fleet: Provisioned, ca: Path, tables: int, pace: Pace, evening: Evening
    ) -> None:
        self.folder = folder
        self.evening = evening
        file = folder / "evening.json"
        file.write_bytes(msgspec.json.encode(evening))
        chance = Random(tables)
        self.plans = []
        for listener, names in shared(tables):
            offsets = tuple(chance.uniform(0.0, evening.seconds) for _ in names)
            files = str(folder), str(file), fleet.broker.port, str(fleet.folder), str(ca)
            self.plans.append(Plan(*files, listener, names, offsets, pace))
        self.running: list[Popen[bytes]] = []

    def start(self) -> None:
        self.running = [self._start(number) for number in range(len(self.plans))]

    def kill(self, number: int) -> None:
        """Kill a process of bridges, and start it again."""
        self.running[number].kill()
        self.running[number].wait(PATIENCE)
        self.running[number] = self._start(number)

    def _start(self, number: int) -> Popen[bytes]:
        plan = self.folder / f"plan-{number}.json"
        plan.write_bytes(msgspec.json.encode(self.plans[number]))
        with (self.folder / f"bridges-{number}.log").open("ab") as log:
            return Popen(
                [sys.executable, str(Path(__file__).with_name("bridges.py")), str(plan)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    def stop(self) -> None:
        for each in self.running:
            each.kill()
            each.wait(PATIENCE)

    def finished(self) -> dict[str, int]:
        """How many games each table has finished by now."""
        now = time.time()
        return {
            name: ScriptedTable(name, self.evening, plan.pace, offset).finished(now)
            for plan in self.plans
            for name, offset in zip(plan.names, plan.offsets, strict=True)
        }

    def delays(self, since: float) -> list[float]:
        """Delays in seconds of what came back from the broker since a time, in order."""
        found = list[float]()
        for file in self.folder.glob("seen-*.json"):
            seen = msgspec.json.decode(file.read_bytes(), type=Seen)
            found += [delay for at, delay in seen.delays if at >= since]
        return sorted(found)


def shared(tables: int) -> list[tuple[str, tuple[str, ...]]]:
    """How so many tables are shared out: for each process who listens there, and its tables."""
    names = [f"table-{each}" for each in range(1, tables + 1)]
    firsts = range(0, tables, A_PROCESS)
    return [(f"hears-{first}", tuple(names[first : first + A_PROCESS])) for first in firsts]


@contextmanager
def provisioned(folder: Path, tables: int) -> Iterator[tuple[Provisioned, Path]]:
    """A broker for so many tables as the pages set it up, and the file of who has signed for it."""
    authority = Authority(folder / "authority")
    fleet = Provisioned(folder, server=authority.sign(HOST), ca=authority.certificate)
    try:
        fleet.provision(
            *("--count", str(tables), "--named", "table", "--ca", str(authority.certificate)),
            *(word for listener, _ in shared(tables) for word in ("--operator", listener)),
        )
        fleet.take_over()
        yield fleet, authority.certificate
    finally:
        fleet.close()


def processor(pid: int) -> float:
    """Seconds of a processor that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid: int) -> float:
    """MiB of memory that a process has a share of (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("No Pss.")


@contextmanager
def measured(crowd: Crowd, broker: Mosquitto, collector: Collecting) -> Iterator[dict[str, Any]]:
    """What a while takes, and how long messages are on their way in it."""
    pids = {
        "broker": [broker.pid],
        "collector": [collector.pid],
        "bridges": [each.pid for each in crowd.running],
    }
    begun = time.time()
    used = {name: sum(map(processor, of)) for name, of in pids.items()}
    figures: dict[str, Any] = {}
    yield figures
    seconds = time.time() - begun
    for name, of in pids.items():
        share = 100 * (sum(map(processor, of)) - used[name]) / seconds
        figures[f"{name}_percent_of_a_core"] = round(share, 2)
    tables = sum(len(plan.names) for plan in crowd.plans)
    figures["one_bridge_percent_of_a_core"] = round(
        figures["bridges_percent_of_a_core"] / tables, 4
    )
    figures["broker_mib"] = round(memory(broker.pid), 1)
    figures["collector_mib"] = round(memory(collector.pid), 1)
    time.sleep(1.5)
    delays = crowd.delays(begun)
    figures["events"] = len(delays)
    for name, share in (("p50_ms", 0.5), ("p99_ms", 0.99), ("max_ms", 1.0)):
        if delays:
            figures[name] = round(1000 * delays[min(len(delays) - 1, int(share * len(delays)))], 1)
    figures["seconds"] = round(seconds, 1)


def collected(database: str) -> tuple[dict[str, int], int]:
    """How many games of each table stand in the database, and how many different ones in all."""
    rows = asked(database, "SELECT table_name, count(*), count(DISTINCT id) FROM games GROUP BY 1")
    return {str(name): int(count) for name, count, _ in rows}, sum(int(row[2]) for row in rows)


def drained(crowd: Crowd, database: str, patience: float) -> bool:
    """Does every finished game stand in the database, once, within some seconds?"""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        expected = {name: count for name, count in crowd.finished().items() if count}
        found, different = collected(database)
        if found == expected:
            return different == sum(expected.values())
        time.sleep(0.5)
    return False


def spend(
    folder: Path,
    server: Postgres,
    tables: int,
    seconds: float,
    speed: float,
    of_table: Evening,
    troubles: bool = False,
    gather: float = GATHER_SECONDS,
) -> dict[str, Any]:
    """Play for some seconds, in calm or with troubles, when bridges have had ``gather`` seconds to
    connect; what was measured. Raises AssertionError
    where a game is lost or doubled."""
    folder.mkdir()
    database = server.new_database()
    with ExitStack() as stack:
        fleet, ca = stack.enter_context(provisioned(folder, tables))
        broker = fleet.broker
        collector = Collecting(
            *(folder, broker.port, database),
            broker=fleet.address,
            ca=str(ca),
            username="collector",
            password_file=str(fleet.folder / "users/collector"),
        )
        stack.callback(collector.close)
        collector.start()
        pace = Pace(time.time(), time.time() + gather + seconds, speed)
        crowd = Crowd(folder, fleet, ca, tables, pace, of_table)
        stack.callback(crowd.stop)
        crowd.start()
        time.sleep(gather)
        figures: dict[str, Any] = {}
        if troubles:
            trouble(seconds, crowd, broker, collector, server)
        else:
            with measured(crowd, broker, collector) as figures:
                time.sleep(seconds)
        begun = time.monotonic()
        assert drained(crowd, database, DRAIN_SECONDS), lost(crowd, database)
        games = sum(crowd.finished().values())
        figures |= {"drained_s": round(time.monotonic() - begun, 1), "games": games}
    return {"tables": tables, "speed": speed, "troubles": troubles, **figures}


def trouble(
    seconds: float, crowd: Crowd, broker: Mosquitto, collector: Collecting, server: Postgres
) -> None:
    """Whatever can go wrong does, one thing after another, within some seconds."""
    each = seconds / 8
    broker.kill()  # as a power cut does: it knows what it last wrote to its disk
    time.sleep(each)
    broker.start()
    time.sleep(each)
    crowd.kill(0)
    time.sleep(each)
    collector.kill()
    time.sleep(each)
    collector.start()
    time.sleep(each)
    broker.freeze()  # nothing comes through, and nobody is told
    time.sleep(each)
    broker.thaw()
    server.stop()
    time.sleep(each)
    server.start()
    crowd.kill(len(crowd.running) - 1)
    time.sleep(each)


def lost(crowd: Crowd, database: str) -> str:
    """What differs between what the tables have finished and what the database has."""
    found, different = collected(database)
    expected = {name: count for name, count in crowd.finished().items() if count}
    wrong = {
        name: (expected.get(name, 0), found.get(name, 0))
        for name in expected.keys() | found.keys()
        if expected.get(name) != found.get(name)
    }
    return f"finished and collected differ: {wrong}; {different} different games"


def main(tables: int, seconds: float = SECONDS) -> None:
    """Print what a crowd takes: at the pace of a bar, at ten times that, and with troubles."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    of_table = evening(GAMES)
    with TemporaryDirectory() as folder, Postgres() as server:
        for number, (speed, troubles) in enumerate(((1, False), (10, False), (10, True))):
            figures = spend(
                Path(folder) / str(number), server, tables, seconds, speed, of_table, troubles
            )
            print(msgspec.json.encode(figures).decode(), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
