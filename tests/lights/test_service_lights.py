"""The lights in service: what is tried, alone, and nothing of a game."""

from msgspec.structs import replace

from pi_table.common.geometry import CELL_COUNT, LED_COUNT, PLACE_COUNT, leds_of
from pi_table.devices.lights.colours import WHITE
from pi_table.devices.lights.light import light
from pi_table.devices.lights.picture import Attention, Look, Picture
from pi_table.devices.lights.service import QUIET, Tried
from pi_table.games.announcer.standing import Standing

HANDS = Attention(waiting=True, blocked=True, unclear=frozenset({3}), deaf=frozenset({4}))


def test_what_is_lit_is_lit_alone_whatever_else_is_to_be_seen() -> None:
    tried = Tried(frozenset({0, 103}), 0x00FF00)
    expected = tuple(0x00FF00 if led in (0, 103) else 0 for led in range(LED_COUNT))
    plain = Picture(tried=tried)
    for picture in (
        plain,
        replace(plain, attention=HANDS),
        replace(plain, standing=Standing(out_of_order=True)),
        replace(plain, standing=Standing(sleeps=True)),
        replace(plain, look=Look(brightness=0.1)),
    ):
        for now in (0.0, 12.34):
            assert light(picture, now).frame == expected
            assert light(picture, now).wakes is None


def test_nothing_tried_is_dark() -> None:
    assert set(light(Picture(tried=Tried()), 5.0).frame) == {0}


def test_where_touch_is_tried_each_place_shows_what_it_feels() -> None:
    tried = Tried(touched=frozenset({2, CELL_COUNT}), deaf=frozenset({7, CELL_COUNT + 1}))
    frame = light(Picture(tried=tried), 0.0).frame
    for place in range(PLACE_COUNT):
        leds = [frame[led] for led in leds_of(place)]
        if place in (2, CELL_COUNT):
            assert set(leds) == {WHITE}
        elif place in (7, CELL_COUNT + 1):
            assert leds[0] != leds[1] == 0
        else:
            assert set(leds) == {QUIET}
