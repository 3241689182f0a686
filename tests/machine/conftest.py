"""Fixtures of every test of the machine: the image, and the emulated controller."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import IMAGES
from screened import Screened, screened


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever boots is slow: it has its own patience, and ends by itself."""
    for item in items:
        if item.get_closest_marker("machine"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="session", autouse=True)
def _images_are_there(request: pytest.FixtureRequest) -> None:
    """A missing image is red, and says what makes it."""
    if any(item.get_closest_marker("machine") for item in request.session.items):
        assert (IMAGES / "amd64/card.img").exists(), "There is no image: `make image` makes it."


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder for a machine's card and sockets."""
    return tmp_path


@pytest.fixture(scope="session")
def _screened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screened]:
    with screened("amd64", tmp_path_factory.mktemp("screened")) as found:
        found.table.machine.monitor("stop")
        yield found


@pytest.fixture
def booted_table(_screened: Screened) -> Iterator[Screened]:
    """The one machine that tests share which leave it as they found it: with its screen, a keyboard
    and the table at its USB. It stands still between the tests, so that it is in nobody's way."""
    _screened.table.machine.monitor("cont")
    yield _screened
    _screened.table.machine.monitor("stop")
