"""The machine's own findings, with the file system of another."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says

from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.machine_findings import clock, machine, package_source, python

PI = "Raspberry Pi 4 Model B Rev 1.4\0"


def of(root: Path) -> dict[str, Finding]:
    return {finding.what: finding for finding in machine(root)}


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file system of a Raspberry Pi that is well."""
    for name, text in (
        ("proc/device-tree/model", PI),
        ("sys/class/thermal/thermal_zone0/temp", "48312\n"),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    tells(tmp_path, "throttled=0x0")
    return tmp_path


def tells(pi: Path, text: str) -> None:
    program = pi / "vcgencmd"
    program.write_text(f'#!/bin/sh\n[ "$1" = get_throttled ] && echo "{text}"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_a_pi_that_is_well(pi: Path) -> None:
    found = of(pi)
    assert found["power"].verdict is OK
    assert found["power"].says == "Raspberry Pi 4 Model B Rev 1.4. Its voltage is right."
    assert found["temperature"].verdict is OK
    assert found["temperature"].says == "48 °C."


@pytest.mark.parametrize(
    ("told", "verdict", "says"),
    [
        (
            "throttled=0x50005",
            BROKEN,
            "At this moment: the voltage is too low, it is throttled",
        ),
        ("throttled=0x50000", LOOK, "Since it was started: the voltage is too low"),
        ("throttled=0x80008", BROKEN, "at its soft limit of temperature"),
        ("error=1", LOOK, "Neither the kernel nor vcgencmd reports"),
    ],
)
def test_what_the_pi_tells_of_its_power(pi: Path, told: str, verdict: Verdict, says: str) -> None:
    tells(pi, told)
    found = of(pi)["power"]
    assert_says(found, verdict, says)
    assert found.do


def test_a_pi_without_its_tool_is_told_what_to_install(
    pi: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(pi / "sys"))
    found = of(pi)["power"]
    assert found.verdict is LOOK
    assert "raspi-utils" in found.do


def alarm(pi: Path, text: str) -> None:
    """Set the kernel's voltage alarm; its chip is not the first one."""
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        chip = pi / f"sys/class/hwmon/hwmon{number}"
        chip.mkdir(parents=True)
        (chip / "name").write_text(f"{name}\n")
    (chip / "in0_lcrit_alarm").write_text(text)


REFUSED = "Can't open device file: /dev/vcio"
"""Answer of vcgencmd to a user outside the group video."""


@pytest.mark.parametrize(
    ("told", "alarms", "verdict", "says"),
    [
        (REFUSED, "1\n", BROKEN, "At this moment: the voltage is too low."),
        (REFUSED, "0\n", OK, "Its voltage is right at this moment."),
        (REFUSED, "", LOOK, "Neither the kernel nor vcgencmd reports"),
        ("throttled=0x0", "1\n", BROKEN, "At this moment: the voltage is too low."),
        ("throttled=0x50005", "1\n", BROKEN, "too low, it is throttled."),
        ("throttled=0x50000", "0\n", LOOK, "Since it was started: the voltage"),
        ("throttled=0x0", "0\n", OK, "Its voltage is right."),
    ],
)
def test_the_kernel_tells_the_voltage_to_a_user_who_may_not_ask_the_firmware(
    pi: Path, told: str, alarms: str, verdict: Verdict, says: str
) -> None:
    tells(pi, told)
    alarm(pi, alarms)
    found = of(pi)["power"]
    assert_says(found, verdict, says)
    assert "group video" not in found.do


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("79900", OK), ("80000", LOOK), ("", LOOK), ("?", LOOK)],
)
def test_heat_is_looked_at(pi: Path, text: str, verdict: Verdict) -> None:
    (pi / "sys/class/thermal/thermal_zone0/temp").write_text(text)
    assert of(pi)["temperature"].verdict is verdict


def test_the_hottest_of_several_counts(pi: Path) -> None:
    (pi / "sys/class/thermal/thermal_zone1").mkdir()
    (pi / "sys/class/thermal/thermal_zone1/temp").write_text("85000\n")
    assert of(pi)["temperature"].figures == {"celsius": 85.0}


@pytest.mark.parametrize("model", [None, "Some other board"])
def test_another_machine_has_no_power_to_tell_of(tmp_path: Path, model: str | None) -> None:
    if model is not None:
        (tmp_path / "proc/device-tree").mkdir(parents=True)
        (tmp_path / "proc/device-tree/model").write_text(model)
    found = of(tmp_path)
    for what in ("power", "temperature"):
        assert found[what].verdict is NOT_HERE
        assert found[what].says == "This is not a Raspberry Pi."


SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nOrigin: {}\nLabel: pi-table\n"
    "Valid-Until: Sat, 21 Nov 2026 05:00:00 GMT\nSHA256:\n 0 0 main\n"
)


def test_a_package_source_that_nobody_signs_any_more_is_told(tmp_path: Path) -> None:
    lists = tmp_path / "var/lib/apt/lists"
    lists.mkdir(parents=True)
    (lists / "deb.debian.org_InRelease").write_text(SIGNED.format("Debian"))
    ends = datetime(2026, 11, 21, 5, tzinfo=UTC).timestamp()
    assert not [*package_source(tmp_path, ends)]
    (lists / "packages.example.org_dists_stable_InRelease").write_text(SIGNED.format("pi-table"))
    (before,) = package_source(tmp_path, ends - 1)
    (after,) = package_source(tmp_path, ends)
    assert (before.verdict, after.verdict) == (OK, LOOK)
    assert "was signed until Sat, 21 Nov 2026 05:00:00 GMT" in after.says


def test_this_machine_tells_its_python_and_its_clock() -> None:
    assert_says(python(), OK, "python 3.")
    assert clock().verdict in (OK, LOOK, NOT_HERE)


def test_a_finding_is_a_line_with_its_rows_below() -> None:
    finding = Finding("thing", NOT_HERE, "It is away.", "Fetch it.", ("one", "two"))
    assert finding.text().splitlines() == [
        "not here  thing        It is away. Fetch it.",
        "                       one",
        "                       two",
    ]
