"""A machine keeps the USB devices that it stands on, and strangers' are refused."""

import re
import subprocess
from pathlib import Path

import pytest
from udev_rules import Device, Rule, apply, rules
from unit_files import FOLDER, text
from usb_tree import UsbTree

FIRST, LAST = (rules(text(name)) for name in ("70-pi-table.rules", "72-pi-table-usb.rules"))
STICK = "08/06/50"
NETWORK = ("02/06/00", "0a/00/00")
ALLOWED, REFUSED = {"authorized": "1"}, {"authorized": "0"}


@pytest.fixture
def tree(tmp_path: Path) -> UsbTree:
    return UsbTree(tmp_path)


def judged(tree: UsbTree, interface: str, house: str = "", action: str = "add") -> Device:
    """Return an interface after the rules; ``house`` has the lines of the house's own files."""
    every: list[Rule] = [*FIRST, *rules(house), *LAST]
    made = tree.device(interface, action)
    made.parent = apply(every, tree.device(interface.partition(":")[0], action))
    return apply(every, made)


def kept(tree: UsbTree) -> str:
    """Return the rules that an installation writes. It may be a second one."""
    file = tree.root / "kept.rules"
    told("keep-usb", str(file), tree)
    return file.read_text() if file.exists() else ""


def in_use(tree: UsbTree, name: str) -> list[str]:
    return told("usb-in-use", tree.devpath(name), tree).splitlines()


def told(program: str, argument: str, tree: UsbTree) -> str:
    command = ["sh", str(FOLDER / program), argument, str(tree.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return str(done.stdout)


def test_the_disk_with_the_root_is_allowed(tree: UsbTree) -> None:
    tree.plug("1-1", "152d:0578", STICK)
    tree.disk("1-1:1.0", "sda", sda1="8:1", sda2="8:2")
    tree.mount("8:2", "/")
    assert judged(tree, "1-1:1.0").written == ALLOWED
    assert in_use(tree, "1-1:1.0") == ["disk /"]


def test_a_strangers_stick_is_refused_beside_it(tree: UsbTree) -> None:
    """It was there before the start: it has a driver, and nothing is mounted from it."""
    tree.plug("1-1", "152d:0578", STICK)
    tree.disk("1-1:1.0", "sda", sda2="8:2")
    tree.mount("8:2", "/")
    tree.plug("1-2", "0781:5567", STICK)
    tree.disk("1-2:1.0", "sdb", sdb1="8:17")
    assert judged(tree, "1-2:1.0").written == REFUSED
    # Plugged in while the table runs, it has no driver, even at a port whose number begins alike.
    tree.plug("1-11", "152d:0578", STICK)
    assert judged(tree, "1-11:1.0").written == REFUSED


def test_what_else_the_disk_with_the_root_says_it_is_stays_refused(tree: UsbTree) -> None:
    tree.plug("1-1", "152d:0578", STICK, "03/01/01")
    tree.disk("1-1:1.0", "sda", sda2="8:2")
    tree.mount("8:2", "/")
    assert judged(tree, "1-1:1.0", kept(tree)).written == ALLOWED
    assert judged(tree, "1-1:1.1", kept(tree)).written == REFUSED


def test_a_root_on_lvm_on_a_crypt_on_a_usb_disk_is_found(tree: UsbTree) -> None:
    tree.plug("1-1.2", "152d:0578", STICK)
    tree.disk("1-1.2:1.0", "sda", sda3="8:3")
    tree.made_of("dm-0", "254:0", "sda3")
    tree.made_of("dm-1", "254:1", "dm-0")
    tree.mount("254:1", "/")
    assert judged(tree, "1-1.2:1.0").written == ALLOWED


@pytest.mark.parametrize("kind", ["swap", "hidden root", "btrfs"])
def test_what_mountinfo_does_not_show_is_found(tree: UsbTree, kind: str) -> None:
    tree.plug("1-1", "152d:0578", STICK)
    tree.disk("1-1:1.0", "sda", sda2="8:2")
    if kind == "swap":
        tree.write("proc/swaps", "/dev/sda2 partition 524284 0 -2\n", more=True)
    elif kind == "hidden root":
        tree.mount("0:24", "/", "overlay")
        (tree.root / "sys/fs/ext4/sda2").mkdir()
    else:
        tree.mount("0:25", "/", "btrfs")
        (tree.root / "sys/fs/btrfs/4711/devices/sda2").mkdir(parents=True)
    assert judged(tree, "1-1:1.0").written == ALLOWED


def test_a_network_in_use_at_the_installation_is_kept_after_a_restart(tree: UsbTree) -> None:
    tree.plug("1-1", "0bda:8153", *NETWORK, serial="000001")
    tree.network("1-1:1.0", "eth1")
    assert judged(tree, "1-1:1.0", kept(tree)).written == ALLOWED
    assert judged(tree, "1-1:1.1", kept(tree)).written == ALLOWED
    assert judged(tree, "1-1:1.0").written == REFUSED  # as it was without that file
    # After the restart nothing is connected yet, and it may be at another port.
    tree.plug("1-2", "0bda:8153", *NETWORK, serial="000001")
    assert judged(tree, "1-2:1.0", kept(tree)).written == ALLOWED


def test_a_network_without_a_connection_is_not_kept(tree: UsbTree) -> None:
    tree.plug("1-1", "0bda:8153", *NETWORK)
    tree.network("1-1:1.0", "eth1", carrier="0")
    assert kept(tree) == ""


@pytest.mark.parametrize(
    ("serial", "numbers", "allowed"),
    [
        ("000002", "02/06/00", False),
        ("000001", "03/01/01", False),
        ("000001", "e0/01/01", False),
        ("000001", "e0/01/03", True),
    ],
    ids=["another of the kind", "a keyboard", "bluetooth", "RNDIS"],
)
def test_a_copy_of_the_kept_numbers_gains_no_more_than_a_network(
    tree: UsbTree, serial: str, numbers: str, allowed: bool
) -> None:
    tree.plug("1-1", "0bda:8153", *NETWORK, serial="000001")
    tree.network("1-1:1.0", "eth1")
    tree.plug("1-2", "0bda:8153", numbers, serial=serial)
    assert judged(tree, "1-2:1.0", kept(tree)).written == (ALLOWED if allowed else REFUSED)


def test_a_disk_with_the_state_is_kept_though_it_is_mounted_after_udev(tree: UsbTree) -> None:
    tree.plug("1-1", "152d:0578", STICK, serial='A "b"* c$')
    tree.disk("1-1:1.0", "sda", sda1="8:1")
    tree.mount("8:1", "/var/lib/pi-table")
    house = kept(tree)
    tree.write("proc/self/mountinfo", "")
    assert judged(tree, "1-1:1.0", house).written == ALLOWED
    assert 'ATTR{serial}=="A*b*c*"' in house  # no sign in it that udev would read otherwise


def test_a_later_installation_adds_and_takes_nothing_away(tree: UsbTree) -> None:
    tree.plug("1-1", "0bda:8153", *NETWORK)
    tree.network("1-1:1.0", "eth1")
    first = kept(tree)
    assert kept(tree) == first
    tree.plug("1-2", "148f:5370", "ff/ff/ff")
    tree.network("1-2:1.0", "wlan1")
    both = kept(tree)
    assert both.startswith(first)
    assert both.count("148f") == 1
    # What somebody has put behind a # stays there.
    file = tree.root / "kept.rules"
    file.write_text(re.sub(r"^SUB", "# SUB", both, flags=re.M))
    assert kept(tree) == file.read_text()


def test_hubs_are_allowed_anyway_and_not_kept(tree: UsbTree) -> None:
    tree.plug("1-1", "0409:55aa", "09/00/00", device_class="09")
    tree.plug("1-1.2", "0bda:8153", *NETWORK)
    tree.network("1-1.2:1.0", "eth1")
    assert "0409" not in kept(tree)
    assert "0bda" in kept(tree)


@pytest.mark.parametrize(
    ("ids", "node", "numbers", "allowed"),
    [
        ("0424:ec00", "usb424,ec00", "ff/00/ff", True),
        ("0424:7800", "usb424,7800", "ff/00/ff", True),
        ("0424:9e00", "usb424,9e00", "ff/00/ff", True),
        ("0424:ec00", "", "ff/00/ff", False),
        ("0bda:8153", "usb424,ec00", "ff/00/ff", False),
        ("0424:ec00", "usb424,ec00", "03/01/01", False),
    ],
    ids=[
        *("Pi 3", "Pi 3B+", "carrier board", "in a socket"),
        *("socket of a board that has another one's description", "keyboard with its numbers"),
    ],
)
def test_the_network_that_is_soldered_to_a_board_goes_on(
    tree: UsbTree, ids: str, node: str, numbers: str, allowed: bool
) -> None:
    tree.plug("1-1.1", ids, numbers, node=node)
    assert judged(tree, "1-1.1:1.0").written == (ALLOWED if allowed else REFUSED)


def test_the_installation_asks_for_verdicts_and_changes_nothing(tree: UsbTree) -> None:
    tree.plug("1-1", "0781:5567", STICK)
    made = judged(tree, "1-1:1.0", action="online")
    assert made.written == {}
    assert made.parent is not None
    assert made.parent.written == {}
    assert made.properties["PI_TABLE_USB_VERDICT"] == "refused"
    assert judged(tree, "usb1", action="online").written == {}
    tree.plug("1-2", "1a86:7523", "ff/01/02")
    allowed = judged(tree, "1-2:1.0", action="online")
    assert (allowed.written, allowed.properties["PI_TABLE_USB_VERDICT"]) == ({}, "allowed")


def test_programs_that_rules_and_units_call_are_in_the_package() -> None:
    build = (FOLDER / "package/build.py").read_text("utf-8")
    called = {
        name
        for file in (
            *FOLDER.glob("*.rules"),
            *FOLDER.glob("*.service"),
            *FOLDER.glob("package/debian/*"),
        )
        for name in re.findall(
            r"/usr/lib/pi-table/([\w-]+-usb|usb-[\w-]+)", file.read_text("utf-8")
        )
    }
    (packed,) = re.findall(r"^PROGRAMS = \((.+)\)$", build, re.MULTILINE)
    assert {*re.findall(r'"([\w-]+)"', packed)} == called
