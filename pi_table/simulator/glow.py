"""The look of a lit cell: opal acrylic over four LEDs, and a card of paper on it.

The room's light and the light of the LEDs are added in linear units on a coarse grid that a painter
smooths. The lengths are those of hardware/dimensions.toml, in millimetres from a cell's middle.

An electrode is glued under the middle of each cell, so only a ring around it is lit: brightest at
the corners, above the LEDs. A card covers most of that ring, and its edges let some light through.
"""

import math
from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.screens.console.shapes import Blend, Colour

LEDS: Final = ((-42.0, -32.0), (42.0, -32.0), (42.0, 32.0), (-42.0, 32.0))
"""Places of a cell's LEDs. A pad has the first two."""
CELL: Final = (100.0, 80.0)
WALL: Final = 1.6
ELECTRODE: Final = (76.0, 52.0)
DEPTH: Final = 11.0
"""Height of the sheet above the LEDs."""
WALLS_REFLECT: Final = 0.85
STRAY: Final = 0.006
"""The share of an LED's light that arrives everywhere in its cell, scattered. With it the ring is
as uneven as the photons of enclosure/checks/light.py say."""
EDGE: Final = 3.0
"""Millimetres over which light falls to a third behind the electrode's edge, within the sheet."""
ROOM: Final = (1.45, 1.36, 1.22)
"""The light of a bar: what a white surface reflects, relative to a bright pixel."""
FULL: Final = 14.0
"""The light of an LED that is full on, as seen through the sheet above it, in the same units. By a
rough estimate, not measured, it is some ten times as bright as paper."""


class Surface(msgspec.Struct, frozen=True):
    """A surface over the LEDs, centred on them."""

    size: tuple[float, float]
    """Width and height in millimetres."""
    points: tuple[int, int]
    """Columns and rows of the grid."""
    reflects: float
    """The share of the room's light that it reflects."""
    passes: float
    """The share of the light above the sheet that it lets through."""
    radius: int = 0
    """Pixels; radius of its corners, which are soft if there is one."""


SHEET: Final = Surface((CELL[0] - WALL, CELL[1] - WALL), (12, 9), 0.095, 1.0, 7)
"""One cell of the sheet, between walls."""
CARD: Final = Surface((88.0, 63.0), (9, 7), 0.86, 0.13)

Box = tuple[float, float, float, float]
"""A rectangle: x, y, width and height in pixels."""


def light_surface(box: Box, leds: tuple[Colour, ...], surface: Surface) -> Blend:
    """Return a surface lit from below by these LEDs, in ``box``."""
    return Blend(*box, surface.points[0], _field(leds, surface), surface.radius)


@lru_cache(maxsize=4096)
def _field(leds: tuple[Colour, ...], surface: Surface) -> bytes:
    """Return the colours of the grid, row by row: red, green and blue."""
    # LEDs of one colour are one light, and many points get the same light.
    colours = tuple({led: None for led in leds if led})
    alike = tuple(tuple(n for n, led in enumerate(leds) if led == colour) for colour in colours)
    mixtures, order = _mixtures(alike, surface)
    lights = [[_LIGHT[colour >> shift & 0xFF] for shift in (16, 8, 0)] for colour in colours]
    room = [surface.reflects * part for part in ROOM]
    looks = []
    for weights in mixtures:
        red, green, blue = room
        for weight, (more_red, more_green, more_blue) in zip(weights, lights):  # noqa: B905
            red += weight * more_red
            green += weight * more_green
            blue += weight * more_blue
        looks.append(_look(red, green, blue))
    return b"".join([looks[number] for number in order])


def _look(red: float, green: float, blue: float) -> bytes:
    """Return the colour of light on a screen. Bright light is compressed as on a film, but keeps
    the proportions of its parts: a red LED stays red."""
    scale = _COMPRESSED[int(256 * max(red, green, blue))]
    return bytes((_LOOKS[int(red * scale)], _LOOKS[int(green * scale)], _LOOKS[int(blue * scale)]))


@cache
def _mixtures(
    alike: tuple[tuple[int, ...], ...], surface: Surface
) -> tuple[list[tuple[float, ...]], list[int]]:
    """Return the different mixtures of light on the surface, and each point's mixture. A mixture
    has a weight for each group of LEDs that are lit alike."""
    columns, rows = surface.points
    found: dict[tuple[float, ...], int] = {}
    order = []
    for row in range(rows):
        for column in range(columns):
            x = (column / (columns - 1) - 0.5) * surface.size[0]
            y = (row / (rows - 1) - 0.5) * surface.size[1]
            beside = min(ELECTRODE[0] / 2 - abs(x), ELECTRODE[1] / 2 - abs(y))
            passes = FULL * surface.passes * math.exp(-max(0.0, beside) / EDGE)
            sums = (sum(_above(x, y, LEDS[led]) for led in group) for group in alike)
            mixture = tuple(round(passes * each, 3) for each in sums)
            order.append(found.setdefault(mixture, len(found)))
    return list(found), order


def _above(x: float, y: float, led: tuple[float, float]) -> float:
    """Return the light that a point of the sheet gets from an LED and its mirrors in the walls,
    relative to the point above the LED."""
    light = STRAY
    for at_x, by_x in ((led[0], 1.0), (math.copysign(CELL[0], led[0]) - led[0], WALLS_REFLECT)):
        for at_y, by_y in ((led[1], 1.0), (math.copysign(CELL[1], led[1]) - led[1], WALLS_REFLECT)):
            away = math.hypot(x - at_x, y - at_y) / DEPTH
            light += by_x * by_y / (1 + away**2) ** 2
    return light


_LIGHT: Final = [(value / 255) ** 2.2 for value in range(256)]
_LOOKS: Final = [round(255 * (step / 1023) ** (1 / 2.2)) for step in range(1024)]
_COMPRESSED: Final = [1023 * (1 - math.exp(-m / 256)) / (m / 256) for m in range(1, 8193)]
"""For each 256th of light, the factor that compresses it from m to 1 - exp(-m), in 1023rds."""
