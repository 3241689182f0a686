"""The process of the bridge where there is no broker: it starts, says how it is, and ends."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE

from pi_table.fleet.bridge.records import SentGames

NOBODY = "mqtt://127.0.0.1:1"
"""A port at which nobody listens."""


@contextmanager
def bridge(folder: Path, *options: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """A bridge with these settings and options, which tells a socket in the folder how it is."""
    given = {"table": "near-door", "home_assistant": "", **settings}
    lines = "".join(f'{key} = "{value}"\n' for key, value in given.items())
    file = folder / "table.toml"
    file.write_text(f'[bridge]\n{lines}[paths]\nruntime = "{folder}"\nbridge = "{folder}/bridge"\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "pi_table", "bridge", "--config", str(file), *options],
        stderr=subprocess.PIPE,
        env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "200000"},
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """Yield the socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(PATIENCE)
        yield heard


def test_without_a_broker_it_is_ready_tells_the_watchdog_and_ends_when_told(
    tmp_path: Path, manager: socket.socket
) -> None:
    with bridge(tmp_path, broker=NOBODY) as process:
        assert manager.recv(100) == b"READY=1"
        assert manager.recv(100) == b"WATCHDOG=1"
        assert manager.recv(100) == b"WATCHDOG=1"
        assert process.stderr is not None
        log = ""
        while "Nobody listens" not in log:  # its thread may be late to find that out
            said_now = process.stderr.readline()
            assert said_now, log
            log += said_now
        process.send_signal(signal.SIGTERM)
        while (said := manager.recv(100)) == b"WATCHDOG=1":
            pass
        assert said == b"STOPPING=1"
        log += process.stderr.read()
        assert process.wait(PATIENCE) == 0
        assert log.count("Nobody listens") == 1
        assert "Traceback" not in log


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"broker": ""}, "names no broker"),
        ({"broker": NOBODY, "table": "all"}, "means all tables"),
        ({"broker": NOBODY, "password_file": "/not/there"}, "/not/there"),
        ({"broker": "mqtts://b", "ca": "/not/there"}, "/not/there"),
        ({"broker": "http://b"}, "is not valid"),
    ],
)
def test_settings_that_cannot_be_used_end_it_with_status_2(
    tmp_path: Path, settings: dict[str, str], what: str
) -> None:
    with bridge(tmp_path, **settings) as process:
        _, log = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        (line,) = [each for each in log.splitlines() if each.startswith("pi-table: ")]
        assert what in line


def test_a_damaged_file_of_what_was_told_is_said_in_the_log(
    tmp_path: Path, manager: socket.socket
) -> None:
    (tmp_path / "bridge").mkdir()
    (tmp_path / "bridge/told.json").write_text("{")
    with bridge(tmp_path, broker=NOBODY) as process:
        assert manager.recv(100) == b"READY=1"
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE)
        assert "ERROR The file" in log
        assert "All are sent again" in log


def test_figures_are_written_whole_for_whoever_gathers_them(
    tmp_path: Path, manager: socket.socket
) -> None:
    figures = tmp_path / "pi-table.prom"
    with bridge(tmp_path, broker=NOBODY, metrics=str(figures)) as process:
        assert manager.recv(100) == b"READY=1"
        while not figures.exists():
            assert manager.recv(100) == b"WATCHDOG=1"  # a bound, of ever so many
        assert "near-door" in figures.read_text()
        assert figures.stat().st_mode & 0o777 == 0o644
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_all_games_can_be_asked_for_again_from_the_command_line(tmp_path: Path) -> None:
    with bridge(tmp_path, "--tell-again", broker=NOBODY) as process:
        _, log = process.communicate(timeout=PATIENCE)
    assert (process.returncode, log) == (0, "")
    told = SentGames(tmp_path / "bridge")
    assert told.begin_again()
