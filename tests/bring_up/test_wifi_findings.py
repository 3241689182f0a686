"""The finding about the Wi-Fi, on machines whose Wi-Fi is well, off, or not there."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says

from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.wifi_findings import wifi
from pi_table.maintenance.first_boot import places


class Machine:
    """The file system of a table whose settings name a Wi-Fi, with one device."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.put(places.CONNECTION, "")
        self.put("sys/class/net/lo/operstate", "unknown\n")
        self.put("sys/class/net/wlan0/operstate", "up\n")
        self.put("sys/class/net/wlan0/phy80211/name", "phy0\n")
        for name, text in (("type", "wlan"), ("soft", "0"), ("hard", "0")):
            self.put(f"sys/class/rfkill/rfkill1/{name}", f"{text}\n")
        for name, text in (("type", "bluetooth"), ("soft", "1"), ("hard", "1")):
            self.put(f"sys/class/rfkill/rfkill0/{name}", f"{text}\n")
        self.iw("Power save: off")

    def put(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def iw(self, said: str) -> None:
        self.put("bin/iw", f'#!/bin/sh\n[ "$*" = "dev wlan0 get power_save" ] && echo "{said}"\n')
        (self.root / "bin/iw").chmod(0o755)

    def found(self) -> Finding:
        return wifi(self.root)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    return Machine(tmp_path)


def test_a_wifi_that_is_well(machine: Machine) -> None:
    assert machine.found() == Finding("wi-fi", OK, "wlan0 is connected.")


def test_a_machine_whose_settings_name_no_wifi(tmp_path: Path) -> None:
    assert wifi(tmp_path).verdict is NOT_HERE


def no_device(machine: Machine) -> None:
    (machine.root / "sys/class/net/wlan0/phy80211/name").unlink()
    (machine.root / "sys/class/net/wlan0/phy80211").rmdir()


def puts(name: str, text: str) -> Callable[[Machine], None]:
    return lambda machine: machine.put(name, text)


@pytest.mark.parametrize(
    ("make", "verdict", "says", "do"),
    [
        (no_device, BROKEN, "has no Wi-Fi device", "disable-wifi"),
        (
            puts("sys/class/rfkill/rfkill1/soft", "1\n"),
            BROKEN,
            "The kernel blocks it",
            "rfkill unblock wlan",
        ),
        (
            puts("sys/class/rfkill/rfkill1/hard", "1\n"),
            BROKEN,
            "A switch on the machine",
            "that switch",
        ),
        (
            puts(places.NETWORK_MANAGER_STATE, "[main]\nWirelessEnabled=false\n"),
            BROKEN,
            "NetworkManager keeps it switched off",
            "nmcli radio wifi on",
        ),
        (
            puts("sys/class/net/wlan0/operstate", "down\n"),
            LOOK,
            "not connected",
            "its password",
        ),
        (
            lambda machine: machine.iw("Power save: on"),
            LOOK,
            "wlan0 is connected, but saves power",
            "iw dev wlan0 set power_save off",
        ),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(
    machine: Machine, make: Callable[[Machine], None], verdict: Verdict, says: str, do: str
) -> None:
    make(machine)
    found = machine.found()
    assert_says(found, verdict, says)
    assert do in found.do


def test_what_only_root_may_read_is_left_out(machine: Machine) -> None:
    (machine.root / places.NETWORK_MANAGER_STATE).mkdir(parents=True)  # an error for root, too
    assert machine.found().verdict is OK


def test_without_a_program_to_ask_nothing_is_said_of_power(machine: Machine) -> None:
    machine.iw("")
    assert machine.found().verdict is OK
