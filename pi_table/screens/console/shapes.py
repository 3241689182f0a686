"""The shapes of a picture, and the search for the shape under a finger.

A shape has no meaning, except by its ``target``. When the shape is tapped, the creator of the
picture gets this value. Sizes are in units or in pixels (`look.convert_scene`). Colours are
0xRRGGBB, x grows to the right and y downwards.
"""

from enum import Enum
from typing import Literal

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Words, translate
from pi_table.screens.console import style

Colour = int
Point = tuple[float, float]
Align = Literal["left", "centre", "right"]


class Rect(msgspec.Struct, frozen=True):
    """A rectangle: filled, outlined or both. The outline is ``thick`` wide and lies inside the
    edge."""

    x: float
    y: float
    w: float
    h: float
    fill: Colour | None = None
    line: Colour | None = None
    thick: int = 0
    radius: int = 0
    target: object = None


class Circle(msgspec.Struct, frozen=True):
    """A filled circle, a ring, or both, around (x, y)."""

    x: float
    y: float
    r: float
    fill: Colour | None = None
    line: Colour | None = None
    thick: int = 0


class Polygon(msgspec.Struct, frozen=True):
    points: tuple[Point, ...]
    fill: Colour


class Line(msgspec.Struct, frozen=True):
    """A stroke through the points, with round ends and bends."""

    points: tuple[Point, ...]
    colour: Colour
    thick: float


class Face(Enum):
    PLAIN = "plain"
    BOLD = "bold"
    """The typeface of text that people should see first."""
    NARROW = "narrow"
    """The typeface of words on cards, and of text that is too long in another typeface."""


class Blend(msgspec.Struct, frozen=True):
    """A rectangle of colours that blend into each other. ``colours`` is a grid with ``columns``
    columns. With a ``radius``, the corners are round, and all edges are soft."""

    x: float
    y: float
    w: float
    h: float
    columns: int
    colours: bytes
    """Three bytes (red, green, blue) for each point, row by row."""
    radius: int = 0


class Shadow(msgspec.Struct, frozen=True):
    """A soft black shadow. Its edge fades over ``blur`` pixels, inside the rectangle. ``depth`` is
    its opacity, from 0 to 1."""

    x: float
    y: float
    w: float
    h: float
    blur: int
    depth: float


class Text(msgspec.Struct, frozen=True):
    """Text in a box, vertically centred.

    The text is as large as possible, from ``size`` down to ``least``, and has as many lines as
    necessary. In every typeface, the height of capitals is `style.CAPITAL` times the type size.
    Texts that have the same ``group`` in a scene get one typeface and one size. A text that does
    not fit at ``least`` leaves its group and may shrink to ``last``. `in_language` translates the
    text before the scene is painted.
    """

    x: float
    y: float
    w: float
    h: float
    text: Words
    size: int
    colour: Colour
    align: Align = "left"
    least: int = style.MIN_TYPE_SIZE
    face: Face = Face.PLAIN
    group: object = None
    last: int = style.LAST_RESORT


Shape = Rect | Circle | Polygon | Line | Blend | Shadow | Text
Scene = tuple[Shape, ...]


def hit(scene: Scene, x: float, y: float) -> object:
    """Return the target of the topmost rectangle at (x, y) that has a target; None if there is no
    such rectangle."""
    for shape in reversed(scene):
        if not isinstance(shape, Rect) or shape.target is None:
            continue
        if 0 <= x - shape.x < shape.w and 0 <= y - shape.y < shape.h:
            return shape.target
    return None


def in_language(scene: Scene, lang: Lang) -> Scene:
    return tuple(
        replace(shape, text=translate(shape.text, lang)) if isinstance(shape, Text) else shape
        for shape in scene
    )


def move_scene(scene: Scene, dx: float, dy: float) -> Scene:
    """Return the scene with its origin moved to (dx, dy)."""
    return tuple(_translate(shape, dx, dy) for shape in scene)


def _translate(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Polygon | Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)
