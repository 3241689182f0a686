"""Functions for shapes that many parts use. Lengths are in millimetres."""

import math

from build123d import Align, Axis, Box, Cylinder, Location, Pos, Rot, Shape

from enclosure.dimensions import MM
from enclosure.levels import LEAN

LOW = (Align.CENTER, Align.CENTER, Align.MIN)
HIGH = (Align.CENTER, Align.CENTER, Align.MAX)
NUT_DEPTH = 7.0
"""Depth in mm of a nut's upper side below the edge of its sheet."""
NUT_ROOM = 5.0
"""Depth in mm below a nut that is free for the end of its screw."""


def block(left: float, right: float, near: float, far: float, low: float, high: float) -> Shape:
    """Return a block from the positions of its six faces. Raises ValueError if the block would have
    no volume."""
    if not (left < right and near < far and low < high):
        raise ValueError(f"A block {left}…{right}, {near}…{far}, {low}…{high} has no inside.")
    box = Box(right - left, far - near, high - low, align=(Align.MIN, Align.MIN, Align.MIN))
    return Pos(left, near, low) * box


def facing_x(x: float) -> Location:
    """Return the place of a flat sheet that stands along the table's y, with its lower face at
    ``x``. The sheet's x is the table's y, its y points up."""
    return Pos(x, 0, 0) * Rot(0, 0, 90) * Rot(90, 0, 0)


def facing_y(y: float) -> Location:
    """Return the place of a flat sheet that stands along the table's x, with its lower face at
    ``y`` and its upper face nearer to the operatives. The sheet's y points up."""
    return Pos(0, y, 0) * Rot(90, 0, 0)


def nut_in_edge(x: float, y: float, top: float) -> list[Shape]:
    """Return the slot like a T for an M3 nut in the upper edge of a sheet that stands along y. The
    edge is at ``top``; the screw comes from above."""
    thick, half = MM["ply"], MM["nut_across"] / 2
    high = top - NUT_DEPTH
    low = high - MM["nut_high"]
    screw = MM["screw_hole"] / 2
    return [
        block(x - thick, x + thick, y - screw, y + screw, low - NUT_ROOM, top + 1),
        block(x - thick, x + thick, y - half, y + half, low, high),
    ]


def leaning(solid: Shape, y: float, z: float) -> Shape:
    """Return the solid, moved to y and z, and leaning backwards by the same angle as the screen."""
    return Pos(0, y, z) * Rot(math.degrees(LEAN), 0, 0) * solid


def round_edges(solid: Shape, radius: float) -> Shape:
    """Return the solid with its upright edges rounded."""
    return solid.fillet(radius, solid.edges().filter_by(Axis.Z))


def hole(across: float, x: float, y: float, low: float, high: float) -> Shape:
    """Return an upright cylinder to subtract as a hole."""
    return Pos(x, y, low) * Cylinder(across / 2, high - low, align=LOW)


def level_hole(across: float, length: float) -> Shape:
    """Return a horizontal hole along -y from the origin. Its roof at 45 degrees prints without
    supports."""
    round_part = Rot(90, 0, 0) * Cylinder(across / 2, length, align=LOW)
    side = across / 2
    roof = Rot(0, 45, 0) * Box(side, length, side, align=(Align.MIN, Align.MAX, Align.MIN))
    return round_part + Rot(0, -90, 0) * roof
