"""The curve of the LEDs: the same in the controller and here, and every lit value stays lit."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.devices.hal.led_curve import colour_of_pulses, pulses_of_colour

FIRMWARE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "firmware/curve.py"))
colours = st.integers(0, 0xFFFFFF)


def test_a_channel_is_driven_as_the_firmware_drives_it() -> None:
    pulses = FIRMWARE["pulses"]()
    assert [pulses_of_colour(channel << 16 | 0xFF) >> 16 for channel in range(256)] == pulses
    assert "".join(FIRMWARE["header"]().split()).count(",".join(map(str, pulses[:10]))) == 1


@pytest.mark.parametrize(
    ("channel", "pulse"), [(0, 0), (6, 0), (7, 1), (64, 13), (128, 55), (188, 128), (255, 255)]
)
def test_half_as_bright_is_a_fifth_of_the_light(channel: int, pulse: int) -> None:
    assert pulses_of_colour(0xFF0000 | channel) & 0xFF == pulse


@given(colours, colours)
def test_what_is_brighter_is_driven_no_less(one: int, other: int) -> None:
    channels = zip(one.to_bytes(3, "big"), other.to_bytes(3, "big"), strict=True)
    brighter = int.from_bytes(bytes(map(max, channels)), "big")
    assert sum(pulses_of_colour(brighter).to_bytes(3, "big")) >= sum(
        pulses_of_colour(one).to_bytes(3, "big")
    )


@given(colours)
def test_black_alone_is_driven_as_black(colour: int) -> None:
    assert (pulses_of_colour(colour) == 0) == (colour == 0)


@pytest.mark.parametrize(
    ("colour", "pulses"),
    [(0x010000, 0x010000), (0x040506, 0x000001), (0x050502, 0x010100), (0x060606, 0x010101)],
)
def test_the_dimmest_glow_in_their_own_hue(colour: int, pulses: int) -> None:
    assert pulses_of_colour(colour) == pulses


@given(colours)
def test_what_an_led_looks_like_is_what_was_told_but_for_the_steps_of_its_pulses(
    colour: int,
) -> None:
    for told, seen in zip(
        colour.to_bytes(3, "big"),
        colour_of_pulses(pulses_of_colour(colour)).to_bytes(3, "big"),
        strict=True,
    ):
        assert abs(told - seen) <= (13 if told < 20 else 3 if told < 60 else 1)
