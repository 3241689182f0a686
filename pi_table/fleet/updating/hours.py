"""The hours of the day in which the table may update itself."""

import time
from typing import Final

from pi_table.common.house_settings import TimeOfDay, within
from pi_table.protocols.ipc.house import HouseSettings

WHERE_NONE_ARE_SET: Final = ("04:00", "07:00")
BOOT_GRACE_SECONDS: Final = 1200.0
"""Seconds after boot during which an update may begin at any hour: usually nobody plays yet."""


def update_hours(house: HouseSettings | None) -> tuple[TimeOfDay, TimeOfDay]:
    """Return the venue's quiet hours as hours for updates. Return default hours if ``house`` has no
    quiet hours or is None."""
    if house is None or house.quiet_from == house.quiet_until:
        return WHERE_NONE_ARE_SET
    return house.quiet_from, house.quiet_until


def may_begin(house: HouseSettings | None, at: TimeOfDay, up: float) -> bool:
    """True if an update may begin at this time of day, ``up`` seconds after boot. A table that is
    switched off at night can update itself only soon after boot, before guests come."""
    return up < BOOT_GRACE_SECONDS or within(*update_hours(house), at)


def seconds_up() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)
