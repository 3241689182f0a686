"""The packages of this tree, of the version before, and Debian's roots to install them in."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from built_packages import Packages, before, built
from debian_root import SUITES, DebianRoot, base
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from pi_table import __version__

TOGETHER = 12
"""Maximum number of tests that one process runs in a row."""
SHARE_A_ROOT = ("test_pages_from_a_package.py", "test_playing_from_a_package.py")
"""Files whose tests all use `installed`."""


class OneRootForEach(LoadScopeScheduling):  # type: ignore[misc]
    """One process runs a file's tests for one release of Debian, so it prepares one root for them.

    `SHARE_A_ROOT` counts as one file. Each `TOGETHER` tests have a process of their own.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self._scopes: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def _split_scope(self, nodeid: str) -> str:
        if nodeid not in self._scopes:
            file, _, name = nodeid.rpartition("/")[2].partition("::")
            suite = next((each for each in SUITES if f"[{each}" in name), "")
            scope = f"{'installed' if file in SHARE_A_ROOT else file} {suite}"
            self._scopes[nodeid] = f"{scope} {self._counts[scope] // TOGETHER}"
            self._counts[scope] += 1
        return self._scopes[nodeid]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneRootForEach:
    return OneRootForEach(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave repeated cases to `make torture`.

    In the newest release, a test with several cases runs only the first; `make torture` runs the
    others. That release has other programs, but their input is the same.
    """
    seen: set[str] = set()
    for item in items:
        suite = next((each for each in SUITES if f"[{each}" in item.name), "")
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
