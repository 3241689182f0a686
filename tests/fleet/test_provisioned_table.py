"""From the file on a card to the broker: what `pi-table provision` writes is taken over by the
table, and its bridge comes in with it, sealed, at a broker with the configuration that was written
beside it."""

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bridged import Bridged
from certificates import Authority
from house_table import table_in
from member import Refused
from provisioned import Provisioned
from small_system import System

from pi_table import cli
from pi_table.maintenance.first_boot import places

pytestmark = pytest.mark.fleet

TABLE = "window"


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Provisioned]:
    """A broker with a certificate, and the tables' files, which say who has signed it."""
    authority = Authority(tmp_path / "authority")
    fleet = Provisioned(tmp_path, server=authority.sign("localhost"), ca=authority.certificate)
    yield fleet
    fleet.close()


@pytest.fixture
def ca(fleet: Provisioned) -> Path:
    return fleet.folder / "tables" / TABLE / places.CA


def taken_over(fleet: Provisioned, system: System) -> dict[str, Any]:
    """Return a table's bridge settings after its card has received the table's file. Paths lead
    below the table's root."""
    for file in (fleet.folder / "tables" / TABLE).iterdir():
        system.beside(file.name).write_bytes(file.read_bytes())
    command = ["settings", "apply", str(system.file), "--root", str(system.root)]
    assert cli.main(command) == 0
    told: dict[str, str] = tomllib.loads(system.text(places.SETTINGS))["bridge"]
    return {
        key: f"{system.root}{value}" if value.startswith("/") else value
        for key, value in told.items()
    }


async def test_a_table_comes_in_with_what_was_put_on_its_card(
    fleet: Provisioned, ca: Path, tmp_path: Path
) -> None:
    system = System(tmp_path)
    secret = fleet.password(TABLE)
    bridge = Bridged(tmp_path, **taken_over(fleet, system))
    assert secret not in system.file.read_text()
    async with table_in(tmp_path):
        with fleet.member("home-assistant", ca=ca) as house:
            house.subscribe("pi-table/window/#")
            with bridge.running():
                assert await asyncio.to_thread(house.hears, b"online")
                with fleet.member("operator", ca=ca) as staff:
                    asked = "pi-table/window/do/locate"
                    assert staff.write(asked, b'{"seconds": 1}') == "Success"
                await asyncio.to_thread(house.hears_of, "pi-table/window/done")
    assert "not sealed" not in bridge.said()


def test_a_broker_as_it_is_provisioned_takes_nobody_who_does_not_seal(fleet: Provisioned) -> None:
    with pytest.raises(Refused, match="hangs up"):
        fleet.member(TABLE)
