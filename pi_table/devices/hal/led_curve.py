"""How strongly an LED is driven for a colour to look as it is told, and the other way round.

A colour is told in sRGB, as a screen is told. An LED gives light by pulses, so twice the pulse is
twice the light, and the eye does not see that as twice as bright. sRGB says how much light each
number means (IEC 61966-2-1). Another curve would do for the brightness, but then a screen and an
LED that are told the same would differ in hue.

The controller has this curve in its firmware (`firmware/curve.py`, `firmware/core/lights.c`). Here
it is for whoever looks at its LEDs, or drives some.
"""

from typing import Final

_MOST: Final = 255


def _light(channel: int) -> float:
    share = channel / _MOST
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _channel(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


_PULSES: Final = [round(_MOST * _light(channel)) for channel in range(_MOST + 1)]
_CHANNELS: Final = [round(_MOST * _channel(pulse / _MOST)) for pulse in range(_MOST + 1)]


def driven(colour: int) -> int:
    """The pulses, 0xRRGGBB, of an LED that is to look as this colour 0xRRGGBB.

    A colour that is not black is not driven as black: where each of its pulses comes to nothing,
    its strongest get the least that there is. So what glows dimly glows, and in its own hue.
    """
    channels = colour.to_bytes(3, "big")
    pulses = [_PULSES[channel] for channel in channels]
    if colour and not any(pulses):
        pulses = [int(channel == max(channels)) for channel in channels]
    return int.from_bytes(pulses, "big")


def looks(pulses: int) -> int:
    """The colour 0xRRGGBB that an LED with these pulses 0xRRGGBB looks like."""
    return int.from_bytes([_CHANNELS[pulse] for pulse in pulses.to_bytes(3, "big")], "big")
