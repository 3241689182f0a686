"""The drawing of a page on how to play: title, picture, words, and a dot for each page."""

from typing import Final

from msgspec.structs import replace

from pi_table.devices.hal.contracts import Input
from pi_table.screens.console import style
from pi_table.screens.console.how_to_play.screens import DRAWING_HEIGHT, DRAWING_WIDTH, HowToPlay
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.shapes import (
    Blend,
    Circle,
    Face,
    Line,
    Polygon,
    Rect,
    Scene,
    Shadow,
    Shape,
    Text,
)

_TITLE: Final = 46
_WORDS: Final = 104
"""Units: the height of the words below the drawing. The drawing takes the rest of the page."""
_TURN: Final = 56


def how_to_play(model: Model, screen: HowToPlay, body: Box, foot: Box) -> Scene:
    """Draw the selected page in ``body``. In ``foot``, draw one dot for each page, and two buttons
    to turn pages."""
    page = screen.pages[model.selected]
    above = Box(body.x + 6, body.y, body.w - 12, 42)
    drawing = Box(body.x, body.y + _TITLE, body.w, body.h - _TITLE - _WORDS)
    below = Box(body.x + 8, drawing.y + drawing.h, body.w - 16, _WORDS)
    return (
        Text(*above, page.title, style.TITLE, style.INK, face=Face.BOLD),
        Rect(*drawing, style.GROUND, style.SURFACE, 2, style.RADIUS, model.choices[model.selected]),
        *fit_drawing(page.drawing, drawing),
        Text(*below, page.words, 24, style.INK, "left", 20),
        *_places(model, foot),
    )


def fit_drawing(drawing: Scene, box: Box) -> Scene:
    """Return a page's drawing, scaled to be as large as possible in the middle of the box."""
    size = min(box.w / DRAWING_WIDTH, box.h / DRAWING_HEIGHT)
    x = box.x + (box.w - size * DRAWING_WIDTH) / 2
    y = box.y + (box.h - size * DRAWING_HEIGHT) / 2
    return tuple(_fit(shape, x, y, size) for shape in drawing)


def _fit(shape: Shape, x: float, y: float, size: float) -> Shape:
    match shape:
        case Polygon(points=points):
            return replace(shape, points=tuple((x + size * a, y + size * b) for a, b in points))
        case Line(points=points, thick=thick):
            moved = tuple((x + size * a, y + size * b) for a, b in points)
            return replace(shape, points=moved, thick=max(1.0, size * thick))
        case Circle(r=r, thick=thick):
            place = {"x": x + size * shape.x, "y": y + size * shape.y}
            return replace(shape, **place, r=size * r, thick=_line(thick, size))
    place = {
        "x": round(x + size * shape.x),
        "y": round(y + size * shape.y),
        "w": round(size * shape.w),
        "h": round(size * shape.h),
    }
    if isinstance(shape, Rect):
        thick = _line(shape.thick, size)
        return replace(shape, **place, thick=thick, radius=round(size * shape.radius))
    if isinstance(shape, Blend | Shadow):
        return replace(shape, **place)
    return replace(shape, **place, size=max(shape.least, round(size * shape.size)))


def _line(thick: int, size: float) -> int:
    return max(1, round(size * thick)) if thick else 0


def _places(model: Model, foot: Box) -> Scene:
    count, middle = len(model.choices), foot.y + foot.h / 2
    shapes: Scene = ()
    forth = model.choices[model.selected]
    right = foot.x + foot.w - _TURN
    for x, way, target in ((foot.x, 1, Input.LEFT), (right, -1, forth)):
        tip = x + _TURN / 2
        points = (
            (tip + 5 * way, middle - 10),
            (tip - 6 * way, middle),
            (tip + 5 * way, middle + 10),
        )
        shapes += (
            Rect(x, foot.y, _TURN, foot.h, style.RAISED, radius=style.RADIUS, target=target),
            Line(points, style.INK, 4),
        )
    first = foot.x + foot.w / 2 - 13 * (count - 1)
    for place in range(count):
        ink = style.ACCENT if place == model.selected else style.EDGE
        shapes += (Circle(first + 26 * place, middle, 7, ink),)
    return shapes
