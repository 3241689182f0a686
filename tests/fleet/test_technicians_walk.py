"""A technician sets up five tables in two bars, and all that looks after them, from nothing: by the
pages alone, in their order, at one broker. `make walk` prints how many commands that takes."""

import asyncio
import os
import pwd
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from bridged import Bridged, until
from built_packages import Packages, before, built
from collecting import asked
from debian_root import DebianRoot, base
from home import judged, needs_home
from house_table import finished, table_in
from msgspec.structs import replace
from patience import PATIENCE
from postgres import PROGRAMS, Postgres
from small_system import System
from subscribed import INSIDE, UPDATE, SubscribedTable, type_at_table
from typed import TREE, Typed, blocks
from watched_tables import scraping
from watching import Prometheus, node_exporter, prometheus

from pi_table import __version__
from pi_table.common import config
from pi_table.fleet.bridge.topics import Topics
from pi_table.maintenance.first_boot import places

pytestmark = [pytest.mark.fleet, pytest.mark.package, needs_home, pytest.mark.timeout(1800)]

BRIDGE: Final = "pi_table/fleet/bridge/README.md"
PROVISIONING: Final = "pi_table/fleet/provisioning/README.md"
COLLECTOR: Final = "pi_table/fleet/collector/README.md"
MONITORING: Final = "pi_table/fleet/bridge/files/monitoring/README.md"
REPOSITORY: Final = "systemd/package/REPOSITORY.md"
BARS: Final = {"north": ("table-1", "table-2", "table-3", "table-4"), "south": ("table-5",)}
TABLES: Final = tuple(table for tables in BARS.values() for table in tables)
USER: Final = "pi-table-collector"


class Walk(Typed):
    """The technician. Programs of this machine that a page would install are there."""

    def __init__(self, folder: Path, database: Postgres) -> None:
        super().__init__(folder, program=False)
        self.begun = time.monotonic()
        self.environment |= {
            "PATH": f"{PROGRAMS}:{self.environment['PATH']}",
            "PGHOST": str(database.folder),
            "PGUSER": "postgres",
            # What pip and `make deb` have fetched and compiled, they need not make again.
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
        }
        self.run = folder / "runtime"
        self._running = ExitStack()

    def close(self) -> None:
        self._running.close()
        super().close()

    def here(self, text: str) -> str:
        me = pwd.getpwuid(os.geteuid()).pw_name
        return super().here(text).replace(f"-o {USER}", f"-o {me}").replace("/run/", f"{self.run}/")

    def bring_program(self) -> None:
        """To the owner's machine, which is the server as well."""
        release = self.folder / "release"
        release.mkdir()
        build = f"import pathlib, release; release.build_wheel(pathlib.Path({str(release)!r}))"
        command = [sys.executable, "-c", build]
        subprocess.run(command, cwd=TREE / "systemd/package", check=True, capture_output=True)
        self.must_type("-m venv", release, BRIDGE)

    def provision(self) -> None:
        self.must_type("openssl req")
        for bar, tables in BARS.items():
            names = ("window door", " ".join(tables)), ("north", bar)
            self.must_type("--bar north", instead=names)
        self.install()
        assert self.must_type("--probe") == "The broker's access rights are right.\n"

    def collect(self) -> None:
        """Start the collector as its unit does."""
        self.must_type("createdb", page=COLLECTOR)
        _, settings = blocks(COLLECTOR, "collector")
        (self.run / "pi-table-collector").mkdir(parents=True)
        (self.etc / "pi-table/collector.toml").write_text(self.here(settings))
        self.must_type("pi-table-collector.service", page=COLLECTOR)
        unit = self.etc / "systemd/system/pi-table-collector.service"
        (start,) = re.findall("^ExecStart=(.+)$", unit.read_text(), re.MULTILINE)
        process = subprocess.Popen(
            shlex.split(self.here(start)), env=self.environment | {"PGUSER": USER}
        )
        self._running.callback(process.wait, PATIENCE)
        self._running.callback(process.terminate)

    def kept_games(self) -> list[tuple[str, str, int]]:
        """Return the number of games of each bar and table in the database."""
        address = f"postgresql:///games?host={self.environment['PGHOST']}&user={USER}"
        return asked(
            address, "SELECT bar, table_name, count(*) FROM games GROUP BY 1, 2 ORDER BY 2"
        )

    def card(self, table: str) -> Bridged:
        """The bridge of a table whose card has the file that was made for it, and that is watched
        as the page of monitoring says."""
        place = self.folder / table
        place.mkdir()
        system = System(place)
        for file in (self.folder / "fleet/tables" / table).iterdir():
            system.beside(file.name).write_bytes(file.read_bytes())
        done = subprocess.run(
            [self.programs / "pi-table", "settings", "apply", system.file, "--root", system.root],
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        given = config.load(system.root / places.SETTINGS).bridge
        metrics = next(each for each in blocks(MONITORING, "toml") if "metrics" in each)
        (where,) = re.findall('^metrics = "/run/pi-table-bridge/(.+)"$', metrics, re.MULTILINE)
        return Bridged(
            place,
            given.broker,
            table=table,
            prefix=given.prefix,
            home_assistant=given.home_assistant,
            password_file=f"{system.root}{given.password_file}",
            ca=f"{system.root}{given.ca}",
            metrics=str(place / where),
        )

    def says_how_much(self) -> str:
        pages = {page for page, _ in self.typed}
        seconds = time.monotonic() - self.begun
        return f"{len(self.typed)} commands of {len(pages)} pages, {seconds:.0f} s."


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    with Postgres() as database:
        walk = Walk(tmp_path, database)
        try:
            yield walk
        finally:
            walk.close()


def test_five_tables_in_two_bars_are_set_up_by_the_pages_alone(walk: Walk) -> None:
    walk.bring_program()
    walk.provision()
    walk.collect()
    with ExitStack() as stack:
        bridges = [walk.card(table) for table in TABLES]
        ports = [stack.enter_context(node_exporter(bridge.folder)) for bridge in bridges]
        of_collector = stack.enter_context(node_exporter(walk.run / "pi-table-collector"))
        told = scraping(*ports, collector=of_collector)
        kept = walk.folder / "prometheus"
        kept.mkdir()
        check = f"promtool check config {kept}/prometheus.yml"
        (kept / "prometheus.yml").write_text(told)
        assert "`promtool check config /etc/prometheus/prometheus.yml`" in (
            (TREE / MONITORING).read_text("utf-8")
        )
        assert walk.type_text(check, page=MONITORING).returncode == 0
        watching = stack.enter_context(prometheus(kept, told))
        for bridge in bridges:
            stack.callback(bridge.end)
        asyncio.run(an_evening(bridges, walk.kept_games, watching))
        found = found_by_home_assistant(walk)
        assert judged(found) == [[]] * len(TABLES)
    update(walk, built(before(__version__), "amd64"), built(__version__))
    print(f"\n{walk.says_how_much()}")


async def an_evening(
    bridges: list[Bridged], kept_games: Callable[[], object], watching: Prometheus
) -> None:
    """Two games are played at each table, until the database has them and Prometheus knows all."""
    async with AsyncExitStack() as tables:
        for number, bridge in enumerate(bridges):
            table = await tables.enter_async_context(table_in(bridge.folder))
            for game in (1, 2):
                table.finish(replace(finished(game), game=f"{10 * number + game:032x}"))
            bridge.start()
        expected = [(bar, table, 2) for bar, names in BARS.items() for table in names]
        await until(lambda: kept_games() == expected)
        for expression, value in (
            ('count(pi_table_broker_connected{bar="north"} == 1)', 4.0),
            ('count(pi_table_broker_connected{bar="south"} == 1)', 1.0),
            ("sum(pi_table_games_total)", 10.0),
            ("pi_table_collector_database_connected", 1.0),
            ("pi_table_collector_broker_connected", 1.0),
        ):
            await until(partial(is_known, watching, expression, value))


def is_known(watching: Prometheus, expression: str, value: float) -> bool:
    return watching.value(expression) == value


def found_by_home_assistant(walk: Walk) -> list[tuple[str, bytes]]:
    """Return the discovery messages of the tables. A bar's user finds the bar's tables only."""
    topics = {table: Topics("", table, "homeassistant").discovery for table in TABLES}
    for bar, tables in BARS.items():
        user = f"{bar}-home"
        with walk.member(user, walk.password(user)) as home:
            home.subscribe("homeassistant/#")
            for table in tables:
                home.hears_of(topics[table])
            assert {topic for topic, _ in home.heard} == {topics[table] for table in tables}
    with walk.member("home-assistant", walk.password("home-assistant")) as home:
        home.subscribe("homeassistant/#")
        return [(topic, home.hears_of(topic)) for topic in topics.values()]


def update(walk: Walk, older: Packages, newer: Packages) -> None:
    """A maker promotes a version, and a table that is subscribed takes it."""
    with TemporaryDirectory(prefix="maker.", dir="/tmp") as home:
        (Path(home) / "answer").touch()
        answered = f"batch\npinentry-mode loopback\npassphrase-file {home}/answer\n"
        (Path(home) / "gpg.conf").write_text(answered)
        walk.environment["GNUPGHOME"] = home
        try:
            offer(walk, walk.folder / "repository", newer)
        finally:
            subprocess.run(["gpgconf", "--kill", "gpg-agent"], env=walk.environment, check=True)
    with DebianRoot.over(base("bookworm")) as root:
        root.install(*older.files)
        table = SubscribedTable(root)
        table.prepare(walk.folder / "repository")
        first, second = blocks(REPOSITORY)[1:3]
        subscribing = "\n".join(first.splitlines()[:3])
        walk.typed += [(REPOSITORY, line) for line in subscribing.splitlines()]
        (root.folder / "etc/apt/sources.list.d/pi-table.sources").unlink()
        type_at_table(root, subscribing.replace("sudo ", ""))
        assert table.version() == older.version
        now = second.splitlines()[0]
        walk.typed.append((REPOSITORY, now))
        assert now == "sudo pi-table update --now --config /etc/pi-table/table.toml"
        assert f"The table answers, with pi-table {newer.version}." in root.run(*UPDATE)
        assert table.version() == newer.version


def offer(walk: Walk, folder: Path, newer: Packages) -> None:
    """Type a maker's lines: a key, a repository, and a version for every table."""
    lines = blocks(REPOSITORY)[0].splitlines()
    key = walk.type_text(lines[0], TREE, REPOSITORY)
    assert key.returncode == 0, key.stderr
    (fingerprint,) = {*re.findall("[0-9A-F]{40}", key.stdout + key.stderr)}
    instead = (
        ("FINGERPRINT", fingerprint),
        ("/srv/pi-table", str(folder)),
        ("VERSION", newer.version),
        ("https://packages.example.org", f"file:/{INSIDE}"),
    )
    done = walk.type_text("\n".join(lines[1:]), TREE, REPOSITORY, instead)
    assert done.returncode == 0, done.stdout + done.stderr
