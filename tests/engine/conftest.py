"""Tables in virtual time that are switched off when their test is over."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from virtual_table import VirtualTable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a table keeps its journal."""
    return tmp_path / "state" / "journal.sqlite"


@pytest.fixture
def make_table(path: Path) -> Iterator[Callable[..., VirtualTable]]:
    """Makes tables, at `path` unless told otherwise; they take what `VirtualTable` takes."""
    with ExitStack() as stack:

        def make(at: Path = path, **options: object) -> VirtualTable:
            table = VirtualTable(at, **options)  # type: ignore[arg-type]
            stack.callback(table.switch_off)
            return table

        yield make
