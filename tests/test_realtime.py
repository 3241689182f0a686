"""Realtime priority: every thread of the engine has it, and no program that the engine starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi_table.lab.running_table import RunningTable

FIRST = os.SCHED_RR | os.SCHED_RESET_ON_FORK
HOW = "import os; print(os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)"
WHEN_ASKED = f"import sys; sys.stdin.read(); {HOW}"
"""The same, of a program that whoever started it has seen to by then."""
COME = (
    "from pi_table.common.realtime import follow_main_thread, use_realtime_priority; "
    "use_realtime_priority(); "
)
IN_A_THREAD = "import threading; thread = threading.Thread(target={}); thread.start()"


def python(code: str, **changes: object) -> list[int]:
    """Return the numbers that a program with this code prints."""
    folders = os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": folders},
        **changes,  # type: ignore[call-overload]
    ).stdout
    return [*map(int, told.split())]


def allowed() -> bool:
    return python(COME + HOW) == [FIRST, 1]


def test_what_may_not_come_first_runs_all_the_same() -> None:
    without = "import resource; resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0)); "
    if os.geteuid() == 0:
        without += "os.setgid(65534); os.setuid(65534); "
    code = "import os; import pi_table.common.realtime; " + without + COME + HOW
    assert python(code) == [os.SCHED_OTHER, 0]


def test_its_threads_come_first_and_what_it_starts_does_not() -> None:
    if not allowed():
        pytest.skip("This system lets no program come first.")
    assert python(COME + IN_A_THREAD.format(f"lambda: exec({HOW!r})")) == [os.SCHED_OTHER, 0]
    follows = IN_A_THREAD.format(f"lambda: (follow_main_thread(), exec({HOW!r}))")
    assert python(COME + follows) == [FIRST, 1]
    assert python(COME.replace("use_realtime_priority(); ", "") + follows) == [os.SCHED_OTHER, 0]
    starts = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    code = COME + f"import sys; sys.argv.append({HOW!r}); " + starts
    assert python(code) == [os.SCHED_OTHER, 0]


def test_what_systemd_lets_come_first_starts_ordinary_programs() -> None:
    if not allowed():
        pytest.skip("This system lets no program come first.")
    by_systemd = "import os; os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)); " + COME
    assert python(by_systemd + HOW) == [os.SCHED_RR, 1]
    assert python(by_systemd + IN_A_THREAD.format(f"lambda: exec({HOW!r})")) == [os.SCHED_RR, 1]
    starts = (
        "import sys; from pi_table.common.bounded_process import BoundedProcess; "
        f"started = BoundedProcess((sys.executable, '-c', {WHEN_ASKED!r})); "
        "print(started.answer(b'', 10.0, 100).output.decode())"
    )
    assert python(by_systemd + starts) == [os.SCHED_OTHER, 0]


def test_nothing_within_the_engines_sandbox_comes_first_by_itself() -> None:
    """The filter of `RestrictRealtime` is that of systemd's own library."""
    libraries = [*Path("/usr/lib").glob("*/systemd/libsystemd-shared-*.so")]
    if not (allowed() and libraries):
        pytest.skip("This system lets no program come first, or has no systemd.")
    in_the_sandbox = (
        "import ctypes, os, subprocess; os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)); "
        f"assert ctypes.CDLL({str(libraries[0])!r}).seccomp_restrict_realtime_full(1) == 0; "
    )
    tries = "\ntry: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))\nexcept OSError: "
    assert python(in_the_sandbox + COME + tries + HOW) == [os.SCHED_RR, 1]
    starts = (
        "\nfrom pi_table.common.realtime import use_ordinary_priority"
        "\nwith subprocess.Popen(['sleep', '9']) as started:"
        "\n use_ordinary_priority(started.pid)"
        "\n print(os.sched_getscheduler(started.pid)); started.kill()"
    )
    assert python(in_the_sandbox + COME + starts) == [os.SCHED_OTHER]


def test_every_thread_of_the_engine_comes_first(tmp_path: Path) -> None:
    if not allowed():
        pytest.skip("This system lets no program come first.")
    with RunningTable(tmp_path) as table:
        table.wait()
        console = table.console()
        console.do("start", profile="codenames", cards="dealt")
        console.ask("list-games")
        threads = [int(name) for name in os.listdir(f"/proc/{table.process.pid}/task")]
        assert len(threads) > 2
        assert {os.sched_getscheduler(thread) for thread in threads} == {FIRST}
        console.close()
