"""Tables to bring up: in virtual time, and as a program that serves a port."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.simulator.emulated import Build, EmulatedTable, running

pytest.register_assert_rewrite("plugged_table", "puppet", "said")

from plugged_table import Plugged  # noqa: E402
from puppet import VirtualLine  # noqa: E402


@pytest.fixture(params=["host", "emulated"])
def table(request: pytest.FixtureRequest) -> Iterator[EmulatedTable]:
    """A table that has just been switched on, with a little noise, of either build."""
    with EmulatedTable(cast(Build, request.param)) as table:
        table.tell("noise 0.3")
        yield table


@pytest.fixture
def host_table() -> Iterator[EmulatedTable]:
    """The same; of the quicker build."""
    with EmulatedTable("host") as table:
        table.tell("noise 0.3")
        yield table


@pytest.fixture
def conversation(host_table: EmulatedTable) -> Conversation:
    """A conversation with the quicker table."""
    return Conversation(VirtualLine(host_table), "the port")


@pytest.fixture
def unplugged(tmp_path: Path) -> Plugged:
    """A configuration, and nothing at its port."""
    return Plugged(tmp_path)


@pytest.fixture
def plugged(request: pytest.FixtureRequest, unplugged: Plugged) -> Iterator[Plugged]:
    """A table as a program, which keeps to the clock; of the quicker build if none is asked for."""
    build = cast(Build, getattr(request, "param", "host"))
    with running(build, unplugged.port, unplugged.control):
        yield unplugged
