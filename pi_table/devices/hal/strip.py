"""The pulses of each light, for an LED strip that this machine drives itself.

If the controller drives the strip, its firmware calculates the same pulses
(`firmware/core/limit.h`, and `firmware/linux/laid.c` on a Raspberry Pi).
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from pi_table.common.geometry import LED_COUNT
from pi_table.common.light_layout import LightLayout
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import colour_of_pulses, pulses_of_colour

CHANNEL_MA: Final = 20
IDLE_MA: Final = 1
"""Current in milliamperes of a WS2812B's own logic, by its data sheet.

Each of the LED's three colours needs `CHANNEL_MA` at full brightness, and proportionally less at
lower brightness.
"""


def pulses_of(frame: LightFrame, most_ma: int, layout: LightLayout) -> tuple[int, ...]:
    """Return the pulses 0xRRGGBB of each light in strip order. All lights together draw at most
    ``most_ma`` milliamperes."""
    pulses = [pulses_of_colour(colour) for colour in frame]
    means = [mean_of([pulses[led] for led in leds]) for leds in layout.lights]
    return limit_current(means, most_ma)


def mean_of(pulses: Sequence[int]) -> int:
    """Return the mean of these ``pulses`` (0xRRGGBB of several LEDs), for one light that shows all
    these LEDs. Without LEDs, the light is dark.

    A light never goes out through rounding: if all its means round to zero, its strongest channels
    get the smallest pulse.
    """
    if len(pulses) == 1:
        return pulses[0]
    sums = [sum(pulse >> shift & 0xFF for pulse in pulses) for shift in (16, 8, 0)]
    if not any(sums):
        return 0
    means = [(each + len(pulses) // 2) // len(pulses) for each in sums]
    if not any(means):
        means = [int(each == max(sums)) for each in sums]
    return int.from_bytes(means, "big")


def seen_frame(frame: LightFrame, layout: LightLayout) -> LightFrame:
    """Return the colour 0xRRGGBB that people see at each LED's position, if a string with this
    layout shows the frame. Where several lights show one LED, the colour is their mean."""
    if _shows_each_led(layout):
        return frame
    pulses = [pulses_of_colour(colour) for colour in frame]
    means = [mean_of([pulses[led] for led in leds]) for leds in layout.lights]
    return tuple(
        colour_of_pulses(mean_of([means[light] for light in lights]))
        for lights in _lights_by_led(layout)
    )


@cache
def _shows_each_led(layout: LightLayout) -> bool:
    """True if every light shows one LED. All LEDs are shown, so the frame is seen as it is."""
    return all(len(leds) == 1 for leds in layout.lights)


@cache
def _lights_by_led(layout: LightLayout) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the lights that show each LED."""
    return tuple(
        tuple(light for light, leds in enumerate(layout.lights) if led in leds)
        for led in range(LED_COUNT)
    )


def limit_current(pulses: Sequence[int], most_ma: int) -> tuple[int, ...]:
    """Return these pulses, shortened if they would draw more than ``most_ma`` milliamperes.

    Each lit channel keeps at least the smallest pulse, so no light goes out. All channels lose the
    same share of the rest. If even the smallest pulses exceed the limit, all lights are dark.
    """
    channels = b"".join(pulse.to_bytes(3, "big") for pulse in pulses)
    most = max(most_ma - IDLE_MA * len(pulses), 0) * 255 // CHANNEL_MA
    drawn = sum(channels)
    if drawn <= most:
        return tuple(pulses)
    least = sum(map(bool, channels))
    if least > most:
        return (0,) * len(pulses)
    share = ((most - least) << 15) // (
        drawn - least
    ) << 1  # in 1/65536; an even number, as in the firmware
    short = bytes(1 + ((channel - 1) * share >> 16) if channel else 0 for channel in channels)
    return tuple(int.from_bytes(short[at : at + 3], "big") for at in range(0, len(short), 3))
