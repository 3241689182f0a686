"""The packages of this tree, of the version before, and Debian's roots to install them in."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from built_packages import Packages, before, built
from debian_root import SUITES, DebianRoot, base

from pi_table import __version__

TOGETHER = 12  # tests that one process takes at most, one after another


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests by process, and leave repeated cases to `make torture`.

    One process runs a file's tests for one release of Debian, and prepares one root for them. The
    tests of several files that share the installed packages have one process too. Each `TOGETHER`
    tests have a process of their own. In the newest release, a test with several cases runs only
    the first; `make torture` runs the others. That release has other programs, but their input is
    the same.
    """
    seen: set[str] = set()
    earlier: Counter[str] = Counter()
    for item in items:
        suite = next((each for each in SUITES if f"[{each}" in item.name), "")
        shared = "installed" in getattr(item, "fixturenames", ())
        group = f"{'installed' if shared else item.path.name} {suite}"
        item.add_marker(pytest.mark.xdist_group(f"{group} {earlier[group] // TOGETHER}"))
        earlier[group] += 1
        test = item.nodeid.partition("[")[0]
        if suite == SUITES[-1] and test in seen:
            item.add_marker(pytest.mark.torture)
        seen |= {test} if suite == SUITES[-1] else set()


@pytest.fixture(scope="session")
def packages() -> Packages:
    """Those of `make deb`."""
    return built(__version__)


@pytest.fixture(scope="session")
def older() -> Packages:
    """The same tree, with the number of the version before."""
    return built(before(__version__), "amd64")


@pytest.fixture
def root(request: pytest.FixtureRequest) -> Iterator[DebianRoot]:
    """A fresh Debian; its release is the test's parameter."""
    with DebianRoot.over(base(request.param)) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def with_packages(packages: Packages) -> Iterator[Callable[[str], Path]]:
    """The folder of each release of Debian in which the packages are installed."""
    with ExitStack() as roots:

        @cache
        def of(suite: str) -> Path:
            root = roots.enter_context(DebianRoot.over(base(suite)))
            root.install(*packages.files)
            return root.folder

        yield of


@pytest.fixture
def installed(
    request: pytest.FixtureRequest, with_packages: Callable[[str], Path]
) -> Iterator[DebianRoot]:
    """A Debian in which the packages are installed; its release is the test's parameter."""
    with DebianRoot.over(with_packages(request.param)) as root:
        yield root
