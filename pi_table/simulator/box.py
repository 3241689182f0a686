"""Draws the box around the lit cells, on a wooden table, as the operatives see it.

A sheet of opal acrylic lies in a black rim, above a front of birch plywood. Behind the sheet is the
hood that hides the spymasters' screen. enclosure/README.md describes the real box.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Final

from pi_table.common.geometry import SIDE
from pi_table.screens.console.painter import pixels
from pi_table.screens.console.shapes import (
    Blend,
    Circle,
    Polygon,
    Rect,
    Scene,
    Shadow,
    Shape,
    move_scene,
)
from pi_table.simulator.glow import SHEET, Box, Lights, light_surface
from pi_table.simulator.layout import CELL_HEIGHT, HEIGHT, TOP, Grid

EDGE: Final = 9
"""Width in pixels of the sheet's edge around the cells."""
RIM: Final = 16
FRONT: Final = 26
"""Height in pixels of the front below the rim."""
COVER: Final = 34
"""Depth in pixels of the cover behind the rim."""
HOOD: Final = 0.37
"""Width of the hood, as a share of the width of the box."""
BOTTOM: Final = TOP + (SIDE + 1) * CELL_HEIGHT + EDGE + RIM
"""The y coordinate in pixels of the rim's lower edge."""
_BLACK: Final = 0x1B1C1F
_SHEEN: Final = 0x34363B
_DEEP: Final = 0x0D0E10
_METAL: Final = 0x8B8D90
_WALNUT: Final = (44, 28, 18)
_BIRCH: Final = (176, 142, 100)


def still(scene: Scene, x: int, w: int) -> Blend:
    """Paint an unchanging scene, and return the result as one shape at ``x`` of width ``w``."""
    shown = move_scene(scene, -x, 0)
    return Blend(x, 0, w, HEIGHT, w, pixels(shown, (w, HEIGHT), (w, HEIGHT)))


def wood(x: int, w: int, boards: int) -> Scene:
    """Return the drawing of a wooden table with ``boards`` boards, as high as the picture."""
    edges = [round(x + w * board / boards) for board in range(boards + 1)]
    shapes: Scene = ()
    for left, right in pairwise(edges):
        grain = _grain((left, 0, right - left, HEIGHT), _WALNUT, Random(left), (right - left) // 3)
        shapes += (grain, Rect(left, 0, 1, HEIGHT, 0x120C08))
    return shapes


def _grain(box: Box, colour: Sequence[int], random: Random, streaks: int, rows: int = 5) -> Blend:
    """Return the drawing of a board. The shades of its streaks change slowly from row to row."""
    board = random.uniform(0.8, 1.15)
    shades = [board * random.uniform(0.87, 1.13) for _ in range(streaks)]
    colours = bytearray()
    for _ in range(rows):
        shades = [shade * random.uniform(0.95, 1.05) for shade in shades]
        colours += bytes(min(255, int(part * shade)) for shade in shades for part in colour)
    return Blend(*box, streaks, bytes(colours))


def box(grid: Grid) -> Scene:
    """Return the drawing of the box without its lights and cards, and without engraved marks."""
    left, width = grid.left - EDGE - RIM, grid.width + 2 * (EDGE + RIM)
    top = TOP - EDGE - RIM
    sheet = (left + RIM, top + RIM, width - 2 * RIM, BOTTOM - top - 2 * RIM)
    unlit = light_surface(sheet, Lights((0,) * 4), SHEET).colours[:3]
    return (
        Shadow(left - 6, BOTTOM + FRONT - 14, width + 12, 30, 10, 0.8),
        _grain((left + 3, BOTTOM, width - 6, FRONT), _BIRCH, Random(5), 4, 12),
        Rect(left + 3, BOTTOM, width - 6, 5, 0x6B5438),
        *_far_side(left, width, top),
        Rect(left, top, width, BOTTOM - top, _BLACK),
        Rect(left, top, width, 1, _SHEEN),
        Rect(left, BOTTOM - 3, width, 3, _DEEP),
        Rect(sheet[0] - 2, sheet[1] - 2, sheet[2] + 4, sheet[3] + 4, _DEEP),
        Rect(sheet[0] - 2, sheet[1] + sheet[3], sheet[2] + 4, 2, _SHEEN),
        Rect(*sheet, int.from_bytes(unlit, "big")),
    )


def _far_side(left: int, width: int, top: int) -> Iterator[Shape]:
    """Yield the drawings of the cover with the knob and buttons, and of the hood's back."""
    back = top - COVER
    yield Rect(left + 4, back, width - 8, COVER, 0x222327)
    yield Rect(left + 4, back, width - 8, 1, _SHEEN)
    middle = left + width / 2
    half = HOOD * width / 2
    yield Polygon(
        (
            (middle - half + 6, back - 8),
            (middle + half - 6, back - 8),
            (middle + half, top),
            (middle - half, top),
        ),
        0x101114,
    )
    yield Rect(round(middle - half + 6), back - 8, round(2 * half - 12), 9, 0x2A2B30)
    for number, radius in enumerate((10, 7, 7)):
        x = middle + half + 26 + 34 * number
        yield Circle(x, back + COVER / 2, radius + 2, _DEEP)
        yield Circle(x, back + COVER / 2, radius, _METAL)
        yield Circle(x, back + COVER / 2 - 1, radius - 3, 0xA6A8AA)
