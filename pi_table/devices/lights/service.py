"""The lights of a table in service: they show only the test, nothing of a game."""

from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, OFF, WARM, WHITE, dim

QUIET: Final = dim(WARM, 0.15)
"""The colour of a working place that is not touched."""


class Tried(msgspec.Struct, frozen=True):
    """The test that the lights show in service."""

    lit: frozenset[int] = frozenset()
    """The only LEDs (0 … 103) that are lit."""
    colour: int = WHITE
    """Colour 0xRRGGBB of the LEDs in ``lit``."""
    touched: frozenset[int] | None = None
    """The touched places during a touch test, otherwise None."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot be read, during a touch test."""


def paint(canvas: Canvas, tried: Tried) -> None:
    """Paint the test on dark lights."""
    for led in tried.lit:
        canvas.leds[led] = tried.colour
    if tried.touched is None:
        return
    for place in range(PLACE_COUNT):
        canvas.place(place, WHITE if place in tried.touched else QUIET)
    for place in tried.deaf:
        canvas.corners(place, (AMBER, OFF))
