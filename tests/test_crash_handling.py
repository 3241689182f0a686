"""A crash ends a process at once, and writes nothing of what it had in its memory."""

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE

from pi_table.lab.running_table import RunningTable

CRASHES = (signal.SIGSEGV, signal.SIGABRT)
READY = "print(flush=True); import signal; signal.pause()"


@pytest.fixture(autouse=True)
def dumps_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As large as can be, in a folder of the test's own."""
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, map(os.path.abspath, sys.path))))
    monkeypatch.chdir(tmp_path)
    yield
    resource.setrlimit(resource.RLIMIT_CORE, before)


def is_dumped(process: "subprocess.Popen[bytes]", crash: signal.Signals) -> bool:
    """Crash the process; return True if the kernel says that it dumped it."""
    process.send_signal(crash)
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.wait()
    assert ended is not None
    assert ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
    return ended.si_code == os.CLD_DUMPED


def python(code: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    return process


@pytest.mark.parametrize("crash", CRASHES)
def test_a_process_that_forbids_it_is_not_dumped(tmp_path: Path, crash: signal.Signals) -> None:
    others = is_dumped(python(READY), crash)
    for core in tmp_path.iterdir():
        core.unlink()
    forbid = "from pi_table.common.crash_handling import forbid_core_dumps; forbid_core_dumps();"
    assert not is_dumped(python(forbid + READY), crash)
    assert [*tmp_path.iterdir()] == []
    if not others:
        pytest.skip("This system dumps no process, so that there was nothing to forbid.")


@pytest.mark.parametrize(
    "without",
    [
        "import resource; resource.setrlimit = lambda *given: None",
        "import ctypes; ctypes.CDLL = lambda name: None",
    ],
    ids=["a limit, as where the kernel hands its dumps to a program", "prctl"],
)
def test_each_of_both_ways_forbids_it(tmp_path: Path, without: str) -> None:
    forbid = "from pi_table.common.crash_handling import forbid_core_dumps; forbid_core_dumps()"
    assert not is_dumped(python(f"{without}; {forbid}; {READY}"), signal.SIGSEGV)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("crash", CRASHES)
def test_the_engine_is_not_dumped(tmp_path: Path, crash: signal.Signals) -> None:
    with RunningTable(tmp_path) as table:
        table.wait()
        console = table.console()
        console.do("start", profile="codenames")
        assert not is_dumped(table.process, crash)
        console.close()
    assert [*tmp_path.glob("*core*")] == []


@pytest.mark.parametrize("crash", [*CRASHES, signal.SIGBUS, signal.SIGFPE])
def test_the_console_is_not_dumped_and_says_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: signal.Signals
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    (tmp_path / "table.toml").write_text(f'[paths]\nruntime = "{tmp_path}"\n')
    said = tmp_path / "said"
    with socket.socket(socket.AF_UNIX) as listener, said.open("wb") as errors:
        listener.bind(str(tmp_path / "console.sock"))
        listener.listen()
        listener.settimeout(PATIENCE)
        console = subprocess.Popen(
            [sys.executable, "-m", "pi_table", "console", "--config", "table.toml"],
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        listener.accept()[0].close()
        assert not is_dumped(console, crash)
    assert [*tmp_path.glob("core*")] == []
    assert "most recent call first" in said.read_text(), "the lines of code that it was at"
    assert "parachute" not in said.read_text(), "pygame's own handler may never come to its end"
