"""Draws the marks that are engraved into the acrylic sheet, as in enclosure/parts/overlay.py.

It also draws the names of columns, rows and pads on the rim. A real table has no such names.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import Final

from pi_table.common.geometry import END_TURN, HOURGLASS, SIDE
from pi_table.common.language import Words, say
from pi_table.screens.console.shapes import Line, Point, Rect, Scene, Shape, Text
from pi_table.simulator.box import BOTTOM, EDGE, RIM
from pi_table.simulator.glow import CARD, CELL, ELECTRODE
from pi_table.simulator.layout import MM, TOP, Grid

_MARK: Final = 0x100F0D
_NAME: Final = 0xA9A59B


@cache
def marks(grid: Grid) -> Scene:
    """Return the outlines and signs of the pads, and the names on the rim."""
    left, far = grid.left - EDGE - RIM, TOP - EDGE - RIM
    shapes: list[Shape] = []
    for pad, sign, name in (
        (END_TURN, _arrows, say("end the turn")),
        (HOURGLASS, _hourglass, say("hourglass")),
    ):
        x, y = grid.middle(pad)
        w, h = min(ELECTRODE[0] * MM, grid.cell_width - 6), ELECTRODE[1] * MM
        shapes.append(Rect(x - w / 2, y - h / 2, w, h, None, _MARK, 2, 5))
        shapes += (*sign(x, y), _name(x, BOTTOM - RIM, name))
    for number in range(SIDE):
        x, y = grid.middle(number * (SIDE + 1))
        shapes += (
            _name(x, far, "ABCDE"[number]),
            _name(left + RIM / 2, y - RIM / 2, "12345"[number]),
        )
    return tuple(shapes)


def _name(x: float, y: float, name: Words) -> Text:
    """Return a name on the rim, centred on ``x``, just below ``y``."""
    return Text(x - 90, y - 1, 180, RIM, name, 14, _NAME, "centre", least=14, group="rim")


def _arrows(x: float, y: float) -> Iterator[Shape]:
    """Yield the sign of the pad end-turn: two arrows that follow each other in a circle."""
    radius, head = 14 * MM, 5 * MM
    for side in (-1, 1):
        turns = (math.radians(each) for each in range(0, 146, 12))
        yield _engraved_line(
            *((x + side * radius * math.cos(a), y - side * radius * math.sin(a)) for a in turns)
        )
        tip = x + side * radius
        yield _engraved_line((tip - head, y - side * head), (tip, y), (tip + head, y - side * head))


def _hourglass(x: float, y: float) -> Iterator[Shape]:
    w, h, neck = 9 * MM, 15 * MM, 1.5 * MM
    for side in (-1, 1):
        yield _engraved_line((x - w - 3, y + side * h), (x + w + 3, y + side * h))
        yield _engraved_line((x + side * w, y - h), (x + side * neck, y), (x + side * w, y + h))
    sand = neck + (w - neck) * 0.6
    yield _engraved_line((x - sand, y + 0.6 * h), (x + sand, y + 0.6 * h))


def _engraved_line(*points: Point) -> Line:
    return Line(points, _MARK, 2)


def corner_marks(cell: int, grid: Grid) -> Iterator[Shape]:
    """Yield the corners that show where a card belongs, 1 mm outside the card."""
    x, y = grid.middle(cell)
    across = (CARD.size[0] / 2 + 1) * grid.cell_width / CELL[0]
    down = (CARD.size[1] / 2 + 1) * MM
    for right, near in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        at = x + right * across, y + near * down
        yield Line(((at[0] - right * 6, at[1]), at, (at[0], at[1] - near * 6)), _MARK, 1)
