"""A crowd of tables: real bridges, a real collector with its database, and troubles, at the broker
that `pi-table provision` makes: sealed, with a user, a password and rights for each, and with as
many open files as its unit has.

By hand, a thousand tables for some minutes, from this folder, with what it prints:

    PYTHONPATH=..:../engine:../bridge:../collector ../../.venv-fleet/bin/python crowd.py 1000

With ``--alone`` each bridge has a process of its own. With ``--week`` the broker keeps what the
tables tell a collector that is away for a week.
"""

import os
import resource
import signal
import sys
import time
from argparse import ArgumentParser
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
from collecting import Collecting, asked, until
from evening import Evening, evening
from fleet_troubles import ONE_AFTER_ANOTHER, House, Trouble
from mosquitto import Mosquitto
from patience import PATIENCE
from postgres import Postgres
from provisioned import HOST, Provisioned
from scripted_table import Pace, ScriptedTable

from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.record_teller import RETRY_SECONDS

A_PROCESS: Final = 125
"""Bridges in one process."""
LISTENERS: Final = 8
"""Processes, the first ones, in which the delays of messages are measured."""
START_SECONDS: Final = 2.0
"""Seconds that a process of bridges may take to start beside all others."""
PHASES: Final = ((1.0, None), (10.0, None), (10.0, ONE_AFTER_ANOTHER))
"""The speed and the trouble of each measurement."""
GAMES_A_WEEK: Final = 7 * 20
GAMES: Final = 6
SECONDS: Final = 60.0
"""Seconds of measurement in each phase."""
GATHER_SECONDS: Final = 40.0
"""Seconds for bridges to connect before anything is measured."""
DRAIN_SECONDS: Final = 180.0
"""Seconds for the last games to arrive: an unacknowledged game is sent again after a minute."""
TICK: Final = os.sysconf("SC_CLK_TCK")


Shares = list[tuple[str, tuple[str, ...]]]
"""For each process of bridges who listens there, "" for nobody, and its tables."""


class Crowd:
    """Tables that play at a pace for some seconds; ``shares`` are the tables of each process, and
    who listens there. ``times``: more of each `Plan`."""

    def __init__(
        self,
        folder: Path,
        fleet: Provisioned,
        ca: Path,
        shares: Shares,
        pace: Pace,
        evening: Evening,
        **times: Any,
    ) -> None:
        self.folder = folder
        self.evening = evening
        file = folder / "evening.json"
        file.write_bytes(msgspec.json.encode(evening))
        chance = Random(len(shares))
        self.plans = []
        for listener, names in shares:
            offsets = tuple(chance.uniform(0.0, evening.seconds) for _ in names)
            files = str(folder), str(file), fleet.broker.port, str(fleet.folder), str(ca)
            self.plans.append(Plan(*files, listener, names, offsets, pace, **times))
        self._running: dict[int, Popen[bytes]] = {}

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes of bridges."""
        return [each.pid for each in self._running.values()]

    def kill(self, number: int) -> None:
        """Kill a process of bridges."""
        self._running[number].kill()
        self._running[number].wait(PATIENCE)

    def start(self, number: int) -> None:
        """Start a process of bridges, which has none."""
        plan = self.folder / f"plan-{number}.json"
        plan.write_bytes(msgspec.json.encode(self.plans[number]))
        with (self.folder / f"bridges-{number}.log").open("ab") as log:
            self._running[number] = Popen(
                [sys.executable, str(Path(__file__).with_name("bridges.py")), str(plan)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    def stop(self) -> None:
        for number in self._running:
            self.kill(number)

    def finished(self) -> dict[str, int]:
        """Return the number of games that each table has finished by now."""
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


def shared(tables: int, each: int) -> Shares:
    """Share these tables out, ``each`` to a process."""
    names = [f"table-{number}" for number in range(1, tables + 1)]
    return [
        (f"hears-{index}" if index < LISTENERS else "", tuple(names[first : first + each]))
        for index, first in enumerate(range(0, tables, each))
    ]


@contextmanager
def provisioned(folder: Path, tables: int, listeners: int) -> Iterator[tuple[Provisioned, Path]]:
    """A broker for so many tables as the pages set it up, and the file of who has signed for it."""
    authority = Authority(folder / "authority")
    fleet = Provisioned(folder, server=authority.sign(HOST), ca=authority.certificate)
    try:
        fleet.provision(
            *("--count", str(tables), "--named", "table", "--ca", str(authority.certificate)),
            *(word for number in range(listeners) for word in ("--operator", f"hears-{number}")),
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
    """Measure the processor time of the block and the delay of the messages in it."""
    pids = {
        "broker": [broker.pid],
        "collector": [collector.pid],
        "bridges": crowd.pids,
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
    figures["one_bridge_mib"] = round(sum(map(memory, pids["bridges"])) / tables, 2)
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
    """Return the number of games of each table in the database, and of different games in all."""
    rows = asked(database, "SELECT table_name, count(*), count(DISTINCT id) FROM games GROUP BY 1")
    return {str(name): int(count) for name, count, _ in rows}, sum(int(row[2]) for row in rows)


def drained(crowd: Crowd, database: str, patience: float) -> bool:
    """True if every finished game is in the database exactly once within some seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        expected = {name: count for name, count in crowd.finished().items() if count}
        found, different = collected(database)
        if found == expected:
            return different == sum(expected.values())
        time.sleep(0.5)
    return False


def collecting(folder: Path, fleet: Provisioned, ca: Path, database: str) -> Collecting:
    """A collector at this broker, which is not started yet."""
    return Collecting(
        *(folder, fleet.broker.port, database),
        broker=fleet.address,
        ca=str(ca),
        username="collector",
        password_file=str(fleet.folder / "users/collector"),
    )


def hears_tables(broker: Mosquitto) -> None:
    """Wait until a collector hears the tables: as its page says, it is started first."""
    until(lambda: "SUBACK to collector" in broker.log.read_text(), "The collector")


def spend(
    folder: Path,
    server: Postgres,
    tables: int,
    seconds: float,
    speed: float,
    of_table: Evening,
    *,
    each: int = A_PROCESS,
    trouble: Trouble | None = None,
    gather: float = GATHER_SECONDS,
    again: float = RETRY_SECONDS,
) -> dict[str, Any]:
    """Play for some seconds, in calm or with a trouble, when bridges, ``each`` to a process, have
    had ``gather`` seconds to connect; what was measured. ``again``: as `Plan.again`. Raises
    AssertionError where a game is lost or doubled."""
    folder.mkdir()
    database = server.new_database()
    shares = shared(tables, each)
    times = {"again": again}
    with ExitStack() as stack:
        listeners = min(LISTENERS, len(shares))
        fleet, ca = stack.enter_context(provisioned(folder, tables, listeners))
        broker = fleet.broker
        collector = collecting(folder, fleet, ca, database)
        stack.callback(collector.close)
        if trouble is None:
            collector.start()
        else:
            collector.start(program=trouble.collector)
            times["settled"] = trouble.settled
        hears_tables(broker)
        pace = Pace(time.time(), time.time() + gather + seconds, speed)
        crowd = Crowd(folder, fleet, ca, shares, pace, of_table, **times)
        stack.callback(crowd.stop)
        for number in range(len(shares)):
            crowd.start(number)
        time.sleep(gather)
        figures: dict[str, Any] = {}
        if trouble is None:
            with measured(crowd, broker, collector) as figures:
                time.sleep(seconds)
        else:
            trouble.happen(House(crowd, broker, collector, server), seconds)
        begun = time.monotonic()
        assert drained(crowd, database, DRAIN_SECONDS), lost(crowd, database)
        games = sum(crowd.finished().values())
        figures |= {"drained_s": round(time.monotonic() - begun, 1), "games": games}
    return {"tables": tables, "speed": speed, "trouble": str(trouble), **figures}


def lost(crowd: Crowd, database: str) -> str:
    """Return the difference between the tables' finished games and the database."""
    found, different = collected(database)
    expected = {name: count for name, count in crowd.finished().items() if count}
    wrong = {
        name: (expected.get(name, 0), found.get(name, 0))
        for name in expected.keys() | found.keys()
        if expected.get(name) != found.get(name)
    }
    return f"finished and collected differ: {wrong}; {different} different games"


def keep_a_week(folder: Path, server: Postgres, tables: int, of_table: Evening) -> dict[str, Any]:
    """Have the broker keep what so many tables tell in a week, over a restart, for a collector that
    is away; what was measured. Raises TimeoutError where not all of it comes."""
    folder.mkdir()
    database = server.new_database()
    pace = Pace(0.0, 0.0, 1.0)
    with ExitStack() as stack:
        fleet, ca = stack.enter_context(provisioned(folder, tables, 0))
        collector = collecting(folder, fleet, ca, database)
        stack.callback(collector.close)
        collector.start()
        hears_tables(fleet.broker)
        collector.kill()
        for name in (f"table-{each}" for each in range(1, tables + 1)):
            table = ScriptedTable(name, of_table, pace, 0.0)
            with fleet.member(name, ca=ca) as member:
                for number in range(1, GAMES_A_WEEK + 1):
                    record = payloads.record(table.game(number), name, "0.8.0")
                    assert member.write(f"pi-table/{name}/record", record) == "Success"
        figures: dict[str, Any] = {"broker_mib": round(memory(fleet.broker.pid), 1)}
        fleet.broker.stop()
        fleet.broker.start()
        collector.start()
        begun = time.monotonic()
        every = tables * GAMES_A_WEEK
        until(lambda: collected(database)[1] == every, "Every game of the week", DRAIN_SECONDS)
        assert {*collected(database)[0].values()} == {GAMES_A_WEEK}
        seconds = round(time.monotonic() - begun, 1)
    return {"tables": tables, "games": every, **figures, "drained_s": seconds}


def main() -> None:
    """Print what a crowd takes: at the pace of a bar, at ten times that, and with troubles."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("tables", type=int)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    parser.add_argument("--alone", action="store_true", help="a process for each bridge")
    parser.add_argument("--week", action="store_true", help="only what waits for a collector")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # no server outlives this program
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    of_table = evening(GAMES)
    each = 1 if given.alone else A_PROCESS
    gather = max(GATHER_SECONDS, START_SECONDS * given.tables / each)
    with TemporaryDirectory() as folder, Postgres() as server:
        if given.week:
            tell(keep_a_week(Path(folder) / "week", server, given.tables, of_table))
            return
        for number, (speed, trouble) in enumerate(PHASES):
            place = Path(folder) / str(number)
            how = {"each": each, "trouble": trouble, "gather": gather}
            tell(spend(place, server, given.tables, given.seconds, speed, of_table, **how))


def tell(figures: dict[str, Any]) -> None:
    print(msgspec.json.encode(figures).decode(), flush=True)


if __name__ == "__main__":
    main()
