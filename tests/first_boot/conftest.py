"""Fixtures shared by the tests of the settings on the boot partition."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_system import System


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.fixture
def apply(system: System) -> Callable[[str], int]:
    """Starts with these settings on the boot partition."""
    return system.apply
