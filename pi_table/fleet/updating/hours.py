"""The hours of the day in which the table may update itself."""

import time
from typing import Final

from pi_table.common.house_settings import TimeOfDay, within
from pi_table.protocols.ipc.house import HouseSettings

WHERE_NONE_ARE_SET: Final = ("04:00", "07:00")
BOOT_GRACE_SECONDS: Final = 1200.0
"""Seconds after boot during which an update may begin at any hour: usually nobody plays yet."""


def update_hours(house: HouseSettings | None) -> tuple[TimeOfDay, TimeOfDay]:
    """Return the hours for updates: the quiet hours of the house. If the house has no quiet hours,
    or the table does not answer, return default hours."""
    if house is None or house.quiet_from == house.quiet_until:
        return WHERE_NONE_ARE_SET
    return house.quiet_from, house.quiet_until


def may_begin(house: HouseSettings | None, at: TimeOfDay, up: float) -> bool:
    """True if an update may begin at this time of day, ``up`` seconds after boot.

    Soon after boot an update may begin at any hour, because a table that is switched off each night
    has no other time before its guests come.
    """
    return up < BOOT_GRACE_SECONDS or within(*update_hours(house), at)


def seconds_up() -> float:
    """Return the number of seconds since boot."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
