"""What every test of the machine needs: the image, and the emulated controller."""

from pathlib import Path

import pytest
from machine import IMAGES


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
