"""The trench in which the hidden screen leans back, its glass towards the spymasters.

Four screws through the leaning plate hold the screen; a screwdriver reaches the lower two screws
through the back wall. Cables leave through the windows in plate and back wall. Spilled liquid runs
out through the drains and the base. The trench's ledges carry the covers, and its columns take the
hood's screws. The trench is printed upright.
"""

from build123d import Cylinder, Plane, Polyline, Pos, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.levels import (
    COVER_UNDER,
    GLASS,
    HOOD_INSIDE,
    HOOD_OUTSIDE,
    HOOD_SCREW_X,
    HOOD_SCREWS_Y,
    HOOD_UNDER,
    SCREEN_BACK,
    SCREEN_MIDDLE,
    TRENCH_BACK,
    TRENCH_FLOOR,
    TRENCH_INSIDE,
    TRENCH_UNDER,
)
from enclosure.parts.base import DRAIN
from enclosure.places import DRAINS, TRENCH_SCREWS
from enclosure.shapes import LOW, block, hole, insert_above, leaning, level_hole

TOUCH = 0.1
"""Gap in mm that the model leaves between the plate and the screen, so that their leaning faces do
not touch."""
PLATE_TOP = 21.0
"""z in mm of the plate's upper end: above the screen's upper screws, and clear of the hood's back.
"""
DRIVER = 9.0
"""Diameter in mm of the holes in the back wall for a screwdriver, which reaches the screen's lower
screws."""
COLUMN = 4.0
"""Radius in mm of the columns for the hood's screws."""
LEDGE = 3.0
"""Width in mm of the ledges for the covers."""
FLOOR_BOSS = 8.0
"""Height in mm of the bosses over the floor's underside. Inserts in the bosses take the base's
screws."""
WINDOW = (54.0, -68.0, -24.0)
"""Three numbers in mm: half of the window's width at its lower edge, z of its lower edge, z of its
upper edge.

The window is between the screen's holes and below the frame. Its sides lean inwards by 45 degrees,
so that it prints without supports.
"""


def trench() -> Shape:
    """Return the trench: its middle is at x = 0, its back at y = 0, its underside at z = 0."""
    outside = TRENCH_INSIDE + MM["printed_wall"]
    solid = block(-outside, outside, TRENCH_BACK, HOOD_OUTSIDE, TRENCH_UNDER, HOOD_UNDER)
    solid -= block(
        -TRENCH_INSIDE, TRENCH_INSIDE, SCREEN_BACK, HOOD_INSIDE, TRENCH_FLOOR, HOOD_UNDER + 1
    )
    solid += _plate()
    for side in (-1, 1):
        solid += _ledge(side, outside)
        for y in HOOD_SCREWS_Y:
            solid += _column(side * HOOD_SCREW_X, y, side * (outside - 1))
    for x, y in TRENCH_SCREWS:
        solid += Pos(x, y, TRENCH_UNDER) * Cylinder(MM["boss"] / 2, FLOOR_BOSS, align=LOW)
    return Pos(0, -TRENCH_BACK, -TRENCH_UNDER) * (solid - _holes())


def _plate() -> Shape:
    """Return the leaning plate behind the screen, from the floor upwards."""
    half = TRENCH_INSIDE + 1
    front = -MM["screen_deep"] - TOUCH
    back = front - MM["screen_plate"]
    plate = leaning(block(-half, half, back, front, -120, 120), GLASS, SCREEN_MIDDLE)
    low = block(-half, half, SCREEN_BACK - 50, HOOD_INSIDE, TRENCH_FLOOR - 1, HOOD_UNDER - 1)
    free = TRENCH_INSIDE - 2 * MM["play"]
    high = block(-free, free, SCREEN_BACK + 0.6, HOOD_INSIDE, HOOD_UNDER - 2, PLATE_TOP)
    return plate & (low + high)


def _column(x: float, y: float, wall: float) -> Shape:
    up = COVER_UNDER - TRENCH_UNDER
    solid = Pos(x, y, TRENCH_UNDER) * Cylinder(COLUMN, up, align=LOW)
    low, high = sorted((x, wall))
    return solid + block(low, high, y - COLUMN, y + COLUMN, TRENCH_UNDER, COVER_UNDER)


def _holes() -> list[Shape]:
    half, low, high = WINDOW
    lintel = half - (high - low)
    outline = Polyline((-half, low), (half, low), (lintel, high), (-lintel, high), close=True)
    wall = Plane.XZ.offset(-HOOD_INSIDE + 20) * make_face(outline)
    found = [extrude(wall, HOOD_INSIDE - TRENCH_BACK)]
    found += [insert_above(x, y, TRENCH_UNDER) for x, y in TRENCH_SCREWS]
    found += [hole(DRAIN, x, y, TRENCH_UNDER - 1, TRENCH_FLOOR + 1) for x, y in DRAINS]
    for side in (-1, 1):
        for y in HOOD_SCREWS_Y:
            low = COVER_UNDER - 2 * MM["insert_length"]
            found.append(hole(MM["insert_hole"], side * HOOD_SCREW_X, y, low, COVER_UNDER + 1))
        for up in (-1, 1):
            x, z = side * MM["screen_hole_across"] / 2, up * MM["screen_hole_up"] / 2
            for across, start, length in (
                (MM["screw_hole"], 1.0, MM["screen_plate"] + 2),
                (DRIVER, -MM["screen_plate"], 60.0),
            ):
                drill = Pos(x, start - MM["screen_deep"], z) * level_hole(across, length)
                found.append(leaning(drill, GLASS, SCREEN_MIDDLE))
    return found


def _ledge(side: int, wall: float) -> Shape:
    """Return a ledge for a cover along a side wall, with a slope of 45 degrees below it."""
    outline = Polyline(
        (side * wall, COVER_UNDER), (side * (wall + LEDGE), COVER_UNDER),
        (side * wall, COVER_UNDER - LEDGE), close=True,
    )  # fmt: skip
    return extrude(Plane.XZ.offset(-HOOD_OUTSIDE) * make_face(outline), HOOD_OUTSIDE - TRENCH_BACK)
