"""When a table may be updated by itself."""

from pathlib import Path

import pytest
from stand_in import settings

from pi_table.fleet.updating.hours import BOOT_GRACE_SECONDS, may_begin, seconds_up, update_hours


@pytest.mark.parametrize(
    ("quiet", "at", "may"),
    [
        (None, "03:59", False),
        (None, "04:00", True),
        (None, "06:59", True),
        (None, "07:00", False),
        (("00:00", "00:00"), "05:00", True),
        (("09:30", "09:30"), "09:30", False),
        (("23:00", "09:00"), "23:00", True),
        (("23:00", "09:00"), "08:59", True),
        (("23:00", "09:00"), "09:00", False),
        (("23:00", "09:00"), "20:15", False),
        (("13:00", "15:00"), "05:00", False),
    ],
)
def test_it_may_begin_in_quiet_hours_or_else_from_four_to_seven(
    quiet: tuple[str, str] | None, at: str, may: bool
) -> None:
    house = None if quiet is None else settings(*quiet)
    assert may_begin(house, at, up=BOOT_GRACE_SECONDS) is may
    start, end = update_hours(house)
    assert start != end


def test_since_when_the_machine_runs() -> None:
    before = float(Path("/proc/uptime").read_text().split()[0])
    assert before <= seconds_up() + 0.01
    assert seconds_up() <= float(Path("/proc/uptime").read_text().split()[0]) + 0.01


@pytest.mark.parametrize("quiet", [None, ("23:00", "09:00")])
def test_it_may_begin_at_any_hour_soon_after_the_start(quiet: tuple[str, str] | None) -> None:
    """A table that is switched off each night is not there in quiet hours."""
    house = None if quiet is None else settings(*quiet)
    assert may_begin(house, "17:00", up=BOOT_GRACE_SECONDS - 1.0)
    assert not may_begin(house, "17:00", up=BOOT_GRACE_SECONDS)
