"""The conversion between colours and the pulses of an LED.

Colours are sRGB, as on a screen. An LED makes light by pulses: a pulse of twice the length makes
twice the light, but an eye does not see twice the brightness. sRGB defines the amount of light for
each channel value (IEC 61966-2-1). With another curve, a screen and an LED would show the same
colour in different hues.

The controller has this curve in its firmware (`firmware/curve.py`, `firmware/core/lights.c`). This
module is for code that reads the controller's LEDs, or that drives LEDs itself.
"""

from typing import Final

_MAX_LEVEL: Final = 255


def _light(channel: int) -> float:
    share = channel / _MAX_LEVEL
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _channel(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


_PULSES: Final = [round(_MAX_LEVEL * _light(channel)) for channel in range(_MAX_LEVEL + 1)]
_CHANNELS: Final = [
    round(_MAX_LEVEL * _channel(pulse / _MAX_LEVEL)) for pulse in range(_MAX_LEVEL + 1)
]


def pulses_of_colour(colour: int) -> int:
    """Return the pulses 0xRRGGBB with which an LED shows the colour 0xRRGGBB.

    A colour other than black never becomes black: if all its pulses round to zero, its strongest
    channels get the smallest pulse. So a dim colour still glows, in its own hue.
    """
    channels = colour.to_bytes(3, "big")
    pulses = [_PULSES[channel] for channel in channels]
    if colour and not any(pulses):
        pulses = [int(channel == max(channels)) for channel in channels]
    return int.from_bytes(pulses, "big")


def colour_of_pulses(pulses: int) -> int:
    """Return the colour 0xRRGGBB that an LED shows with these pulses 0xRRGGBB."""
    return int.from_bytes([_CHANNELS[pulse] for pulse in pulses.to_bytes(3, "big")], "big")
