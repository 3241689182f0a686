"""Fixtures shared by the tests of the sockets."""

from pathlib import Path

import pytest
from served_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table that is not served yet."""
    return Table(tmp_path)
