"""The power goes in the middle of an update of the card: the old table starts, or the new one."""

import random
from pathlib import Path
from typing import Final

import pytest
from card import Card
from newer import NEWER, WRITABLE, disk, make_packages, unpack
from played import PlayedTable, booted
from plugs import new_card
from test_card_troubles import agents, begin, guess

from pi_table import __version__

CUTS: Final = 10
MAX_UPDATE_SECONDS: Final = 120.0
"""Seconds that the update takes here, about."""
MARK: Final = "/usr/lib/pi-table/update-to-be-finished"
COMPARED: Final = """\
set -e
cd /tmp && rm -rf whole && mkdir whole
version=$(pi-table --version | cut -d' ' -f2)
for each in /tmp/packages/*_"$version"_*.deb; do dpkg-deb -x "$each" whole; done
from=/usr/lib/pi-table
[ -e $from/libs-$version/zz-complete ] && libs=$from || libs=$from/kept
diff -r -x __pycache__ whole$from/code-$version $from/code-$version >&2
diff -r -x __pycache__ whole$from/libs-$version $libs/libs-$version >&2
pi-table clue flight 2 --board FLIGHTS,BANK >/dev/null
echo "$version"
"""
"""Which version starts, if every file of its code and its libraries is as its packages have it."""


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_packages("amd64", tmp_path_factory.mktemp("packages"))


def version(table: PlayedTable) -> str:
    """The version that starts, which must be whole."""
    return table.machine.ran("sh", "-c", COMPARED).strip()


def cut(card: Card, scratch: Path, packages: Path, chance: random.Random) -> tuple[float, str]:
    """Update in mid-game, pull the plug, and look. Answers with the instant, and what started."""
    devices = disk(packages)
    with booted("amd64", card, scratch, cores=1, kernel=WRITABLE, devices=devices) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        before = table.stands.view
        unpack(table)
        install = ("sh", "-c", "rm /tmp/packages/*_$0_*.deb; exec sh /tmp/packages/install.sh")
        update = ("systemd-run", "--quiet", "--unit=update", *install, __version__)
        table.machine.ran(*update)
        instant = chance.uniform(0.0, MAX_UPDATE_SECONDS)
        table.pause(instant)
        table.machine.pull_the_plug()
    card.power_cut(chance)
    with booted("amd64", card, scratch, cores=1, devices=devices) as table:
        table.look()
        assert table.stands.view == before
        assert table.settled_faults() == []
        unpack(table)
        found = version(table)
        assert found in (__version__, NEWER)
        table.machine.switch_off()
    with booted("amd64", card, scratch, cores=1, kernel=WRITABLE, devices=devices) as table:
        machine = table.machine
        machine.here()
        waited = "while systemctl is-active -q multi-user.target; [ $? != 0 ]; do sleep 1; done"
        machine.ran("sh", "-c", waited)
        machine.until(lambda: machine.run("test", "-e", MARK).status == 1, 600)
        table.look()
        assert machine.ran("dpkg", "--audit") == ""
        assert table.stands.view == before
        unpack(table)
        version(table)
        guess(table, agents(table)[0])
        machine.switch_off()
    return instant, found


@pytest.mark.machine
@pytest.mark.torture
@pytest.mark.parametrize("number", range(CUTS))
def test_an_update_that_is_cut(number: int, scratch: Path, packages: Path) -> None:
    seed = random.randrange(1 << 32)
    print(f"cut {number}: seed {seed}")
    chance = random.Random(seed)
    instant, found = cut(new_card("amd64", scratch), scratch, packages, chance)
    print(f"cut after {instant:.1f} s; {found} started")
