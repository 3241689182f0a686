"""Facts about the machine, read from Linux's files."""

import time
from contextlib import suppress
from pathlib import Path


def uptime() -> int:
    """Return the seconds since the machine was switched on."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME))


def temperature(root: Path = Path("/")) -> float | None:
    """Return the processor's temperature in °C. If the processor has no sensor, return the
    temperature of the machine's hottest sensor. None if no file below ``root`` reports a
    temperature."""
    found: dict[str, float] = {}
    for zone in (root / "sys/class/thermal").glob("thermal_zone*"):
        with suppress(OSError, ValueError):  # a sensor may be asleep
            kind = (zone / "type").read_text().strip()
            found[kind] = int((zone / "temp").read_text()) / 1000
    for kind, degrees in found.items():
        if kind.startswith("cpu"):
            return round(degrees, 1)
    return round(max(found.values()), 1) if found else None
