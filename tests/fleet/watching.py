"""A real Prometheus and real node exporters, on ports of this machine's own loopback."""

import json
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from patience import PATIENCE
from ports import free_port
from waiting import waited_for

TREE: Final = Path(__file__).parents[2]
HOST: Final = "127.0.0.1"
TRIES: Final = 5
"""Ports that are tried: between finding a free one and taking it somebody else may take it."""


class Prometheus:
    """A Prometheus that runs at a port."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}/api/v1"

    def asked(self, expression: str) -> list[dict[str, Any]]:
        """The series that an expression comes to now. Raises AssertionError where it is none."""
        try:
            answer = self._get("query", query=expression)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{expression}: {error.read().decode()}") from None
        series: list[dict[str, Any]] = answer["result"]
        return series

    def value(self, expression: str) -> float | None:
        """The one value that an expression comes to; None where it comes to none."""
        series = self.asked(expression)
        assert len(series) <= 1, series
        return float(series[0]["value"][1]) if series else None

    def rules(self) -> dict[str, str]:
        """Return the health of each alert's rule, by its name: ``ok`` if it could be evaluated."""
        groups = self._get("rules")["groups"]
        return {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}

    def _get(self, what: str, **asked: str) -> Any:
        address = f"{self._address}/{what}?{urllib.parse.urlencode(asked)}"
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return json.load(answer)["data"]


@contextmanager
def node_exporter(folder: Path, host: str = HOST) -> Iterator[int]:
    """A node exporter, with the arguments of its page, which reads the files of a folder and
    answers at that address of this machine; its port."""
    page = (TREE / "pi_table/fleet/bridge/files/monitoring/README.md").read_text("utf-8")
    (arguments,) = re.findall('^ARGS="(.+)"$', page, re.MULTILINE)
    arguments = arguments.replace("/run/pi-table-bridge", str(folder))
    arguments, is_bound = re.subn(r"=[\d.]+:9100(?= |$)", f"={host}:{{port}}", arguments)
    assert is_bound
    program = ["prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile"]
    with _served([*program, *arguments.split()], "/metrics", folder / "log", host) as port:
        yield port


@contextmanager
def prometheus(folder: Path, settings: str) -> Iterator[Prometheus]:
    """A Prometheus with these settings, which keeps what it gathers in a folder."""
    (folder / "prometheus.yml").write_text(settings)
    program = ["prometheus", f"--config.file={folder}/prometheus.yml"]
    program += [f"--storage.tsdb.path={folder}/kept", f"--web.listen-address={HOST}:{{port}}"]
    with _served(program, "/-/ready", folder / "log") as port:
        yield Prometheus(port)


@contextmanager
def _served(program: Sequence[str], ready: str, log: Path, host: str = HOST) -> Iterator[int]:
    """Run a program, in whose arguments ``{port}`` is a free port, while the block lasts."""
    for _ in range(TRIES):
        port = free_port()
        with log.open("ab") as said:
            process = subprocess.Popen(
                [each.replace("{port}", str(port)) for each in program], stdout=said, stderr=said
            )
        try:
            ask = partial(_ready, process, f"http://{host}:{port}{ready}")
            if waited_for(ask) and process.poll() is None:
                yield port
                return
        finally:
            process.terminate()
            process.wait(PATIENCE)
    raise AssertionError(log.read_text())


def _ready(process: subprocess.Popen[bytes], address: str) -> bool:
    """True if the program answers or has ended."""
    if process.poll() is not None:
        return True
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE):
            return True
    except OSError:
        return False
