"""The hood over the trench: three high walls, open towards the operatives, who see no glass.

Spymasters lean over its front wall and look down at the screen behind it. Print it matt black: what
shines on its inner side would show the screen's colours. Printed as it stands. Four screws go
through its foot and the edges of the covers into the trench's columns.
"""

from build123d import Plane, Polyline, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.levels import (
    COVER_FRONT,
    GLASS,
    HOOD_INSIDE,
    HOOD_OUTSIDE,
    HOOD_SCREW_X,
    HOOD_SCREWS_Y,
    HOOD_TOP,
    HOOD_UNDER,
    SCREEN_TOP,
    TRENCH_BACK,
    TRENCH_INSIDE,
)
from enclosure.shapes import block, hole, rounded

HEIGHT = HOOD_TOP - HOOD_UNDER
DEPTH = HOOD_OUTSIDE - TRENCH_BACK
"""From the wings' ends at the frame to the front wall's outer face."""
FOOT = 3.0
"""Thickness of the foot."""


def hood() -> Shape:
    """The hood: x = 0 is its middle, y = 0 its back at the frame, z = 0 its foot."""
    outside = TRENCH_INSIDE + MM["printed_wall"]
    reach = TRENCH_INSIDE + MM["hood_flange"]
    inner = HOOD_INSIDE - TRENCH_BACK
    edge = COVER_FRONT - TRENCH_BACK
    walls = rounded(block(-outside, outside, -20, DEPTH, 0, HEIGHT), 4)
    foot = rounded(block(-reach, reach, -20, edge, 0, FOOT), 4)
    solid = walls + foot - block(-TRENCH_INSIDE, TRENCH_INSIDE, -30, inner, -1, HEIGHT + 1)
    solid -= block(-reach - 1, reach + 1, -30, 0, -1, HEIGHT + 1)
    solid -= extrude(Plane.YZ.offset(-reach) * make_face(_above_the_wings()), 2 * reach)
    for side in (-1, 1):
        for y in HOOD_SCREWS_Y:
            screw = side * HOOD_SCREW_X, y - TRENCH_BACK
            solid -= hole(MM["screw_hole"], *screw, -1, FOOT + 1)
    return solid


def _above_the_wings() -> Polyline:
    """What the wings need not fill: y from the hood's back, z from its foot.

    Whoever looks over the front wall looks down more steeply than its edge, seen from the screen's
    top. Higher wings hide no more, and stand between the screen and a spymaster's outer eye.
    """
    glass, inner, low = GLASS - TRENCH_BACK, HOOD_INSIDE - TRENCH_BACK, SCREEN_TOP - HOOD_UNDER
    return Polyline(
        (-1, low), (glass, low), (inner, HEIGHT), (inner, HEIGHT + 1), (-1, HEIGHT + 1), close=True
    )
