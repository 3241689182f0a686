"""How the machine of the table fares, as Linux tells it in files. What it does not tell is None."""

import os
import time
from contextlib import suppress
from pathlib import Path

from pi_table.fleet.bridge.facts import MachineHealth

THROTTLED_NOW = 0xF
"""Of the firmware's word: short of power, slowed down, throttled, or near to it for its heat. What
has only been is told by higher bits."""


def machine_health(disk: Path, root: Path = Path("/")) -> MachineHealth:
    """How the machine fares now. ``disk`` is a folder on the disk that is asked about, which need
    not be there yet; ``root`` is where the system's files lie."""
    return MachineHealth(
        uptime=int(time.clock_gettime(time.CLOCK_BOOTTIME)),
        temperature=_temperature(root),
        throttled=_throttled(root),
        disk_free=_free(disk),
        disk_wear=_wear(root),
    )


def _temperature(root: Path) -> float | None:
    """Of the processor, or of what gets hottest where no sensor is called so."""
    found: dict[str, float] = {}
    for zone in (root / "sys/class/thermal").glob("thermal_zone*"):
        with suppress(OSError, ValueError):  # a sensor may be asleep
            kind = (zone / "type").read_text().strip()
            found[kind] = int((zone / "temp").read_text()) / 1000
    for kind, degrees in found.items():
        if kind.startswith("cpu"):
            return round(degrees, 1)
    return round(max(found.values()), 1) if found else None


def _throttled(root: Path) -> bool | None:
    """A Pi's firmware tells it by its own file."""
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
    """An eMMC, and a card here and there, tells two tenths (JESD84, `DEVICE_LIFE_TIME_EST`): of its
    fast cells and its dense ones; 0 is not known."""
    tenths: list[int] = []
    for file in (root / "sys/block").glob("*/device/life_time"):
        with suppress(OSError, ValueError):
            tenths += [int(each, 16) for each in file.read_text().split()]
    return max(tenths, default=0) or None
