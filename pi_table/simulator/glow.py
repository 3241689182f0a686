"""The look of a lit cell: its LEDs under a diffuser, and a card of paper on top.

The light of the LEDs is added in linear units on a coarse grid that a painter smooths. In a dim bar
people see the edge of a cell, and the light that shines through the paper.
"""

import math
from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.screens.console.shapes import Blend, Colour

LEDS_MM: Final = ((-20.0, -12.0), (20.0, -12.0), (20.0, 12.0), (-20.0, 12.0))
PAD_LEDS_MM: Final = ((-20.0, 0.0), (20.0, 0.0))
SPREAD_MM: Final = 13.0
"""Millimetres over which an LED's light under the diffuser falls to a third."""
ROOM: Final = 0.2
"""The light of a dim bar on the table, relative to an LED that is full on."""
_COLUMNS: Final = 6
_ROWS: Final = 5


class Surface(msgspec.Struct, frozen=True):
    """A surface over the LEDs, centred on them."""

    size: tuple[float, float]
    """Width and height in millimetres."""
    reflects: Colour
    """The colour of the room's light that it reflects."""
    passes: float
    """The share of the LEDs' light that it lets through."""


DIFFUSER: Final = Surface((64.0, 44.0), 0x5A5650, 1.5)
"""Smoked acrylic, from wall to wall of a cell."""
CARD: Final = Surface((50.0, 32.0), 0xF2E8D4, 0.4)
"""A card of paper; an edge of light remains around it."""

Box = tuple[float, float, float, float]
"""A rectangle: x, y, width and height in pixels."""


def light_surface(box: Box, leds: tuple[Colour, ...], surface: Surface) -> Blend:
    """Return a surface lit from below by these LEDs, in ``box``."""
    return Blend(*box, _COLUMNS, _field(leds, surface))


@lru_cache(maxsize=4096)
def _field(leds: tuple[Colour, ...], surface: Surface) -> tuple[Colour, ...]:
    lights = [_channels(led) for led in leds]
    room = [ROOM * part for part in _channels(surface.reflects)]
    colours = []
    for weights in _weights(len(leds), surface.size):
        colour = 0
        for channel in range(3):
            light = room[channel]
            for weight, led in zip(weights, lights, strict=True):
                light += surface.passes * weight * led[channel]
            colour = colour << 8 | _LOOKS[min(1023, int(light * 1023))]
        colours.append(colour)
    return tuple(colours)


def _channels(colour: Colour) -> list[float]:
    return [_LIGHT[colour >> shift & 0xFF] for shift in (16, 8, 0)]


@cache
def _weights(leds: int, size: tuple[float, float]) -> list[list[float]]:
    """Return, for each point of the grid, the weight of each LED's light."""
    at = LEDS_MM if leds == len(LEDS_MM) else PAD_LEDS_MM
    weights = []
    for row in range(_ROWS):
        for column in range(_COLUMNS):
            x = (column / (_COLUMNS - 1) - 0.5) * size[0]
            y = (row / (_ROWS - 1) - 0.5) * size[1]
            distances = [math.hypot(x - led_x, y - led_y) for led_x, led_y in at]
            weights.append([math.exp(-((d / SPREAD_MM) ** 2)) for d in distances])
    return weights


_LIGHT: Final[list[float]] = [(value / 255) ** 2.2 for value in range(256)]
_LOOKS: Final[list[int]] = [round(255 * (step / 1023) ** (1 / 2.2)) for step in range(1024)]
