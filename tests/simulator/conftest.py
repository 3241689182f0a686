"""Fixtures of the tests of real windows: a virtual screen, and a table in virtual time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from xvfb import Screen, screen

from pi_table.simulator.layout import HEIGHT
from pi_table.simulator.whole import WIDTH
from pi_table.simulator.window import ABOVE, BESIDE


@pytest.fixture
def xvfb(tmp_path: Path) -> Iterator[Screen]:
    """A screen on which the simulator's window has the size of its picture."""
    folder = tmp_path / "screen"
    folder.mkdir()
    with screen(folder, WIDTH + BESIDE, HEIGHT + ABOVE) as running:
        yield running
