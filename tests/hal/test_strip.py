"""The strip at the Pi: as the wiring has it, and drawing what the firmware would let it draw."""

import ctypes
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pi_with_spi import LED_OF_LIGHT, PROGRAMS, ROOT

from pi_table.common.config import load
from pi_table.common.geometry import LED_COUNT, PLACE_COUNT, PLACES, STRIP, leds_of
from pi_table.common.light_layout import parse_layout, preset
from pi_table.devices.hal.strip import (
    CHANNEL_MA,
    IDLE_MA,
    limit_current,
    mean_of,
    pulses_of,
    seen_frame,
)

FIRMWARE = ROOT / "firmware"
Told = Callable[[Sequence[int], int], list[int]]


def test_the_lights_of_the_strip_lie_as_the_wiring_has_them() -> None:
    assert [*STRIP] == LED_OF_LIGHT
    assert [*preset("tiles").lights] == [(led,) for led in LED_OF_LIGHT]


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return the firmware's own lights: a function from a frame and its current limit to the pulses
    of each light."""
    folder = tmp_path_factory.mktemp("firmware")
    built = folder / "lights.so"
    flags = [
        "-shared",
        "-fPIC",
        "-O1",
        "-std=gnu99",
        f"-I{FIRMWARE / 'build'}",
        f"-I{FIRMWARE / 'core'}",
    ]
    sources = [
        PROGRAMS / "firmware_lights.c",
        *(FIRMWARE / f"core/{n}.c" for n in ("lights", "wired", "crc")),
    ]
    subprocess.run(["gcc", *flags, *map(str, sources), "-o", str(built)], check=True)
    told = ctypes.CDLL(str(built)).pulses_of

    def pulses(frame: Sequence[int], most_ma: int) -> list[int]:
        found = (ctypes.c_uint32 * LED_COUNT)()
        told((ctypes.c_uint32 * LED_COUNT)(*frame), ctypes.c_uint16(most_ma), found)
        return [*found]

    return pulses


def test_the_pulses_are_those_that_the_firmware_would_send(firmware: Told) -> None:
    chance = random.Random(104)
    for number in range(2000):
        most = (0xFF, 0x0F, 0x60)[number % 3]
        frame = tuple(
            sum(chance.randint(0, most) << shift for shift in (16, 8, 0)) for _ in range(LED_COUNT)
        )
        most_ma = chance.choice((100, 104, 105, 120, 500, 2000, 6500, chance.randint(100, 6500)))
        found = pulses_of(frame, most_ma, preset("tiles"))
        assert [*found] == firmware(frame, most_ma), (number, most_ma)


@pytest.mark.parametrize(
    ("pulses", "mean"),
    [
        ((), 0),
        ((0x123456,), 0x123456),
        ((0x102030, 0x304050), 0x203040),
        ((0x010101, 0x000000), 0x010101),  # a half is rounded up
        ((0xFF0000, 0, 0, 0), 0x400000),
        ((0xFF0001, 0, 0, 0), 0x400000),
        ((0x010001, 0, 0, 0), 0x010001),  # nothing goes out, and its hue stays
        ((0x010000, 0x000100, 0, 0), 0x010100),
    ],
)
def test_a_light_shows_the_mean_of_the_light_of_its_leds(
    pulses: tuple[int, ...], mean: int
) -> None:
    assert mean_of(pulses) == mean


def test_people_see_each_cell_in_the_colour_of_its_lights(tmp_path: Path) -> None:
    frame = tuple(0x010000 * (led % 200 + 50) for led in range(LED_COUNT))
    assert seen_frame(frame, preset("tiles")) == frame
    seen = seen_frame(frame, preset("string-100"))
    for place in range(PLACE_COUNT):
        (colour,) = {seen[led] for led in leds_of(place)}
        assert min(frame[led] for led in leds_of(place)) <= colour
        assert colour <= max(frame[led] for led in leds_of(place))
    mixed = parse_layout("\n".join(("A1 far", "A1 near", "A1 near", *PLACES[1:])), "mixed")
    seen = seen_frame((0xFF0000, 0xFF0000, 0, 0) + (0,) * 100, mixed)
    assert seen[:5] == (0xFF0000, 0xFF0000, 0, 0, 0)


def test_the_limit_counts_the_lights_of_the_string() -> None:
    white = (0xFFFFFF,) * LED_COUNT
    layout = preset("string-100")
    lit = sum(map(bool, layout.lights))
    pulses = pulses_of(white, 6500, layout)
    assert pulses == tuple(0xFFFFFF if leds else 0 for leds in layout.lights)
    assert pulses_of(white, 60 * lit + IDLE_MA * 50, layout) == pulses
    for most_ma in (60 * lit + IDLE_MA * 50 - 1, 1000, 200):
        short = pulses_of(white, most_ma, layout)
        drawn = sum(sum(pulse.to_bytes(3, "big")) for pulse in short) * CHANNEL_MA / 255
        assert 0.9 * most_ma < drawn + IDLE_MA * 50 <= most_ma


def test_what_is_drawn_stays_within_its_bounds_and_nothing_lit_goes_out() -> None:
    chance = random.Random(5)
    for most_ma in range(500, 6600, 100):
        pulses = [chance.randrange(1 << 24) for _ in range(LED_COUNT)]
        short = limit_current(pulses, most_ma)
        drawn = sum(sum(pulse.to_bytes(3, "big")) for pulse in short) * CHANNEL_MA / 255
        assert drawn + IDLE_MA * LED_COUNT <= most_ma
        for before, after in zip(pulses, short, strict=True):
            for one, other in zip(before.to_bytes(3, "big"), after.to_bytes(3, "big"), strict=True):
                assert bool(one) == bool(other)
                assert other <= one


def test_a_table_may_draw_what_the_firmware_lets_it_draw_by_default() -> None:
    facts = (FIRMWARE / "vectors/facts.txt").read_text("utf-8").splitlines()
    default = next(line.split()[1] for line in facts if line.startswith("DEFAULT_MA "))
    assert load().lights.max_milliamps == int(default)


def test_the_figures_of_a_light_are_the_firmwares() -> None:
    source = (Path(FIRMWARE) / "core/limit.h").read_text("utf-8")
    assert f"#define CHANNEL_MA {CHANNEL_MA}u\n#define IDLE_MA {IDLE_MA}u\n" in source
