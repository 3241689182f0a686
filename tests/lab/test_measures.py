"""The measures of colour, against published figures and an independent simulation."""

import pytest

from pi_table.lab.seeing.difference import Lab, ciede2000, distance, lab, least_distance
from pi_table.lab.seeing.srgb import colour_of, contrast, dim_light, linear
from pi_table.lab.seeing.vision import Vision, simulate_vision

SHARMA = [
    ((50.0000, 2.6772, -79.7751), (50.0000, 0.0000, -82.7485), 2.0425),
    ((50.0000, 3.1571, -77.2803), (50.0000, 0.0000, -82.7485), 2.8615),
    ((50.0000, 2.8361, -74.0200), (50.0000, 0.0000, -82.7485), 3.4412),
    ((50.0000, -1.3802, -84.2814), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, -1.1848, -84.8006), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, -0.9009, -85.5211), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, 0.0000, 0.0000), (50.0000, -1.0000, 2.0000), 2.3669),
    ((50.0000, -1.0000, 2.0000), (50.0000, 0.0000, 0.0000), 2.3669),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0009), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0010), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0011), 7.2195),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0012), 7.2195),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0009, -2.4900), 4.8045),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0010, -2.4900), 4.8045),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0011, -2.4900), 4.7461),
    ((50.0000, 2.5000, 0.0000), (50.0000, 0.0000, -2.5000), 4.3065),
    ((50.0000, 2.5000, 0.0000), (73.0000, 25.0000, -18.0000), 27.1492),
    ((50.0000, 2.5000, 0.0000), (61.0000, -5.0000, 29.0000), 22.8977),
    ((50.0000, 2.5000, 0.0000), (56.0000, -27.0000, -3.0000), 31.9030),
    ((50.0000, 2.5000, 0.0000), (58.0000, 24.0000, 15.0000), 19.4535),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.1736, 0.5854), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.2972, 0.0000), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 1.8634, 0.5757), 1.0000),
    ((50.0000, 2.5000, 0.0000), (50.0000, 3.2592, 0.3350), 1.0000),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((61.2901, 3.7196, -5.3901), (61.4292, 2.2480, -4.9620), 1.8731),
    ((35.0831, -44.1164, 3.7933), (35.0232, -40.0716, 1.5901), 1.8645),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]
"""The pairs and distances of table 1 of Sharma, Wu and Dalal (2005)."""


@pytest.mark.parametrize(("one", "other", "expected"), SHARMA)
def test_the_distance_is_the_published_one_to_four_places_either_way(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    there, back = ciede2000(Lab(*one), Lab(*other)), ciede2000(Lab(*other), Lab(*one))
    assert (round(there, 4), round(back, 4)) == (expected, expected)


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        (0x000000, (0.0, 0.0, 0.0)),
        (0xFFFFFF, (100.0, 0.0, 0.0)),
        (0x777777, (50.03, 0.0, 0.0)),
        (0xFF0000, (53.24, 80.09, 67.20)),
        (0x00FF00, (87.74, -86.18, 83.18)),
        (0x0000FF, (32.30, 79.19, -107.86)),
    ],
)
def test_the_corners_of_srgb_lie_in_lab_where_they_should(
    colour: int, expected: tuple[float, float, float]
) -> None:
    assert lab(colour) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (0x000000, 0xFFFFFF, 21.0),
        (0x767676, 0xFFFFFF, 4.54),
        (0x777777, 0xFFFFFF, 4.48),
        (0xFF0000, 0xFFFFFF, 4.00),
        (0x0000FF, 0xFFFFFF, 8.59),
        (0x123456, 0x123456, 1.0),
    ],
)
def test_contrast_is_that_of_wcag_either_way(one: int, other: int, expected: float) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=0.005)
    assert contrast(one, other) == contrast(other, one)


def test_every_step_of_a_channel_comes_back_from_its_light() -> None:
    for step in range(256):
        colour = step << 16 | (255 - step) << 8 | step // 2
        assert colour_of(linear(colour)) == colour


def test_light_that_no_screen_can_show_is_cut_off() -> None:
    assert colour_of((-0.2, 0.5, 1.7)) == 0x00BCFF


def test_half_of_the_light_is_more_than_half_of_the_number() -> None:
    assert dim_light(0xFFFFFF, 0.5) == 0xBCBCBC
    assert dim_light(0x804020, 1.0) == 0x804020
    assert dim_light(0x804020, 0.0) == 0x000000


SEEN = [
    (Vision.PROTANOPIA, 0xFFFFFF, 0xFEFEFE),
    (Vision.PROTANOPIA, 0xFF0000, 0x6A5A0D),
    (Vision.PROTANOPIA, 0x00FF00, 0xFEED00),
    (Vision.PROTANOPIA, 0x0000FF, 0x0036FE),
    (Vision.PROTANOPIA, 0xFFC54A, 0xE6C84A),
    (Vision.PROTANOPIA, 0x62B0FF, 0x7FADFE),
    (Vision.PROTANOPIA, 0x7E1E17, 0x3A3318),
    (Vision.PROTANOPIA, 0x808080, 0x808080),
    (Vision.DEUTERANOPIA, 0xFFFFFF, 0xFEFEFE),
    (Vision.DEUTERANOPIA, 0xFF0000, 0xA38A00),
    (Vision.DEUTERANOPIA, 0x00FF00, 0xF1D12E),
    (Vision.DEUTERANOPIA, 0x0000FF, 0x0056FE),
    (Vision.DEUTERANOPIA, 0xFFC54A, 0xEDCE47),
    (Vision.DEUTERANOPIA, 0x62B0FF, 0x79AAFE),
    (Vision.DEUTERANOPIA, 0x7E1E17, 0x53460F),
    (Vision.DEUTERANOPIA, 0x808080, 0x808080),
    (Vision.TRITANOPIA, 0xFFFFFF, 0xFEFEFE),
    (Vision.TRITANOPIA, 0xFF0000, 0xFE004E),
    (Vision.TRITANOPIA, 0x00FF00, 0x7BEAFE),
    (Vision.TRITANOPIA, 0x0000FF, 0x005F86),
    (Vision.TRITANOPIA, 0xFFC54A, 0xFEB9C1),
    (Vision.TRITANOPIA, 0x62B0FF, 0x49B8D8),
    (Vision.TRITANOPIA, 0x7E1E17, 0x7E192E),
    (Vision.TRITANOPIA, 0x808080, 0x808080),
]
"""Colours from the package `daltonlens` 0.1.5, by the method of Brettel and others."""


@pytest.mark.parametrize(("vision", "colour", "expected"), SEEN)
def test_a_simulated_eye_sees_what_another_simulation_says(
    vision: Vision, colour: int, expected: int
) -> None:
    assert distance(simulate_vision(colour, vision), expected) < 1.5


def test_normal_eyes_see_every_colour_as_it_is() -> None:
    assert all(
        simulate_vision(colour, Vision.NORMAL) == colour for colour in range(0, 1 << 24, 65_537)
    )


def test_the_least_distance_names_the_two_that_this_eye_confuses() -> None:
    colours = {"moss": 0x6B7A20, "brick": 0xA0602A, "sky": 0x62B0FF, "mint": 0x5CC8C0}
    red_green = least_distance(colours, Vision.DEUTERANOPIA)
    assert {red_green.one, red_green.other} == {"moss", "brick"}
    assert red_green.distance < least_distance(colours).distance
    assert {*least_distance(colours, Vision.TRITANOPIA)[1:]} == {"sky", "mint"}
