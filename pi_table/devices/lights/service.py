"""The lights of a table in service: what is tried, and nothing of a game."""

from typing import Final

import msgspec

from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, OFF, WARM, WHITE, dim

QUIET: Final = dim(WARM, 0.15)
"""A place that feels, and that nobody touches."""


class Tried(msgspec.Struct, frozen=True):
    """What the lights show in service."""

    lit: frozenset[int] = frozenset()
    """The LEDs (0 … 103) that are lit alone."""
    colour: int = WHITE
    """The colour 0xRRGGBB of those."""
    touched: frozenset[int] | None = None
    """The places that are touched, where touch is tried; else None."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot feel, where touch is tried."""


def paint(canvas: Canvas, tried: Tried) -> None:
    """Paint what is tried, on dark lights."""
    for led in tried.lit:
        canvas.leds[led] = tried.colour
    if tried.touched is None:
        return
    for place in range(PLACE_COUNT):
        canvas.place(place, WHITE if place in tried.touched else QUIET)
    for place in tried.deaf:
        canvas.corners(place, (AMBER, OFF))
