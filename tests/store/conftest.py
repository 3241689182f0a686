"""Fixtures shared by the tests of the journal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from powercut import memory_folder

from pi_table.table.store.journal import Journal


@pytest.fixture
def tmp_memory() -> Iterator[Path]:
    """An empty folder, in memory where the machine has one there."""
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a journal may be made."""
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """A new journal, open for writing."""
    journal = Journal.open(path)
    yield journal
    journal.close()
