"""The settings of a house: what they are at a time of the day, and how they change."""

import pytest

from pi_table.common.config import load
from pi_table.common.errors import InputError
from pi_table.common.house_settings import (
    House,
    brightness,
    offers,
    quiet_hours,
    with_settings,
    within,
)


def test_the_configuration_and_the_house_have_the_same_defaults() -> None:
    assert load().house == House()


@pytest.mark.parametrize(
    ("start", "end", "at", "expected"),
    [
        ("20:00", "23:30", "19:59", False),
        ("20:00", "23:30", "20:00", True),
        ("20:00", "23:30", "23:29", True),
        ("20:00", "23:30", "23:30", False),
        ("22:00", "06:00", "21:59", False),
        ("22:00", "06:00", "22:00", True),
        ("22:00", "06:00", "00:00", True),
        ("22:00", "06:00", "05:59", True),
        ("22:00", "06:00", "06:00", False),
        ("12:00", "12:00", "12:00", False),
        ("22:00", "06:00", None, False),
    ],
)
def test_hours_of_the_day_may_go_over_midnight(
    start: str, end: str, at: str | None, expected: bool
) -> None:
    assert within(start, end, at) is expected


def test_the_lights_are_dimmed_in_the_dimmed_hours_and_never_brighter_than_by_day() -> None:
    house = House(brightness=80, dimmed=30, dimmed_from="22:00", dimmed_until="06:00")
    assert (brightness(house, "21:59"), brightness(house, "23:00")) == (80, 30)
    assert brightness(house, None) == 80
    dark = House(brightness=20, dimmed=30, dimmed_from="22:00", dimmed_until="06:00")
    assert brightness(dark, "23:00") == 20


def test_quiet_hours_are_minutes_of_the_day_and_none_where_they_end_as_they_begin() -> None:
    assert quiet_hours(House()) is None
    assert quiet_hours(House(quiet_from="23:30", quiet_until="08:05")) == (1410, 485)


@pytest.mark.parametrize(
    ("pack", "adults", "house", "expected"),
    [
        ("english", False, House(), True),
        ("english", False, House(packs_left_out=("english",)), False),
        ("after-dark", True, House(), False),
        ("after-dark", True, House(adults=True), True),
        ("after-dark", True, House(adults=True, packs_left_out=("after-dark",)), False),
    ],
)
def test_a_pack_is_offered_unless_it_is_left_out_or_for_adults_who_are_not_allowed(
    pack: str, adults: bool, house: House, expected: bool
) -> None:
    assert offers(house, pack, adults) is expected


def test_a_change_leaves_what_it_does_not_name() -> None:
    house = with_settings(House(volume=5), {"brightness": 40, "guests_may": ["start"]})
    assert house == House(volume=5, brightness=40, guests_may=("start",))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"brightnes": 4}, "did you mean 'brightness'"),
        ({"brightness": 101}, "brightness"),
        ({"brightness": "full"}, "brightness"),
        ({"quiet_from": "24:00"}, "quiet_from"),
        ({"guests_may": ["shutdown"]}, "guests_may"),
        ({"palette": "pink"}, "palette"),
    ],
)
def test_a_wrong_setting_is_refused_by_a_sentence(settings: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        with_settings(House(), settings)
