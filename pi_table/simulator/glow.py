"""Computes how a lit cell looks: opal acrylic over its lights, and a paper card on the acrylic.

The room's light and the LEDs' light are added in linear units, on a coarse grid that the painter
smooths. All dimensions are those of hardware/dimensions.toml, in millimetres. Positions count from
the cell's middle.

An electrode is glued under the middle of each cell. So only a ring around it is lit. With an LED in
each corner, the corners are brightest. The light of a string lies deeper, in the middle, so the
ring is almost even. A card covers most of the ring, and lets some light through.
"""

import math
from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.common.geometry import LED_COUNT, leds_of
from pi_table.common.light_layout import LightLayout
from pi_table.devices.hal.contracts import LightFrame
from pi_table.screens.console.shapes import Blend, Colour

LEDS: Final = ((-42.0, -32.0), (42.0, -32.0), (42.0, 32.0), (-42.0, 32.0))
"""Positions of a cell's LEDs, x and y in millimetres from its middle. A pad has only the first
two."""
CELL: Final = (100.0, 80.0)
WALL: Final = 1.6
ELECTRODE: Final = (76.0, 52.0)
DEPTH: Final = 11.0
"""Height in millimetres of the sheet above the LEDs of the tiles."""
STRING_DEPTH: Final = 35.0
"""Height in millimetres of the sheet above a string's lights (hardware/evening_design.py)."""
WALLS_REFLECT: Final = 0.85
STRAY: Final = 0.006
"""Share of an LED's light that is scattered evenly over its cell. With this value, the ring is as
uneven as in the simulation of photons in enclosure/checks/light.py."""
STRING_STRAY: Final = 0.06
"""Share of a light that is scattered evenly over a deep cell. The cell's white foam board scatters
most light before it leaves (estimated from an LED's light and the cell's area, not measured)."""
EDGE: Final = 3.0
"""Distance in millimetres, from the electrode's edge inwards, over which the sheet's light falls to
a third."""
ROOM: Final = (1.45, 1.36, 1.22)
"""Red, green and blue light that a white surface reflects in a bar. The unit is a pixel of the
screen at full brightness."""
FULL: Final = 14.0
"""Light of an LED at full power, seen through the sheet above it, in the units of ``ROOM``. It is
some ten times as bright as paper (estimated, not measured)."""


class Spot(msgspec.Struct, frozen=True):
    """A light below a place: its position in millimetres from the middle, how deep it lies, and
    the share of its light that is scattered evenly."""

    x: float
    y: float
    depth: float = DEPTH
    stray: float = STRAY


CORNERS: Final = tuple(Spot(*at) for at in LEDS)


class Lights(msgspec.Struct, frozen=True):
    """The lights below a place."""

    colours: tuple[Colour, ...]
    spots: tuple[Spot, ...] = CORNERS
    """The position of each light. There may be more positions than lights."""


class LitTable:
    """A light frame, shown by a string with one layout."""

    def __init__(self, frame: LightFrame, layout: LightLayout) -> None:
        """``frame`` has what people see at each LED's position."""
        self._frame = frame
        self._layout = layout

    def lights_of(self, place: int) -> Lights:
        spots, leds = _spots(self._layout, place)
        return Lights(tuple(self._frame[led] for led in leds), spots)


@cache
def _spots(layout: LightLayout, place: int) -> tuple[tuple[Spot, ...], tuple[int, ...]]:
    """Return the position of each light of a place, and an LED whose colour it has."""
    lights = [layout.lights[light] for light in layout.lights_of(place)]
    own = leds_of(place)
    if all(len(leds) == 1 for leds in lights) and layout.light_count >= LED_COUNT:
        return CORNERS, tuple(own)
    spots = []
    for leds in lights:
        x, y = (sum(LEDS[led - own.start][axis] for led in leds) / len(leds) for axis in (0, 1))
        spots.append(Spot(x, y if len(own) == len(LEDS) else 0.0, STRING_DEPTH, STRING_STRAY))
    return tuple(spots), tuple(leds[0] for leds in lights)


class Surface(msgspec.Struct, frozen=True):
    """A surface above the LEDs, centred on the middle of the cell."""

    size: tuple[float, float]
    """Width and height in millimetres."""
    points: tuple[int, int]
    """Number of columns and rows of the grid on which the surface's light is computed."""
    reflects: float
    """Share of the room's light that the surface reflects."""
    passes: float
    """Share of the light from the sheet that the surface lets through."""
    radius: int = 0
    """Radius in pixels of the rounded corners; 0 for sharp corners."""


SHEET: Final = Surface((CELL[0] - WALL, CELL[1] - WALL), (12, 9), 0.095, 1.0, 7)
"""The part of the sheet above one cell, between the walls of the cell."""
CARD: Final = Surface((88.0, 63.0), (9, 7), 0.86, 0.13)

Box = tuple[float, float, float, float]
"""A rectangle: x, y, width and height in pixels."""


def light_surface(box: Box, lights: Lights, surface: Surface) -> Blend:
    """Return the drawing of a surface in ``box``, lit from below by these lights."""
    field = _field(lights.colours, lights.spots, surface)
    return Blend(*box, surface.points[0], field, surface.radius)


@lru_cache(maxsize=4096)
def _field(leds: tuple[Colour, ...], spots: tuple[Spot, ...], surface: Surface) -> bytes:
    """Return the colours of the grid's points, row by row. Each has a byte for red, green and
    blue."""
    # Compute each light once: LEDs may have the same colour, and points the same mixture.
    colours = tuple({led: None for led in leds if led})
    alike = tuple(tuple(n for n, led in enumerate(leds) if led == colour) for colour in colours)
    mixtures, order = _mixtures(alike, spots, surface)
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
    """Return the colour with which a screen shows this light. Bright light is compressed as by a
    camera, but keeps its proportions of red, green and blue: a red LED stays red."""
    scale = _COMPRESSED[int(256 * max(red, green, blue))]
    return bytes((_LOOKS[int(red * scale)], _LOOKS[int(green * scale)], _LOOKS[int(blue * scale)]))


@cache
def _mixtures(
    alike: tuple[tuple[int, ...], ...], spots: tuple[Spot, ...], surface: Surface
) -> tuple[list[tuple[float, ...]], list[int]]:
    """Return the different mixtures of light on the surface, and for each point the number of its
    mixture.

    ``alike`` groups the LEDs of the same colour. A mixture has a weight for each group.
    """
    columns, rows = surface.points
    found: dict[tuple[float, ...], int] = {}
    order = []
    for row in range(rows):
        for column in range(columns):
            x = (column / (columns - 1) - 0.5) * surface.size[0]
            y = (row / (rows - 1) - 0.5) * surface.size[1]
            beside = min(ELECTRODE[0] / 2 - abs(x), ELECTRODE[1] / 2 - abs(y))
            passes = FULL * surface.passes * math.exp(-max(0.0, beside) / EDGE)
            sums = (sum(_above(x, y, spots[led]) for led in group) for group in alike)
            mixture = tuple(round(passes * each, 3) for each in sums)
            order.append(found.setdefault(mixture, len(found)))
    return list(found), order


def _above(x: float, y: float, spot: Spot) -> float:
    """Return the light that a point of the sheet gets from a light and from its reflections in the
    walls. Straight above an LED of a tile, its direct light is 1."""
    light = spot.stray
    for at_x, by_x in _images(spot.x, CELL[0]):
        for at_y, by_y in _images(spot.y, CELL[1]):
            away = math.hypot(x - at_x, y - at_y) / spot.depth
            light += by_x * by_y * (DEPTH / spot.depth) ** 2 / (1 + away**2) ** 2
    return light


def _images(at: float, width: float) -> tuple[tuple[float, float], ...]:
    """Return the position of a light along one axis, and of its reflections in the walls, each with
    its brightness. Only the nearer wall counts, if one is nearer."""
    walls = (math.copysign(width, at),) if at else (-width, width)
    return ((at, 1.0), *((wall - at, WALLS_REFLECT) for wall in walls))


_LIGHT: Final = [(value / 255) ** 2.2 for value in range(256)]
_LOOKS: Final = [round(255 * (step / 1023) ** (1 / 2.2)) for step in range(1024)]
_COMPRESSED: Final = [1023 * (1 - math.exp(-m / 256)) / (m / 256) for m in range(1, 8193)]
"""For light m, in steps of 1/256: the factor by which m becomes 1 - exp(-m), times 1023."""
