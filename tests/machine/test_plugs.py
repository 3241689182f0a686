"""A table continues where it was after its plug is pulled: it loses no answered act."""

import random
from pathlib import Path

import msgspec
import pytest
from played import PlayedTable
from plugs import Pulled, evenings, new_card

pytestmark = pytest.mark.machine


def pulled(arch: str, scratch: Path, seed: int, pulls: int) -> list[Pulled]:
    """So many pulled plugs; each is said as it comes, for whoever waits."""
    found = []
    for each in evenings(
        arch, new_card(arch, scratch), scratch, random.Random(seed), pulls, cores=2
    ):
        print(msgspec.json.encode(each).decode(), flush=True)
        found.append(each)
    return found


def all_is_well(found: list[Pulled]) -> None:
    assert [each.faults for each in found] == [()] * len(found)
    assert sum(each.told for each in found) > 0


@pytest.mark.torture
@pytest.mark.parametrize(("arch", "pulls"), [("amd64", 100), ("arm64", 100)])
def test_two_hundred_pulled_plugs(scratch: Path, arch: str, pulls: int) -> None:
    all_is_well(pulled(arch, scratch, seed=2, pulls=pulls))


@pytest.mark.torture
def test_a_journal_that_does_not_wait_for_the_card_is_caught(scratch: Path) -> None:
    """The harness proves itself: the same evenings, and SQLite syncs nothing."""

    def spoil(table: PlayedTable) -> None:
        found = table.machine.ran("find", "/usr/lib/pi-table", "-path", "*/store/schema.py").split()
        assert found
        table.machine.ran("sed", "-i", 's/"synchronous": 2/"synchronous": 0/', *found)
        table.machine.ran("grep", "-q", '"synchronous": 0', *found)
        table.machine.ran("systemctl", "restart", "pi-table-engine.service")
        table.look_again()

    card = new_card("amd64", scratch)
    found = [*evenings("amd64", card, scratch, random.Random(3), 3, spoil, cores=2)]
    assert any(each.faults for each in found), found
