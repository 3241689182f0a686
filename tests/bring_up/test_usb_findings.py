"""The doctor's findings about USB devices that the rules refuse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says
from usb_tree import UsbTree

from pi_table.common.config import load
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.usb_findings import usb

PROGRAM = Path(__file__).parents[2] / "systemd/usb-in-use"
STICK, PORT = "08/06/50", "ff/01/02"


@pytest.fixture
def tree(tmp_path: Path) -> UsbTree:
    return UsbTree(tmp_path)


def found(tree: UsbTree) -> Finding:
    return usb(load(), tree.root, PROGRAM)


def will_be_refused(tree: UsbTree, interface: str) -> None:
    """udev has judged it, as the installation asks for, and it still has its driver."""
    tree.write(f"run/udev/data/+usb:{interface}", "I:1\nE:PI_TABLE_USB_VERDICT=refused\nV:1\n")


def is_refused(tree: UsbTree, interface: str) -> None:
    tree.write(f"sys{tree.devpath(interface)}/authorized", "0\n")


def test_a_machine_without_usb(tmp_path: Path) -> None:
    assert usb(load(), tmp_path, PROGRAM).verdict is NOT_HERE


def test_nothing_is_refused(tree: UsbTree) -> None:
    tree.plug("1-1", "1a86:7523", PORT)
    tree.write("run/udev/data/+usb:1-1:1.0", "E:PI_TABLE_USB_VERDICT=allowed\n")
    assert found(tree).verdict is OK


@pytest.mark.parametrize("refuse", [will_be_refused, is_refused])
def test_what_is_refused_is_named_before_and_after_the_restart(
    tree: UsbTree, refuse: Callable[[UsbTree, str], None]
) -> None:
    tree.plug("1-1", "1a86:7599", PORT, product="USB\x1b[31m Serial")
    refuse(tree, "1-1:1.0")
    said = found(tree)
    assert said.verdict is LOOK
    assert said.says == "Refused, now or after a restart: 1a86:7599 USB[31m Serial."
    assert "under controller if it is the table's controller" in said.do
    assert said.figures == {"refused": ["1a86:7599 USB[31m Serial"]}


def test_a_network_in_use_that_will_be_refused_is_broken(tree: UsbTree) -> None:
    tree.plug("1-1", "0bda:8153", "02/06/00", product="LAN")
    tree.network("1-1:1.0", "eth1")
    will_be_refused(tree, "1-1:1.0")
    said = found(tree)
    assert_says(said, BROKEN, "0bda:8153 LAN (network eth1)")
    assert said.do.startswith("Before you restart")


@pytest.mark.parametrize(
    ("place", "verdict"),
    [
        ("/", BROKEN),
        ("/boot/firmware", BROKEN),
        ("/var/lib/pi-table", BROKEN),
        ("/var", BROKEN),
        ("/mnt/backup", LOOK),
    ],
)
def test_a_disk_that_will_be_refused_is_broken_if_the_table_needs_it(
    tree: UsbTree, place: str, verdict: Verdict
) -> None:
    tree.plug("1-1", "152d:0578", STICK)
    tree.disk("1-1:1.0", "sda", sda1="8:1")
    tree.mount("8:1", place)
    will_be_refused(tree, "1-1:1.0")
    assert found(tree).verdict is verdict


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("PARTUUID=47-01 /var/lib/pi-table ext4 defaults,nofail 0 2", BROKEN),
        ("PARTUUID=47-01 /mnt/backup ext4 noauto 0 2", LOOK),
        ("# PARTUUID=47-01 /srv ext4 defaults 0 2", LOOK),
        ("PARTUUID=47-01 / ext4 defaults 0 1", LOOK),
    ],
)
def test_a_refused_disk_is_broken_if_fstab_misses_one(
    tree: UsbTree, line: str, verdict: Verdict
) -> None:
    tree.plug("1-1", "152d:0578", STICK)
    is_refused(tree, "1-1:1.0")
    tree.mount("179:2", "/")
    tree.write("etc/fstab", f"{line}\n")
    assert found(tree).verdict is verdict
