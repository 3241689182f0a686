"""Fixtures shared by the tests of backups."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from powercut import memory_folder


@pytest.fixture
def tmp_memory() -> Iterator[Path]:
    """An empty folder, in memory where the machine has one there."""
    with memory_folder() as folder:
        yield folder
