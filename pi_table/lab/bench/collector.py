"""Measures how the collector grows: it stores many games, and reports on them.

The figures are processor time, which a busy machine changes little, and the peak memory of a
process of its own. PostgreSQL sorts and counts in its server, whose processor time is not part of
the figures; the time of the wall clock is.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.fleet.collector.database import Database, DatabaseAwayError
from pi_table.fleet.collector.ingest import Delivery, keep
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.record import Record
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.bench.peak import measure_command
from pi_table.lab.bench.table import DISK
from pi_table.protocols.ipc.house import FinishedClue, FinishedGuess

GAMES: Final = 1_000_000
KEPT: Final = 1_000
BRIEF: Final = {"games": 300, "kept": 10}
BATCH: Final = 100
"""Number of games that are stored together."""
TABLES: Final = 250
TABLES_PER_BAR: Final = 10
GAMES_PER_EVENING: Final = 10
"""Number of games of each table on each evening."""
FIRST_EVENING: Final = datetime(2026, 1, 1, 18, tzinfo=UTC)
KINDS: Final = (("codenames", "en"), ("codenames", "it"), ("nome-in-codice", "it"))
WORDS: Final = tuple(f"WORD {number}" for number in range(400))
FATES: Final = ("right", "right", "right", "nobody", "other")
PREFIX: Final = "pi-table"
USER: Final = "postgres"
"""User of the PostgreSQL server, which does not run as root."""
TRIES: Final = 300
"""Maximum number of attempts to reach a server that starts."""
TRY_SECONDS: Final = 0.1


def measure(games: int = GAMES, kept: int = KEPT) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench collector`, with this number of stored games. The
    last ``kept`` of them are stored one by one, and as many before them in batches."""
    with TemporaryDirectory(prefix="pi-table-", dir=DISK) as folder:
        yield from _measure("sqlite", f"sqlite://{folder}/games.sqlite", games, kept)
    with ExitStack() as stack:
        try:
            address = stack.enter_context(postgres())
        except (InputError, LookupError, OSError, subprocess.CalledProcessError) as error:
            why = f"No PostgreSQL server can be used here: {error}"
            name = "collector/postgresql/report"
            yield {"name": name, "value": None, "unit": "s", "why": why}
        else:
            yield from _measure("postgresql", address, games, kept)


def _measure(name: str, address: str, games: int, kept: int) -> Iterator[Measurement]:
    told = deliveries(games)
    with closing(open_database(address)) as database:
        _keep(database, islice(told, games - 2 * kept), BATCH)
        for of, size in (("batch", BATCH), ("one", 1)):
            processor, wall = _keep(database, islice(told, kept), size)
            yield {
                "name": f"collector/{name}/keep_{of}",
                "value": round(1e6 * processor / kept),
                "unit": "µs",
                "wall": round(1e6 * wall / kept),
                "games": games,
            }
    month = ("--since", "2026-02-01", "--until", "2026-02-28")
    for of, options in (("month", month), ("report", ())):
        begun = perf_counter()
        cost = measure_command("collect", "report", "--database", address, *options)
        yield {
            "name": f"collector/{name}/{of}",
            "value": cost.seconds,
            "unit": "s",
            "wall": round(perf_counter() - begun, 2),
            "peak_mib": cost.mib,
            "games": games,
        }


def _keep(database: Database, told: Iterator[Delivery], size: int) -> tuple[float, float]:
    """Store messages in batches of this size. Return the seconds that this took, by the processor
    and by the wall clock."""
    processor = wall = 0.0
    while batch := [*islice(told, size)]:
        started, begun = process_time(), perf_counter()
        rejected = keep(database, (PREFIX,), batch)
        processor += process_time() - started
        wall += perf_counter() - begun
        assert not rejected, rejected
    return processor, wall


def deliveries(games: int, seed: int = 1) -> Iterator[Delivery]:
    """Yield messages about this number of random games. The earliest game comes first."""
    random = Random(seed)
    for at in range(games):
        evening, of = divmod(at, TABLES * GAMES_PER_EVENING)
        number, table = divmod(of, TABLES)
        begun = FIRST_EVENING + timedelta(days=evening, minutes=30 * number + table % 30)
        seconds = round(random.lognormvariate(7.0, 0.4), 3)
        record = _record(random, f"table-{table}", begun, seconds, number)
        topic = f"{PREFIX}/bar-{table // TABLES_PER_BAR}/table-{table}/record"
        arrival = begun + timedelta(seconds=seconds)
        yield Delivery(topic, msgspec.json.encode(record), arrival)


def _record(random: Random, table: str, begun: datetime, seconds: float, number: int) -> Record:
    profile, lang = random.choice(KINDS)
    words = random.sample(WORDS, 25)
    clues, guesses = random.randrange(4, 10), random.randrange(8, 17)
    stopped = random.random() < 0.05
    winner = random.choice((*Team, None))
    return Record(
        game=f"{random.getrandbits(128):032x}",
        table=table,
        version="0.7.0",
        number=number,
        revision=1,
        begun=begun.isoformat(),
        profile=profile,
        lang=lang,
        seconds=seconds,
        outcome=Outcome(None, (), Why.STOPPED) if stopped else Outcome(winner, (), Why.AGENTS),
        turns=clues,
        clues=tuple(
            FinishedClue(Team.RED, "SEA", 2, round(random.lognormvariate(4.0, 0.7), 3))
            for _ in range(clues)
        ),
        guesses=tuple(
            FinishedGuess(Team.RED, word, random.choice(FATES)) for word in words[:guesses]
        ),
        dealt=tuple(words),
    )


@contextmanager
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server with a database without games, and yield the database's address.
    Raises InputError, LookupError, OSError or CalledProcessError if this is impossible here."""
    with TemporaryDirectory(prefix="pi-table-", dir=DISK, ignore_cleanup_errors=True) as folder:
        as_user: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
            as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/bin"))
        data, log = f"{folder}/data", f"{folder}/log"
        make = [f"{programs}/initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8"]
        subprocess.run([*as_user, *make], check=True, capture_output=True)
        settings = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}")
        with open(log, "wb") as file:
            server = subprocess.Popen(
                [*as_user, f"{programs}/postgres", "-D", data, *settings], stdout=file, stderr=file
            )
        address = f"postgresql:///{USER}?host={folder}&user={USER}"
        try:
            for _ in range(TRIES):
                with suppress(DatabaseAwayError):
                    open_database(address).close()
                    break
                sleep(TRY_SECONDS)
            else:
                raise TimeoutError(Path(log).read_text())
            yield address
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
