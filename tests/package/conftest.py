"""The packages of this tree, of the version before, and Debian's roots to install them in."""

from collections.abc import Iterator

import pytest
from built_packages import Packages, before, build
from debian_root import DebianRoot, base

from pi_table import __version__


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return build(tmp_path_factory.mktemp("packages"), __version__)


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """The same tree, with the number of the version before."""
    return build(tmp_path_factory.mktemp("older"), before(__version__))


@pytest.fixture
def root(request: pytest.FixtureRequest) -> Iterator[DebianRoot]:
    """A fresh Debian; its release is the test's parameter."""
    with DebianRoot.over(base(request.param)) as fresh:
        yield fresh


@pytest.fixture(scope="module")
def installed(request: pytest.FixtureRequest, packages: Packages) -> Iterator[DebianRoot]:
    """A Debian in which the packages are installed, for tests that change nothing of it."""
    with DebianRoot.over(base(request.param)) as fresh:
        fresh.install(*packages.files)
        yield fresh
