"""USB devices are trusted from the start that reads the settings. A program stands in for udev."""

import os
import subprocess
from pathlib import Path

import pytest
from unit_files import FOLDER, settings
from usb_tree import UsbTree

from pi_table.maintenance.first_boot import places

UDEVADM = """#!/bin/sh
echo "$*" >>"{log}"
case "$1 $2" in
    "trigger --action=change")
        shift 2
        for each in "$@"; do
            case $each in {allows}) echo 1 >"$each/authorized" ;; esac
        done ;;
    "info --query=property") echo PI_TABLE_USB={kind} ;;
esac
"""


@pytest.fixture
def tree(tmp_path: Path) -> UsbTree:
    tree = UsbTree(tmp_path)
    tree.plug("1-1", "046d:c31c", "03/01/01")
    tree.plug("1-2", "1a86:7523", "ff/01/02")
    return tree


def trusts(tree: UsbTree, allows: str, kind: str = "trusted") -> tuple[int, str, list[str]]:
    """The exit status, what is said, and what udev was asked for. ``allows``: the path of the
    interface that udev allows when it is asked again."""
    program, log = tree.root / "bin/udevadm", tree.root / "log"
    tree.write("bin/udevadm", UDEVADM.format(log=log, allows=allows, kind=kind))
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", FOLDER / "trust-usb", tree.root],
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    asked = log.read_text().replace(f"{tree.root}/sys/bus/usb/devices/", "").splitlines()
    return done.returncode, done.stderr, [line for line in asked if "settle" not in line]


def refuse(tree: UsbTree, interface: str) -> None:
    tree.write(f"sys{tree.devpath(interface)}/authorized", "0\n")


def test_a_refused_device_is_judged_again_and_its_driver_looked_for(tree: UsbTree) -> None:
    refuse(tree, "1-1:1.0")
    assert trusts(tree, "*/1-1:1.0") == (
        0,
        "",
        [
            "control --reload",
            "trigger --action=change 1-1",
            "trigger --action=change 1-1:1.0",
            "trigger --action=bind 1-1",
            "info --query=property 1-1",
        ],
    )


def test_nothing_is_asked_where_nothing_is_refused(tree: UsbTree) -> None:
    assert trusts(tree, "none") == (0, "", ["control --reload"])


def test_a_trusted_device_that_stays_refused_is_told(tree: UsbTree) -> None:
    refuse(tree, "1-1:1.0")
    status, said, _ = trusts(tree, "none")
    assert (status, said) == (1, "046d:c31c is trusted, and still refused: plug it in again.\n")
    assert trusts(tree, "none", kind="")[:2] == (0, "")


def test_it_is_called_once_the_settings_have_been_read() -> None:
    unit = settings("pi-table-usb.service")
    assert "pi-table-settings.service" in unit["After"][0].split()
    assert unit["ConditionPathExists"] == [f"/{places.USB_RULES}"]
    assert unit["ExecStart"] == ["/usr/lib/pi-table/trust-usb"]
