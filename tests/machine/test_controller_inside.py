"""The controller on the Pi as a service of the booted machine, through which a game is played.

The program, its unit and its rights are those of the packages and the image. A library stands for
the devices of a Raspberry Pi, which the machine does not have (`firmware/shim`). Fingers go in at
its control socket.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from machine import Machine
from played import NO_CONSOLE, SLOW, PlayedTable
from plugs import new_card

from pi_table.devices.hal.own_controller import MEMORY, PORT, PRIORITY, PROGRAM, SERVICE
from pi_table.simulator.emulated import PRELOAD

pytestmark = pytest.mark.machine

CONTROL: Final = f"{Path(PORT).parent}/control"
CONFIG: Final = "/etc/pi-table/table.toml"
KEPT: Final = "/var/lib/pi-table"
USER, GROUP = "pi-table-controller", "pi-table-devices"
SIMULATED: Final = f"""\
[Service]
WatchdogSec=120
TimeoutStartSec=300
Environment=LD_PRELOAD=/run/{PRELOAD.name} PI_CONTROL={CONTROL} PI_PROGRAM={PROGRAM}
"""
STATUS: Final = "bus: ok; interrupt: ok; lights: ok; settings: ok"
FIFO: Final = 1
MODULE: Final = "/sys/module/i2c_dev"


class WorldInside:
    """The world of a controller that runs in the machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def connect(self) -> None:
        """Connect as soon as the controller is there."""
        self._machine.until(lambda: self._machine.watch(CONTROL))

    def tell(self, line: str) -> str:
        machine, before = self._machine, len(self._machine.heard)
        machine.say(CONTROL, line)

        def answers() -> list[str]:
            return [said for path, said in machine.heard[before:] if path == CONTROL]

        machine.until(answers)
        return answers()[0]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    scratch = tmp_path_factory.mktemp("service")
    files: dict[str, str | bytes] = {
        **SLOW,
        PRELOAD.name: PRELOAD.read_bytes(),
        f"systemd/system/{SERVICE}.service.d/simulated.conf": SIMULATED,
    }
    card = new_card("amd64", scratch)
    with Machine("amd64", card, scratch, files=files, kernel=NO_CONSOLE, screen=False) as machine:
        yield machine


def shown(machine: Machine, *properties: str, unit: str = SERVICE) -> dict[str, str]:
    """Return properties of a unit."""
    said = machine.ran("systemctl", "show", unit, f"--property={','.join(properties)}")
    return dict(line.split("=", 1) for line in said.splitlines())


def failed(machine: Machine) -> str:
    return machine.ran("systemctl", "--failed", "--no-legend", "--plain")


def doctor(machine: Machine, user: str | None = None) -> dict[str, tuple[str, str]]:
    """Return the verdict and the sentence of each of doctor's lines about the service."""
    said = machine.run("pi-table", "doctor", "--config", CONFIG, "--json", user=user).out
    lines = [json.loads(line) for line in said.splitlines()]
    ours = ("service", "bus", "interrupt", "port")
    return {each["what"]: (each["verdict"], each["says"]) for each in lines if each["what"] in ours}


def owner(machine: Machine, path: str) -> str:
    return machine.ran("stat", "-L", "-c", "%U %G %a", path).strip()


def test_a_table_that_does_not_use_it_skips_it(machine: Machine) -> None:
    PlayedTable(machine, WorldInside(machine)).look()
    state = {"ActiveState": "inactive", "Result": "exec-condition"}
    machine.until(lambda: shown(machine, *state) == state)
    log = machine.ran("journalctl", "-b", "-q", "--no-pager", "-o", "cat", "-u", SERVICE)
    assert "Failed" not in log
    assert failed(machine) == ""
    assert machine.run("test", "-e", MODULE).status == 1


def test_a_game_is_played_through_it(machine: Machine) -> None:
    world, chance = WorldInside(machine), random.Random(38)
    table = PlayedTable(machine, world)
    machine.ran("sed", "-i", f's,^# \\(port = "{PORT}"\\),\\1,', CONFIG)
    machine.ran("systemctl", "restart", "pi-table-engine", SERVICE)  # waits for READY
    table.look_again()
    world.connect()
    runs = {"Type": "notify", "ActiveState": "active", "NRestarts": "0", "StatusText": STATUS}
    machine.until(lambda: shown(machine, *runs) == runs)
    of_its_rights(machine)
    assert table.settled_faults() == []
    found = doctor(machine, user="pi-table")
    assert found["service"] == ("ok", f"{SERVICE} runs.")
    assert found["bus"] == ("broken", "There is no /dev/i2c-1, so no touch can be felt.")
    assert found["interrupt"] == ("ok", "GPIO26 can be used.")
    assert found["port"][0] == "ok"

    def guess() -> None:
        """Play until the next guess, which is in the public view when it is stored.

        The guess before may have been the assassin: then there is a new game meanwhile.
        """
        cell = None
        while cell is None:
            before = table.stands.covered
            cell = table.step(chance)
        assert table.stands.covered.keys() == {*before, cell}

    guess()
    machine.ran("systemctl", "kill", "-s", "KILL", SERVICE)
    again = {"ActiveState": "active", "NRestarts": "1", "StatusText": STATUS}
    machine.until(lambda: shown(machine, *again) == again)
    world.connect()
    guess()
    assert table.settled_faults() == []

    machine.ran("systemctl", "stop", SERVICE)
    table.until(lambda: table.faults)
    assert f"service {SERVICE}" in " ".join(table.faults)
    assert machine.run("test", "-e", PORT).status == 1
    found = doctor(machine)
    assert found["service"] == ("broken", f"{SERVICE} does not run.")
    assert found["port"][1].startswith(f"The controller's service {SERVICE} does not run.")
    machine.ran("systemctl", "start", SERVICE)
    world.connect()
    guess()
    assert table.settled_faults() == []
    assert failed(machine) == ""


def of_its_rights(machine: Machine) -> None:
    """The process is its own user's, and comes before the engine. What it makes is its own."""
    process = f"/proc/{shown(machine, 'MainPID')['MainPID']}"
    assert owner(machine, process).split()[:2] == [USER, GROUP]
    status = dict(
        line.split(":", 1) for line in machine.ran("cat", f"{process}/status").splitlines()
    )
    assert {status[each].strip() for each in ("CapPrm", "CapEff", "CapBnd")} == {"0" * 16}
    assert status["NoNewPrivs"].strip() == "1"
    priority, policy = machine.ran("cut", "-d", " ", "-f", "40,41", f"{process}/stat").split()
    assert (int(priority), int(policy)) == (PRIORITY, FIFO)
    assert owner(machine, PORT) == f"{USER} {GROUP} 660"
    assert machine.run("sh", "-c", f"exec 3<>{PORT}", user="nobody").status != 0
    assert owner(machine, f"{KEPT}/controller") == f"{USER} {GROUP} 700"
    assert owner(machine, f"{KEPT}/controller/{Path(MEMORY).name}") == f"{USER} {GROUP} 600"
    assert machine.run("test", "-e", MODULE).status == 0


def test_the_bridge_gets_its_folder_too(machine: Machine) -> None:
    """The image binds a folder for the bridge in the same way."""
    machine.ran("mkdir", "-p", "/etc/pi-table/bridge")
    machine.ran("systemctl", "start", "--no-block", "pi-table-bridge")
    folder = f"{KEPT}/bridge"
    machine.until(lambda: machine.run("test", "-e", folder).status == 0)
    machine.until(lambda: owner(machine, folder) == "pi-table-bridge pi-table-house 700")
