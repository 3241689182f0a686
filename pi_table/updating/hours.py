"""When the table may be updated by itself."""

from typing import Final

from pi_table.house import TimeOfDay, within
from pi_table.ipc.house import HouseSettings

WHERE_NONE_ARE_SET: Final = ("04:00", "07:00")


def update_hours(house: HouseSettings | None) -> tuple[TimeOfDay, TimeOfDay]:
    """From when until when: the quiet hours of the house, or others where it has none, or where it
    cannot be asked."""
    if house is None or house.quiet_from == house.quiet_until:
        return WHERE_NONE_ARE_SET
    return house.quiet_from, house.quiet_until


def may_begin(house: HouseSettings | None, at: TimeOfDay) -> bool:
    """May an update begin at this time of the day?"""
    return within(*update_hours(house), at)
