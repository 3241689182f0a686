"""The health of the machine, read from files of the Linux kernel. A value is None if its file is
missing."""

import os
from contextlib import suppress
from pathlib import Path

from pi_table.common.machine import temperature, uptime
from pi_table.fleet.bridge.facts import MachineHealth

THROTTLED_NOW = 0xF
"""Bit mask of the Pi firmware's flags for present throttling: low voltage, limited clock rate,
throttled, or near the heat limit. Higher bits are about the past."""


def machine_health(disk: Path, root: Path = Path("/")) -> MachineHealth:
    """Return the machine's health. ``disk`` is a folder on the disk to check; the folder need not
    exist. ``root`` is the root of the system's files."""
    return MachineHealth(
        uptime=uptime(),
        temperature=temperature(root),
        throttled=_is_throttled(root),
        disk_free=_free(disk),
        disk_wear=_wear(root),
    )


def _is_throttled(root: Path) -> bool | None:
    """True if the firmware of a Pi reports throttling; None if the firmware's file is missing."""
    for file in (root / "sys/devices/platform").glob("soc*/soc*:firmware/get_throttled"):
        with suppress(OSError, ValueError):
            return bool(int(file.read_text(), 16) & THROTTLED_NOW)
    return None


def _free(disk: Path) -> int | None:
    while not disk.exists() and disk != disk.parent:
        disk = disk.parent
    try:
        found = os.statvfs(disk)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def _wear(root: Path) -> int | None:
    """Return the disk's wear as a number from 1 to 11 (`MachineHealth`); None if unknown.

    An eMMC, and some cards, report two values (JESD84, `DEVICE_LIFE_TIME_EST`): one for fast memory
    cells and one for dense memory cells. The larger value counts; 0 means unknown.
    """
    tenths: list[int] = []
    for file in (root / "sys/block").glob("*/device/life_time"):
        with suppress(OSError, ValueError):
            tenths += [int(each, 16) for each in file.read_text().split()]
    return max(tenths, default=0) or None
