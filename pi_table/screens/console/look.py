"""How the console looks on one screen: how many units that has, how large one is, which colours.

A unit is 0.19 mm (`style.UNIT`) wherever the screen is large enough for that, so that type and
buttons are as large on every screen of 7 inches, however many pixels it has. A smaller screen shows
as many units as a page needs, and makes them smaller.
"""

from collections.abc import Mapping
from math import ceil, hypot
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.config import ConsoleSection
from pi_table.common.errors import InputError
from pi_table.common.house import House
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
    Shape,
    Text,
)

LARGE: Final = 1.2
"""How much larger everything is where large type is wanted."""
LEAST_UNITS: Final = (640, 400)
"""The fewest units, across and down, on which every screen of the console has room."""
MOST_UNITS: Final = (960, 576)
"""A screen that would have more makes them larger."""


class Look(msgspec.Struct, frozen=True):
    """How the console looks: on a screen of ``width`` by ``height`` pixels, ``scale`` pixels to a
    unit, in ``colours`` (what stands for each colour of `style` that is another one here)."""

    width: int = style.WIDTH
    height: int = style.HEIGHT
    scale: float = 1.0
    colours: Mapping[Colour, Colour] = {}

    @property
    def layout(self) -> Layout:
        """Where things lie, in units."""
        return Layout(int(self.width / self.scale), int(self.height / self.scale))


def look_for(section: ConsoleSection, house: House) -> Look:
    """The look of a configured screen as the house wants it. Raises InputError for an upright
    screen."""
    w, h = section.width, section.height
    if w < h:
        raise InputError(
            say(
                "A screen of {w} × {h} pixels stands upright, and the console lies on its side: "
                "give [console] width and height the other way round, and turn the screen.",
                w=w,
                h=h,
            )
        )
    millimetre = hypot(w, h) / (section.inches * 25.4)
    scale = millimetre * style.UNIT * (LARGE if house.text_size == "large" else 1.0)
    scale = max(scale, w / MOST_UNITS[0], h / MOST_UNITS[1])
    scale = min(scale, w / LEAST_UNITS[0], h / LEAST_UNITS[1])
    return Look(w, h, scale, colours_of(house.palette, house.high_contrast))


def shown(scene: Scene, look: Look) -> Scene:
    """A scene in units as it is on this screen: in its pixels and its colours."""
    if look.scale != 1.0:
        scene = tuple(_scaled(shape, look.scale) for shape in scene)
    if look.colours:
        scene = tuple(_coloured(shape, look.colours) for shape in scene)
    return scene


def _scaled(shape: Shape, scale: float) -> Shape:
    """The shape ``scale`` times as large. Edges fall on whole pixels, so that what lay side by side
    still does; type is no smaller than its least size makes it."""
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
        size, least = ceil(shape.size * scale - 0.01), ceil(shape.least * scale - 0.01)
        at = {field: getattr(shape, field) * scale for field in ("x", "y", "w", "h")}
        return replace(shape, **at, size=size, least=least)
    if isinstance(shape, Blend):
        at = {field: getattr(shape, field) * scale for field in ("x", "y", "w", "h")}
        return replace(shape, **at)
    points = tuple((x * scale, y * scale) for x, y in shape.points)
    if isinstance(shape, Polygon):
        return replace(shape, points=points)
    return replace(shape, points=points, thick=shape.thick * scale)


def _coloured(shape: Shape, colours: Mapping[Colour, Colour]) -> Shape:
    if isinstance(shape, Blend):
        return shape
    if isinstance(shape, Line | Text):
        return replace(shape, colour=colours.get(shape.colour, shape.colour))
    if isinstance(shape, Polygon):
        return replace(shape, fill=colours.get(shape.fill, shape.fill))
    fill = None if shape.fill is None else colours.get(shape.fill, shape.fill)
    line = None if shape.line is None else colours.get(shape.line, shape.line)
    return replace(shape, fill=fill, line=line)
