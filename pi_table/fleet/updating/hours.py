"""When the table may be updated by itself."""

import time
from typing import Final

from pi_table.common.house import TimeOfDay, within
from pi_table.protocols.ipc.house import HouseSettings

WHERE_NONE_ARE_SET: Final = ("04:00", "07:00")
SOON: Final = 1200.0
"""Seconds after the start of the machine in which nobody plays yet, as a rule."""


def update_hours(house: HouseSettings | None) -> tuple[TimeOfDay, TimeOfDay]:
    """From when until when: the quiet hours of the house, or others where it has none, or where it
    cannot be asked."""
    if house is None or house.quiet_from == house.quiet_until:
        return WHERE_NONE_ARE_SET
    return house.quiet_from, house.quiet_until


def may_begin(house: HouseSettings | None, at: TimeOfDay, up: float) -> bool:
    """May an update begin at this time of the day, ``up`` seconds after the machine has started?
    Soon after the start it may at any hour: a table that is switched off each night has no other
    time before its guests come."""
    return up < SOON or within(*update_hours(house), at)


def seconds_up() -> float:
    """Seconds since the machine has started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
