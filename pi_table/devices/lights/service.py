"""The lights in service mode. They show only the test in progress, and nothing about a game."""

from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, OFF, WARM, WHITE, dim

QUIET: Final = dim(WARM, 0.15)


class Tried(msgspec.Struct, frozen=True):
    lit: frozenset[int] = frozenset()
    """Numbers (0 … 103) of the LEDs that are lit; all other LEDs are dark."""
    colour: int = WHITE
    """Colour 0xRRGGBB of the LEDs in ``lit``."""
    touched: frozenset[int] | None = None
    """Numbers (0 … 26) of the touched places during a touch test; None in other tests."""
    deaf: frozenset[int] = frozenset()
    """Numbers (0 … 26) of the places that cannot be read, during a touch test."""


def paint(canvas: Canvas, tried: Tried) -> None:
    for led in tried.lit:
        canvas.leds[led] = tried.colour
    if tried.touched is None:
        return
    for place in range(PLACE_COUNT):
        canvas.place(place, WHITE if place in tried.touched else QUIET)
    for place in tried.deaf:
        canvas.corners(place, (AMBER, OFF))
