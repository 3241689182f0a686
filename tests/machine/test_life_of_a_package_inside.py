"""A package's life under a running systemd, upon aarch64: played, upgraded in mid-game, removed,
installed again, purged."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from machine import TREE, Machine
from newer import ABOARD, NEWER, WRITABLE, disk, make_packages, unpack
from played import PUBLIC, PlayedTable, booted
from plugs import new_card
from test_card_troubles import agents, begin, guess

from pi_table import __version__

pytestmark = [pytest.mark.machine, pytest.mark.torture]

CONFIG: Final = "/etc/pi-table/table.toml"
STATE: Final = "/var/lib/pi-table"
MADE_FOR_IT: Final = "made-for-the-games"
"""By this the image knows its partition, whose package may be installed again."""
DEMONSTRATION: Final = "pi_table/simulator/demonstration.jsonl"
PLAYED: Final = ("public.jsonl", "lights.jsonl")
INSTALL_SECONDS: Final = 900.0
"""Seconds that apt may take in an emulated machine."""


def install(table: PlayedTable) -> None:
    """As somebody would who has the files of the newer version."""
    table.machine.ran("sh", f"{ABOARD}/install.sh", seconds=INSTALL_SECONDS)
    table.look_again()


def run_of_the_engine(machine: Machine) -> str:
    return machine.ran("systemctl", "show", "--property=InvocationID", "pi-table-engine")


def every_file_is_roots(machine: Machine) -> None:
    listed = "dpkg -L pi-table pi-table-libs | grep . | xargs -d '\\n' stat -c '%u %g %a %F %n'"
    for line in machine.ran("sh", "-c", listed).splitlines():
        user, group, mode, *what = line.split(" ")
        assert (user, group) == ("0", "0"), line
        assert what[0] == "symbolic" or not int(mode, 8) & 0o022, line
    changed = machine.ran("dpkg", "--verify", "pi-table", "pi-table-libs").splitlines()
    assert [line.rpartition(" ")[2] for line in changed] == [CONFIG]  # by the house, in the test
    stats = {
        "/run/pi-table/console.sock": "pi-table 660",
        "/run/pi-table/public.sock": "pi-table 666",
        f"{STATE}/journal.sqlite": "pi-table 600",
        STATE: "pi-table 700",
    }
    for path, expected in stats.items():
        assert machine.ran("stat", "-c", "%U %a", path).strip() == expected, path
    group = machine.ran("stat", "-c", "%G", "/run/pi-table/console.sock")
    assert group.strip() == "pi-table-hidden"


def doctor_tells_the_truth(machine: Machine) -> None:
    words = ("pi-table", "doctor", "--json", "--config", CONFIG)
    said = machine.run(*words, user="pi-table").out
    found = {each["what"]: each for each in map(json.loads, said.splitlines())}
    print({what: each["verdict"] for what, each in found.items()})
    assert found["python"]["figures"]["versions"]["pi-table"] == NEWER
    assert found["journal"]["figures"]["games"] == 1
    assert "in use by pi-table itself" in found["port"]["says"]
    for what in ("config", "drivers", "python", "journal", "restored"):
        assert found[what]["verdict"] == "ok", found[what]


def the_demonstration_is_the_trees(machine: Machine, scratch: Path) -> None:
    """Check that the package plays the same demonstration as the tree, byte for byte."""
    words = ("simulate", "--headless", "--scenario")
    ours = (sys.executable, "-m", "pi_table", *words, DEMONSTRATION, "--out", scratch / "ours")
    subprocess.run(ours, cwd=TREE, check=True, capture_output=True)
    there = f"/usr/lib/pi-table/code-{NEWER}/{DEMONSTRATION}"
    machine.ran("pi-table", *words, there, "--out", "/tmp/played", seconds=INSTALL_SECONDS)
    for name in PLAYED:
        expected = sha256((scratch / "ours" / name).read_bytes()).hexdigest()
        assert machine.ran("sha256sum", f"/tmp/played/{name}").startswith(expected), name


def test_from_an_upgrade_in_mid_game_to_the_last_trace(
    scratch: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    packages = make_packages("arm64", tmp_path_factory.mktemp("packages"))
    card = new_card("arm64", scratch)
    with booted("arm64", card, scratch, kernel=WRITABLE, devices=disk(packages)) as table:
        machine = table.machine
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        stood, run = table.stands.view, run_of_the_engine(machine)
        unpack(table)
        machine.ran("sh", "-c", f"rm {ABOARD}/*_{__version__}_*.deb; echo '# ours' >>{CONFIG}")

        install(table)
        assert machine.ran("pi-table", "--version").strip() == f"pi-table {NEWER}"
        assert run_of_the_engine(machine) != run
        assert table.stands.view == stood
        guess(table, agents(table)[0])
        stood = table.stands.view
        every_file_is_roots(machine)
        doctor_tells_the_truth(machine)
        the_demonstration_is_the_trees(machine, scratch)

        remove = ("apt-get", "remove", "--yes", "pi-table", "pi-table-libs")
        machine.ran(*remove, seconds=INSTALL_SECONDS)
        assert machine.run("test", "-e", "/usr/lib/pi-table").status == 1
        assert machine.run("systemctl", "is-active", "--quiet", "pi-table-engine").status != 0
        assert not machine.watch(PUBLIC)
        assert machine.ran("tail", "-n1", CONFIG) == "# ours\n"

        install(table)
        assert table.stands.view == stood
        guess(table, agents(table)[0])
        assert machine.ran("tail", "-n1", CONFIG) == "# ours\n"

        purge = ("apt-get", "purge", "--yes", "pi-table", "pi-table-libs")
        machine.ran(*purge, seconds=INSTALL_SECONDS)
        assert machine.run("test", "-e", "/etc/pi-table").status == 1
        assert machine.ran("find", STATE, "-mindepth", "1").split() == [f"{STATE}/{MADE_FOR_IT}"]
        assert "pi-table" not in machine.ran("dpkg-query", "-W", "-f", "${Package}\n")
        assert machine.ran("systemctl", "--failed", "--no-legend", "--plain") == ""

        install(table)  # upon the image's partition, which is no damaged one
        assert table.stands.view is None
        assert machine.run("test", "-e", CONFIG).status == 0
