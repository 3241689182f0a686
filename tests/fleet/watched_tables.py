"""Two tables that a real Prometheus watches, one of which is ill."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest
from house_table import HOUSE
from msgspec.structs import replace
from ports import free_port
from table_facts import WHOLE
from waiting import waited_for
from watching import Prometheus, node_exporter, prometheus

from pi_table.common.files import write_whole
from pi_table.fleet.bridge.facts import Facts
from pi_table.fleet.bridge.figures import text
from pi_table.fleet.collector.health import Health
from pi_table.fleet.collector.health import text as health_text
from pi_table.fleet.prometheus_text import FILE_MODE

FILES: Final = Path("pi_table/fleet/bridge/files/monitoring").absolute()
ALERTS: Final = FILES / "alerts.yml"
EXAMPLE: Final = (FILES / "prometheus.yml").read_text()

AWAY = replace(WHOLE, public=None, house=None)
ILL = replace(
    WHOLE,
    house=replace(HOUSE, version="0.6.9", faults=("The disk is full.",), out_of_order=True),
    machine=replace(WHOLE.machine, temperature=84.0),
)


COLLECTING: Final = Health(
    at=1.7e9,
    broker=True,
    database=False,
    waiting=12,
    committed=40,
    rejected=2,
    last_commit=1.7e9,
    broker_certificate_ends=4e9,
    own_certificate_ends=5e9,
    at_broker=70,
    dropped=0,
)
"""A collector whose database is away."""
TABLES: Final = {"table-1": WHOLE, "table-2": ILL, "table-3": AWAY}


@contextmanager
def watched_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """A Prometheus by the example that watches `TABLES`, of which table-2 has just given up
    messages, and a machine that does not answer."""
    folders = {name: tmp_path_factory.mktemp(name) for name in TABLES}
    with ExitStack() as running:
        for name, facts in TABLES.items():
            _write(folders[name], name, facts)
        ports = [running.enter_context(node_exporter(folder)) for folder in folders.values()]
        of_collector = tmp_path_factory.mktemp("collector")
        written = health_text(COLLECTING).encode()
        write_whole(of_collector / "collector.prom", [written], FILE_MODE)
        collector = running.enter_context(node_exporter(of_collector))
        settings = scraping(*ports, free_port(), collector=collector)
        found = running.enter_context(prometheus(tmp_path_factory.mktemp("prometheus"), settings))
        assert waited_for(lambda: found.value("count(pi_table_up)") == len(TABLES))
        assert waited_for(lambda: found.value('max(pi_table_dropped_total{table="table-2"})') == 1)
        _write(folders["table-2"], "table-2", replace(ILL, dropped=5))
        yield found


def _write(folder: Path, table: str, facts: Facts) -> None:
    write_whole(folder / "pi-table.prom", [text(table, facts).encode()], FILE_MODE)


def scraping(*ports: int, collector: int = 0) -> str:
    """The example, with other places of node exporters than those that stand there, at ports of
    this machine, and everything each three seconds, the time that a busy machine may take to
    answer; ``collector`` is the port of the collector's."""
    settings = EXAMPLE.replace("- alerts.yml", f"- {ALERTS}").replace("30s", "3s")
    for number, port in enumerate(ports, 1):
        settings = settings.replace(f"table-{number}.lan:9100", f"127.0.0.1:{port}")
    settings = settings.replace("collector.lan:9100", f"127.0.0.1:{collector}")
    settings = re.sub(r"\n *- table-[0-9].lan:9100", "", settings)
    settings = re.sub(r"\n *- labels: .*\n *targets:(?!\n *- )", "", settings)
    settings = settings.partition("\nalerting:")[0]
    if not collector:
        settings = settings.partition("  - job_name: pi-table-collector")[0]
    assert settings.count("127.0.0.1:") == len(ports) + bool(collector)
    return settings
