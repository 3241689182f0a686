"""A strip of LEDs that this machine drives itself: how long the pulses of each of its lights are.

Where the controller drives the strip, its firmware does the same (`firmware/core/lights.c`).
"""

from collections.abc import Sequence
from typing import Final

from pi_table.common.geometry import STRIP
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import driven

CHANNEL_MA: Final = 20
IDLE_MA: Final = 1
"""A WS2812B by its data sheet: so much for each of three colours at full, by pulses, so linear; and
what its own logic takes."""


def pulses_of(frame: LightFrame, most_ma: int) -> tuple[int, ...]:
    """The pulses, 0xRRGGBB, of each light of the strip, in its order, for it to look like this and
    draw no more than so many milliamperes."""
    return within([driven(frame[led]) for led in STRIP], most_ma)


def within(pulses: Sequence[int], most_ma: int) -> tuple[int, ...]:
    """These pulses, shortened if they would draw more. Each keeps the least there is, and of what
    is beyond that the same share, so nothing that is lit goes out; unless not even the least may
    be drawn: then all is dark."""
    channels = b"".join(pulse.to_bytes(3, "big") for pulse in pulses)
    most = max(most_ma - IDLE_MA * len(pulses), 0) * 255 // CHANNEL_MA
    drawn = sum(channels)
    if drawn <= most:
        return tuple(pulses)
    least = sum(map(bool, channels))
    if least > most:
        return (0,) * len(pulses)
    share = ((most - least) << 15) // (drawn - least) << 1  # in 65536ths, and as even as firmware's
    short = bytes(1 + ((channel - 1) * share >> 16) if channel else 0 for channel in channels)
    return tuple(int.from_bytes(short[at : at + 3], "big") for at in range(0, len(short), 3))
