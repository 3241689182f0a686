"""The health of a machine, read from file trees as machines have them."""

import os
from pathlib import Path

import pytest

from pi_table.fleet.bridge.machine_health import machine_health

PI = {
    "sys/class/thermal/thermal_zone0/type": "gpu-thermal\n",
    "sys/class/thermal/thermal_zone0/temp": "70000\n",
    "sys/class/thermal/thermal_zone1/type": "cpu-thermal\n",
    "sys/class/thermal/thermal_zone1/temp": "51259\n",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
    "sys/block/mmcblk0/device/life_time": "0x02 0x03\n",
    "sys/block/mmcblk1/device/life_time": "0x00 0x00\n",
}


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_pi_tells_all(tmp_path: Path) -> None:
    found = machine_health(tmp_path, tree(tmp_path / "root", PI))
    assert found.temperature == 51.3
    assert found.throttled is True
    assert found.disk_wear == 3
    assert found.uptime is not None
    assert found.uptime > 0
    free = os.statvfs(tmp_path)
    assert found.disk_free == pytest.approx(free.f_bavail * free.f_frsize, rel=0.2)


@pytest.mark.parametrize(
    ("word", "now"), [("0", False), ("50000", False), ("8", True), ("1", True)]
)
def test_what_has_only_been_is_not_told_as_what_is(tmp_path: Path, word: str, now: bool) -> None:
    name = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
    assert machine_health(tmp_path, tree(tmp_path / "root", {name: word})).throttled is now


def test_a_machine_that_tells_nothing_is_none(tmp_path: Path) -> None:
    found = machine_health(tmp_path / "not/there/yet", tmp_path)
    assert (found.temperature, found.throttled, found.disk_wear) == (None, None, None)
    assert found.disk_free is not None  # of the folder that is to be there


def test_a_sensor_that_tells_rubbish_is_left_out(tmp_path: Path) -> None:
    files = dict.fromkeys(PI, "\x00rubbish")
    files["sys/class/thermal/thermal_zone2/type"] = "x86_pkg_temp"
    files["sys/class/thermal/thermal_zone2/temp"] = "40000"
    found = machine_health(tmp_path, tree(tmp_path / "root", files))
    assert (found.temperature, found.throttled, found.disk_wear) == (40.0, None, None)
