"""What the tests of backups share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "store"))
from powercut import memory_folder


@pytest.fixture
def tmp_memory() -> Iterator[Path]:
    """An empty folder, in memory where the machine has one there."""
    with memory_folder() as folder:
        yield folder
