"""The health of the machine, read from Linux's files. A value is None if no file reports it."""

import os
from contextlib import suppress
from pathlib import Path

from pi_table.common.machine import temperature, uptime
from pi_table.fleet.bridge.facts import MachineHealth

THROTTLED_NOW = 0xF
"""Mask for the throttling flags of the Pi's firmware that describe the present: low voltage, slowed
down, throttled, or near the heat limit. Higher bits describe the past."""


def machine_health(disk: Path, root: Path = Path("/")) -> MachineHealth:
    """Return the machine's health. ``disk`` is a folder on the disk to check; the folder may be
    missing. ``root`` is the root of the system's files."""
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
    """Return the disk's wear in tenths; None if unknown.

    An eMMC, and some cards, report two values (JESD84, `DEVICE_LIFE_TIME_EST`): one for their fast
    memory cells and one for their dense memory cells. The value 0 means unknown.
    """
    tenths: list[int] = []
    for file in (root / "sys/block").glob("*/device/life_time"):
        with suppress(OSError, ValueError):
            tenths += [int(each, 16) for each in file.read_text().split()]
    return max(tenths, default=0) or None
