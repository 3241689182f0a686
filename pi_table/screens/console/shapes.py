"""The parts of a picture: flat shapes in pixels, and the search for the shape hit by a finger.

A shape does not know what it means, except by its ``target``: the value that its creator gets when
the shape is tapped. Colours are 0xRRGGBB, x grows to the right and y downwards.
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
    """A rectangle, filled, outlined or both. The outline is ``thick`` pixels, inside the edge."""

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
    """A disc, a ring or both, around (x, y)."""

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
    """The face of text to be seen first."""
    NARROW = "narrow"
    """The face of words on cards, and of text that is too long in another face."""


class Blend(msgspec.Struct, frozen=True):
    """A rectangle of blended colours: a grid, row by row, with this number of columns. Corners
    with a ``radius`` and the edges between them are soft."""

    x: float
    y: float
    w: float
    h: float
    columns: int
    colours: bytes
    """Red, green and blue of each point."""
    radius: int = 0


class Shadow(msgspec.Struct, frozen=True):
    """A soft shadow, ``blur`` pixels wide inside its edge; ``depth`` is from 0 to 1, black."""

    x: float
    y: float
    w: float
    h: float
    blur: int
    depth: float


class Text(msgspec.Struct, frozen=True):
    """Text in a box, vertically centred.

    The text is as large as fits, from ``size`` down to ``least``, in as many lines as fit. A size
    is in pixels; the height of capitals is `style.CAPITAL` times the size in every face.
    All texts of a scene with the same ``group`` have one face and one size. A text that does not
    fit at ``least`` is set by itself, down to ``last``. `in_language` translates the text before
    the scene is painted.
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
    """Return the target of the topmost rectangle with a target under (x, y), or None."""
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
