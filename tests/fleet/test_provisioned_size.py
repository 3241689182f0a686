"""Number of tables that a broker accepts with the files of `pi-table provision` and its unit's
limit of open files."""

import re
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE
from provisioned import Provisioned

from pi_table.fleet.provisioning.broker_files import UNIT

pytestmark = pytest.mark.fleet

CONNECTIONS = 1100
"""More than the 1,024 open files that systemd gives a unit that asks for none."""
STRANGER = b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x3c\x00\x02ab"
"""CONNECT of MQTT 3.1.1, without a user. Clients that wait with select() have no room for so many
connections."""
REFUSED = b"\x20\x02\x00\x05"
"""CONNACK: not authorized, as every broker answers a stranger that it has taken in."""


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * CONNECTIONS), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_unit_lets_the_broker_take_in_more_than_a_thousand(
    tmp_path: Path, many_files: None
) -> None:
    fleet = Provisioned(tmp_path, instead={"max_connections ": "max_connections 2100"})
    lines: list[socket.socket] = []
    try:
        text = (fleet.folder / "broker" / UNIT).read_text()
        (given,) = re.findall(r"^LimitNOFILE=(\d+)$", text, re.MULTILINE)
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limits = (min(int(given), hard), hard)
        resource.prlimit(fleet.broker.pid, resource.RLIMIT_NOFILE, limits)
        while len(lines) < CONNECTIONS:
            lines.append(socket.create_connection(("127.0.0.1", fleet.broker.port)))
        lines[-1].settimeout(PATIENCE)
        lines[-1].sendall(STRANGER)
        assert lines[-1].recv(4) == REFUSED
    finally:
        for line in lines:
            line.close()
        fleet.close()
