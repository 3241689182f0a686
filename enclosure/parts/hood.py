"""The hood over the trench: four walls, open above for the spymasters' view, and a roof over the
screen.

Spymasters lean over the hood's front wall and look down past the roof at the leaning screen. The
wings, the two side walls, are wider apart than the trench, so that the spymasters' heads have room
to move. Back, wings and roof hide the screen from operatives: no line of sight from behind the
screen's upper edge reaches its front. Print hood and roof in matt black, because a shiny inner side
would reflect the screen's colours. The hood is printed upright, the roof flat. Four screws inside
the wings go through the hood's foot and the covers' edges into the trench's columns; four more
screws hold the roof.
"""

from build123d import Plane, Polyline, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.levels import (
    COVER_FRONT,
    HOOD_INSIDE,
    HOOD_OUTSIDE,
    HOOD_SCREW_X,
    HOOD_SCREWS_Y,
    HOOD_TOP,
    HOOD_UNDER,
    ROOF_FRONT,
    ROOF_UNDER,
    SCREEN_BACK,
    TRENCH_BACK,
    TRENCH_INSIDE,
    VISIBLE_BACK,
    VISIBLE_TOP,
)
from enclosure.places import ROOF_SCREWS
from enclosure.shapes import block, hole, round_edges

HEIGHT = HOOD_TOP - HOOD_UNDER
DEPTH = HOOD_OUTSIDE - TRENCH_BACK
"""Distance in mm from the back wall's outer face to the front wall's outer face."""
FOOT = 3.0
"""Thickness in mm of the foot."""
ROOF = 3.0
"""Thickness in mm of the roof."""
OUTSIDE = TRENCH_INSIDE + MM["hood_flange"]
"""Distance in mm of the wings' outer faces from the middle. The screws on the foot's edge are
between the wings, which are as far apart as the printer's bed allows."""
INSIDE = OUTSIDE - MM["hood_wing"]
FOOT_INSIDE = TRENCH_INSIDE + 1.4
"""Distance in mm of the foot's inner edge from the middle. The foot reaches further in than the
wings, because the screws go through the foot."""
BOSS = 12.0
"""Height in mm of each boss that takes a screw of the roof, without the slope below the boss."""


def hood() -> Shape:
    """Return the hood: its middle is at x = 0, its back (next to the frame) at y = 0, its foot at z
    = 0."""
    edge = COVER_FRONT - TRENCH_BACK
    back, inner = SCREEN_BACK - TRENCH_BACK, HOOD_INSIDE - TRENCH_BACK
    walls = round_edges(block(-OUTSIDE, OUTSIDE, -20, DEPTH, 0, HEIGHT), 2)
    foot = round_edges(block(-OUTSIDE, OUTSIDE, -20, edge, 0, FOOT), 2)
    solid = walls + foot - block(-INSIDE, INSIDE, back, inner, FOOT, HEIGHT + 1)
    solid -= block(-FOOT_INSIDE, FOOT_INSIDE, back, inner, -1, FOOT + 1)
    solid -= block(-OUTSIDE - 1, OUTSIDE + 1, -30, 0, -1, HEIGHT + 1)
    solid -= extrude(Plane.YZ.offset(-OUTSIDE - 1) * make_face(_above_the_wings()), 2 * OUTSIDE + 2)
    for side in (-1, 1):
        for y in HOOD_SCREWS_Y:
            screw = side * HOOD_SCREW_X, y - TRENCH_BACK
            solid -= hole(MM["screw_hole"], *screw, -1, FOOT + 1)
    for x, y in ROOF_SCREWS:
        solid += _boss(x, y - TRENCH_BACK)
    top = ROOF_UNDER - HOOD_UNDER
    for x, y in ROOF_SCREWS:
        solid -= hole(MM["insert_hole"], x, y - TRENCH_BACK, top - BOSS + 3, top + 1)
    return solid


def roof() -> Shape:
    """Return the roof, flat: its middle is at x = 0, its back at y = 0."""
    solid = round_edges(block(-OUTSIDE, OUTSIDE, 0, ROOF_FRONT - TRENCH_BACK, 0, ROOF), 2)
    for x, y in ROOF_SCREWS:
        solid -= hole(MM["screw_hole"], x, y - TRENCH_BACK, -1, ROOF + 1)
    return solid


def _boss(x: float, y: float) -> Shape:
    """Return a boss on a wing, with a slope of 45 degrees below it."""
    half, top = MM["boss"] / 2, ROOF_UNDER - HOOD_UNDER
    side = 1 if x > 0 else -1
    wall, end = side * (INSIDE + 1), x - side * half
    low = top - BOSS
    outline = Polyline(
        (wall, top), (end, top), (end, low), (wall, low - abs(wall - end)), close=True
    )
    return extrude(Plane.XZ.offset(-(y + half)) * make_face(outline), 2 * half)


def _above_the_wings() -> Polyline:
    """Return the outline of the space above the wings: y from the hood's back, z from its foot.

    Under the roof, the wings reach up to the roof. Further to the front, their upper edge is on the
    line from the top of the visible screen to the top of the front wall. Eyes that look over the
    front wall look down more steeply than this line, so higher wings would hide nothing more. They
    would only block a spymaster's outer eye.
    """
    inner, low = HOOD_INSIDE - TRENCH_BACK, ROOF_UNDER - HOOD_UNDER
    slope = MM["hood_above_visible"] / MM["hood_distance"]
    start = VISIBLE_BACK - TRENCH_BACK + (ROOF_UNDER - VISIBLE_TOP) / slope
    return Polyline(
        (-1, low), (start, low), (inner, HEIGHT), (inner, HEIGHT + 1), (-1, HEIGHT + 1), close=True
    )
