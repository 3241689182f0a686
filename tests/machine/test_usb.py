"""Devices plugged into the booted machine: strangers do nothing, the controller comes back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hidden_screen import press_until
from machine import Machine
from played import CELLS, CONTROLLER, PlayedTable
from screened import Screened
from usb_devices import DEVICES, TRUST, Appeared, Device, Gadget, wrong

pytestmark = pytest.mark.machine

PROGRAM: Final = "/run/usb_devices.py"
TRUSTED: Final = "/run/udev/rules.d/71-pi-table-trusted.rules"
ALWAYS: Final = ("keyboard", "stick", "rubber ducky", "touch screen that types")
"""These are tried in every run, the others in the long one."""


@pytest.fixture
def table(booted_table: Screened) -> PlayedTable:
    booted_table.table.machine.run("tee", PROGRAM, given=source("usb_devices.py"))
    return booted_table.table


@pytest.fixture
def free_sockets(table: PlayedTable) -> Iterator[Machine]:
    """The machine without its controller."""
    table.unplug()
    until_there(table, False)
    yield table.machine
    plug_in_again(table)


def source(name: str) -> str:
    return Path(__file__).with_name(name).read_text()


def until_there(table: PlayedTable, there: bool) -> None:
    """Wait until the table's own name is there, or gone."""
    test = ("test", "-e", "/dev/pi-table-controller")
    table.machine.until(lambda: (table.machine.run(*test).status == 0) is there)


def plug_in_again(table: PlayedTable) -> None:
    def plugged_in() -> bool:
        try:
            table.machine.plug_in("usb-serial", CONTROLLER, chardev="controller", bus="usb.0")
        except AssertionError as error:
            if "in use" in str(error):  # QEMU has not yet let go of what was unplugged
                return False
            raise
        return True

    table.machine.until(plugged_in)
    until_there(table, True)


def appeared(machine: Machine, *ids: str) -> Appeared:
    return Appeared(**json.loads(machine.ran("python3", PROGRAM, "appeared", *ids)))


def typed(machine: Machine, line: str) -> str:
    """Return the answer of QEMU's own monitor to a line; its complaints are sentences with this
    beginning."""
    said = str(machine.monitor("human-monitor-command", **{"command-line": line}))
    assert not said.startswith("Error"), f"{line}: {said}"
    return said


def taken_away(machine: Machine, line: str) -> None:
    """Have QEMU take away what stood behind a device: it lets go of that some time after the
    device has gone."""

    def is_away() -> bool:
        said = str(machine.monitor("human-monitor-command", **{"command-line": line}))
        assert "busy" in said or not said.startswith("Error"), f"{line}: {said}"
        return "busy" not in said

    machine.until(is_away)


def plugged(machine: Machine, device: Device) -> Appeared:
    """Plug it in, look, and pull it out again."""
    if isinstance(device.made, Gadget):
        try:
            machine.ran("python3", PROGRAM, "plug", device.name)
            return appeared(machine, device.ids)
        finally:
            machine.ran("python3", PROGRAM, "unplug", device.name)
    for line in device.made:
        typed(machine, line)
    found = appeared(machine, device.ids)
    typed(machine, "device_del strange")
    machine.until(lambda: "strange" not in typed(machine, "info usb"))
    for line in device.made:
        kind, _, rest = line.partition(" ")
        name = rest.partition("id=")[2].partition(",")[0]
        if kind == "chardev-add":
            taken_away(machine, "chardev-remove line")
        elif kind == "netdev_add":
            taken_away(machine, f"netdev_del {name}")
    return found


@pytest.mark.parametrize(
    "device",
    [
        pytest.param(each, id=each.name, marks=[] if each.name in ALWAYS else pytest.mark.torture)
        for each in DEVICES
    ],
)
def test_a_device_does_what_it_may(free_sockets: Machine, device: Device) -> None:
    machine = free_sockets
    before = appeared(machine)
    if device.trusted:
        machine.run("tee", TRUSTED, given=TRUST)
        machine.ran("udevadm", "control", "--reload")
    try:
        assert [*wrong(device, before, plugged(machine, device))] == []
    finally:
        machine.ran("rm", "-f", TRUSTED)
        machine.ran("udevadm", "control", "--reload")


def in_mid_game(table: PlayedTable) -> PlayedTable:
    """Somebody is to guess."""
    if table.stands.phase in (None, "over"):
        press_until(table, "clue")
    if table.stands.phase == "clue":
        press_until(table, "guess")
    return table


def goes_on(table: PlayedTable, covered: dict[str, str]) -> None:
    """The table gets in order, stands where it stood, and the next guess is answered."""
    table.until(lambda: table.public and not table.public["out_of_order"])
    assert table.stands.covered == covered
    in_mid_game(table).guess(next(cell for cell in CELLS if cell not in covered))


def gets_out_of_order(table: PlayedTable) -> None:
    table.until(lambda: table.public and table.public["out_of_order"])
    until_there(table, False)


def test_a_game_goes_on_when_the_controller_comes_back(table: PlayedTable) -> None:
    """In the middle of a game its cable is pulled, and plugged in again."""
    before = in_mid_game(table).stands.covered
    table.unplug()
    gets_out_of_order(table)
    plug_in_again(table)
    goes_on(table, before)


@pytest.mark.torture
def test_a_game_goes_on_with_the_port_of_an_uno(table: PlayedTable) -> None:
    """A serial port of the other kind (ttyACM) comes, goes and comes again: g_serial's at
    dummy_hcd, joined to the same controller inside."""
    machine = table.machine
    before = in_mid_game(table).stands.covered
    table.unplug()
    gets_out_of_order(table)
    machine.plug_in("virtserialport", "joint", chardev="controller", name="pi-table.joint")
    machine.run("tee", "/run/joint.py", given=source("joint.py"))
    try:
        for _ in range(2):
            machine.ran("modprobe", "-a", "dummy_hcd", "libcomposite")
            machine.ran("modprobe", "g_serial", "idVendor=0x2341", "idProduct=0x0043")
            machine.ran("systemd-run", "--unit=joint", "/usr/bin/python3", "/run/joint.py")
            until_there(table, True)
            goes_on(table, before)
            before = table.stands.covered
            machine.ran("systemctl", "stop", "joint")
            machine.ran("rmmod", "g_serial")
            gets_out_of_order(table)
    finally:
        machine.unplug("joint")
        plug_in_again(table)
    goes_on(table, before)
