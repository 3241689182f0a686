"""Shared setup of all tests: their parallel runs, and the things that no test may depend on."""

import asyncio
import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Generator
from inspect import iscoroutinefunction, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:  # so that mypy, to which they all have one name, checks them in one run
    import tests.attacks.conftest
    import tests.backups.conftest
    import tests.bring_up.conftest
    import tests.engine.conftest
    import tests.first_boot.conftest
    import tests.fleet.conftest
    import tests.hal.conftest
    import tests.ipc.conftest
    import tests.kin.conftest
    import tests.machine.conftest
    import tests.package.conftest
    import tests.pages.conftest
    import tests.simulator.conftest
    import tests.store.conftest
    import tests.wire.conftest  # noqa: F401

TREE: Final = Path(__file__).parents[1]
# Every module of the tests has a name of its own: any folder imports it by that name alone. The
# last three hold programs that are no packages; for mypy, pyproject.toml names them.
sys.path += [str(each) for each in (TREE / "tests").iterdir() if each.is_dir()]
sys.path += [
    str(TREE / "systemd" / each)
    for each in ("package", "image", "image/files/usr/lib/pi-table-image")
]

# Whether a test passes may not depend on how busy the machine is.
for name, examples in (("table", 25), ("torture", 1000)):
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("table")

MEMORY: Final = "/dev/shm"
"""Where Linux keeps files that need no disk."""
ROOM: Final = 256 * 1024 * 1024
"""Bytes that the tests' files take there at the very most."""
WAITING: Final = 2
"""Processes beside those that keep the cores busy, for those wait for the clock now and then. Each
collects all tests again, which takes 5 s of a core."""


def memory_serves() -> bool:
    """True if the tests' files may be in memory: there is room, and programs there may run."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    return shutil.disk_usage(MEMORY).free >= ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC


# What a journal promises is tested by disks that are made up, so that none has to wait for a real
# one: the tests ask for it ten thousand times, and a slow card takes 20 ms each time.
if "TMPDIR" not in os.environ and memory_serves():
    tempfile.tempdir = os.environ["TMPDIR"] = MEMORY

# Programs such as sfdisk and dnsmasq, which Debian keeps from the PATH of all but root.
os.environ["PATH"] += ":/usr/sbin:/sbin"

# A crowd of guests takes two files each, and a user has 1024 unless more are asked for.
_, MOST_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))

# The command line tells everything in English in the tests, whoever runs them; a test of another
# language says so.
os.environ["LANGUAGE"] = "en"

# Who is started in the background ignores SIGINT, and so would the programs that are tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--new-pictures", action="store_true", help="write the pictures of tests/golden anew"
    )
    parser.addoption(
        "--new-touch-cases", action="store_true", help="write what came of tests/touch_cases anew"
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of processes that share the tests with `-n auto`."""
    return len(os.sched_getaffinity(0)) + WAITING


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect all tests without looking for garbage, and then take none of them for garbage ever
    again: each look at so many objects takes a fifth of a second."""
    gc.disable()
    done = yield
    gc.freeze()
    gc.enable()
    return done


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those that keep to the clock begin at once, half of them in each of two processes, while
    the others work. What is asked for by hand may take as long as it takes."""
    paced = [item for item in items if item.get_closest_marker("paced")]
    others = [item for item in items if not item.get_closest_marker("paced")]
    half = len(paced) // 2
    # Each process is given as many as the others, in their order.
    of_the_first = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) - half
    items[:] = [*paced[:half], *others[:of_the_first], *paced[half:], *others[of_the_first:]]
    for item in items:
        if item.get_closest_marker("torture"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    test = pyfuncitem.obj
    if not iscoroutinefunction(test):
        return None
    asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in signature(test).parameters}))
    return True


FAILED: Final = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, Any]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Drop what a failed test left open: it would fail whichever test it is collected in."""
    done = yield
    if FAILED in item.stash:
        for name in ("last_exc", "last_type", "last_value", "last_traceback"):
            if hasattr(sys, name):
                delattr(sys, name)
        with warnings.catch_warnings(action="ignore", category=ResourceWarning):
            gc.collect()
    return done
