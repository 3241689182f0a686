"""The look of the console on one screen: the number of units, the size of a unit, and the colours.

A unit is 0.19 mm (`style.UNIT`) if the screen is large enough. So type and buttons have the same
size on every 7-inch screen, however many pixels it has. On a smaller screen units are smaller, so
that every page still fits.

Seen from 60 cm, capital letters are at least 16 minutes of arc high on a 7-inch screen (19 in large
type), and 10 on a 3.5-inch screen. The smallest touch targets are 9 mm high on a 7-inch screen
(8.2 mm in large type, which leaves less room for tiles), and 4.4 mm on a 3.5-inch screen. 4.4 mm is
too small for fingers. People can use the encoder and the buttons instead.
"""

from collections.abc import Mapping
from math import ceil, hypot
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.config import ConsoleSection
from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.common.language import say
from pi_table.screens.console import style
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.schemes import colours_of
from pi_table.screens.console.shapes import (
    Blend,
    Circle,
    Colour,
    Line,
    Polygon,
    Rect,
    Scene,
    Shadow,
    Shape,
    Text,
)

LARGE: Final = 1.2
"""Factor by which everything is enlarged if the house has chosen large type."""
MIN_UNITS: Final = (640, 400)
"""Minimum width and height of a screen, in units. Every page of the console fits into it."""
MAX_UNITS: Final = (960, 576)
"""Units: the maximum width and height. A larger screen has larger units instead of more units."""


class Look(msgspec.Struct, frozen=True):
    """The look of a screen of ``width`` by ``height`` pixels. A unit is ``scale`` pixels.
    ``colours`` maps colours of `style` to colours that replace them."""

    width: int = style.WIDTH
    height: int = style.HEIGHT
    scale: float = 1.0
    colours: Mapping[Colour, Colour] = {}

    @property
    def layout(self) -> Layout:
        return Layout(int(self.width / self.scale), int(self.height / self.scale))


def look_for(section: ConsoleSection, house: House) -> Look:
    """Return the look of the configured screen. Raises InputError if the screen is higher than
    wide."""
    w, h = section.width, section.height
    if w < h:
        raise InputError(
            say(
                "A screen of {w} × {h} pixels is upright, and the console needs a wide one: swap "
                "width and height in [console], and turn the screen.",
                w=w,
                h=h,
            )
        )
    millimetre = hypot(w, h) / (section.inches * 25.4)
    scale = millimetre * style.UNIT * (LARGE if house.text_size == "large" else 1.0)
    scale = max(scale, w / MAX_UNITS[0], h / MAX_UNITS[1])
    scale = min(scale, w / MIN_UNITS[0], h / MIN_UNITS[1])
    return Look(w, h, scale, colours_of(house.palette, house.high_contrast))


def convert_scene(scene: Scene, look: Look) -> Scene:
    """Return a scene converted from units to this screen's pixels and colours."""
    if look.scale != 1.0:
        scene = tuple(_scale(shape, look.scale) for shape in scene)
    if look.colours:
        scene = tuple(_recolour(shape, look.colours) for shape in scene)
    return scene


def _scale(shape: Shape, scale: float) -> Shape:
    """Return the shape ``scale`` times as large. Edges fall on whole pixels, so that neighbours
    still touch. Type keeps its minimum size."""
    if isinstance(shape, Rect | Circle):
        thick = max(1, round(shape.thick * scale)) if shape.thick else 0
    if isinstance(shape, Rect):
        left, top = round(shape.x * scale), round(shape.y * scale)
        w, h = round((shape.x + shape.w) * scale) - left, round((shape.y + shape.h) * scale) - top
        radius = round(shape.radius * scale)
        return replace(shape, x=left, y=top, w=w, h=h, thick=thick, radius=radius)
    if isinstance(shape, Circle):
        x, y = shape.x * scale, shape.y * scale
        return replace(shape, x=x, y=y, r=shape.r * scale, thick=thick)
    if isinstance(shape, Text):
        sizes = {
            field: ceil(getattr(shape, field) * scale - 0.01) for field in ("size", "least", "last")
        }
        at = {field: getattr(shape, field) * scale for field in ("x", "y", "w", "h")}
        return replace(shape, **at, **sizes)
    if isinstance(shape, Blend | Shadow):
        at = {field: getattr(shape, field) * scale for field in ("x", "y", "w", "h")}
        return replace(shape, **at)
    points = tuple((x * scale, y * scale) for x, y in shape.points)
    if isinstance(shape, Polygon):
        return replace(shape, points=points)
    return replace(shape, points=points, thick=shape.thick * scale)


def _recolour(shape: Shape, colours: Mapping[Colour, Colour]) -> Shape:
    if isinstance(shape, Blend | Shadow):
        return shape
    if isinstance(shape, Line | Text):
        return replace(shape, colour=colours.get(shape.colour, shape.colour))
    if isinstance(shape, Polygon):
        return replace(shape, fill=colours.get(shape.fill, shape.fill))
    fill = None if shape.fill is None else colours.get(shape.fill, shape.fill)
    line = None if shape.line is None else colours.get(shape.line, shape.line)
    return replace(shape, fill=fill, line=line)
