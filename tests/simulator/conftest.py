"""What the tests of real windows share: a screen that nobody sees, and a table in virtual time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from xvfb import Screen, screen

from pi_table.simulator.layout import HEIGHT
from pi_table.simulator.whole import WIDTH


@pytest.fixture
def xvfb(tmp_path: Path) -> Iterator[Screen]:
    folder = tmp_path / "screen"
    folder.mkdir()
    with screen(folder, WIDTH, HEIGHT) as running:
        yield running
