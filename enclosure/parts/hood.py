"""The hood over the trench, of plywood: back, front, two wings and a roof, glued together.

Spymasters lean over the hood's front and look down past the roof at the leaning screen. The wings
are wider apart than the trench, so that the spymasters' heads have room to move. Back, wings and
roof hide the screen from operatives: no line of sight from behind the screen's upper edge reaches
its front. Stain the inner side matt black, because a shiny one would reflect the screen's colours.

The wings stand on the covers, outside of their weirs, and hold them. Two shelves inside the wings
rest on the trench's cheeks. One screw goes through each shelf into a nut in the cheek, where a
screwdriver reaches it from above. The parts are built flat.
"""

from build123d import Plane, Polyline, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.joints import PLACES, fitted
from enclosure.levels import (
    CHEEK_OUTSIDE,
    COVER_TOP,
    HOOD_INSIDE,
    HOOD_OUTSIDE,
    HOOD_SCREW,
    HOOD_TOP,
    HOOD_UNDER,
    ROOF_FRONT,
    ROOF_UNDER,
    SCREEN_BACK,
    TRENCH_BACK,
    TRENCH_INSIDE,
    VISIBLE_BACK,
    VISIBLE_TOP,
    WEIR_TOP,
    WING_INSIDE,
    WING_OUTSIDE,
)
from enclosure.shapes import block, hole

TONGUE = 8.0
"""Half of the width in mm of a shelf's tongue around its screw."""
REACH = 5.0
"""Distance in mm by which that tongue reaches into the trench."""
CLEAR = 1.4
"""Distance in mm from the trench's inside to the shelf's edge, so that the hood passes the screen.
"""


def back() -> Shape:
    """Return the hood's back, flat."""
    solid = _standing(TRENCH_BACK, SCREEN_BACK, ROOF_UNDER, CHEEK_OUTSIDE + MM["play"])
    return fitted("hood-back", PLACES["hood-back"].inverse() * solid)


def front() -> Shape:
    """Return the hood's front, flat. It stands on the far side wall."""
    middle = TRENCH_INSIDE + MM["printed_wall"]
    solid = _standing(HOOD_INSIDE, HOOD_OUTSIDE, HOOD_TOP, middle)
    return fitted("hood-front", PLACES["hood-front"].inverse() * solid)


def wing() -> Shape:
    """Return a wing, flat. Both wings are alike."""
    solid = block(WING_INSIDE, WING_OUTSIDE, SCREEN_BACK, HOOD_INSIDE, COVER_TOP, HOOD_TOP)
    outline = extrude(Plane.YZ.offset(WING_INSIDE - 1) * make_face(_above_the_wings()), 20)
    return fitted("hood-wing", PLACES["hood-wing"].inverse() * (solid - outline))


def shelf() -> Shape:
    """Return the right shelf, in the table's x and y, with its underside at z = 0."""
    up, play = MM["ply"], MM["play"]
    x, y = HOOD_SCREW
    solid = block(TRENCH_INSIDE + CLEAR, WING_INSIDE, SCREEN_BACK, HOOD_INSIDE, 0, up)
    solid += block(TRENCH_INSIDE - REACH, x, y - TONGUE, y + TONGUE, 0, up)
    return fitted("hood-shelf", solid - hole(MM["screw_hole"] + play, x, y, -1, up + 1))


def roof() -> Shape:
    """Return the roof, in the table's x and y, with its underside at z = 0."""
    return fitted("roof", block(-WING_OUTSIDE, WING_OUTSIDE, TRENCH_BACK, ROOF_FRONT, 0, MM["ply"]))


def _standing(near: float, far: float, top: float, middle: float) -> Shape:
    """Return the hood's back or front without its slots. ``middle`` is half of the width in mm of
    its part over the trench; beside it, the sheet reaches down to the weirs and, outside of the
    weirs, to the covers."""
    solid = block(-WING_OUTSIDE, WING_OUTSIDE, near, far, COVER_TOP, top)
    solid -= block(-WING_INSIDE, WING_INSIDE, near, far, COVER_TOP, WEIR_TOP + MM["play"])
    return solid - block(-middle, middle, near, far, COVER_TOP, HOOD_UNDER)


def _above_the_wings() -> Polyline:
    """Return the outline of the space above the wings: y and z.

    Under the roof, the wings reach up to the roof. Further to the front, their upper edge is on the
    line from the top of the visible screen to the top of the front. Eyes that look over the front
    look down more steeply than this line, so higher wings would hide nothing more. They would only
    block a spymaster's outer eye.
    """
    slope = MM["hood_above_visible"] / MM["hood_distance"]
    start = VISIBLE_BACK + (ROOF_UNDER - VISIBLE_TOP) / slope
    back, inner = SCREEN_BACK - 10, HOOD_INSIDE + 10
    return Polyline(
        (back, ROOF_UNDER),
        (start, ROOF_UNDER),
        (HOOD_INSIDE, HOOD_TOP),
        (inner, HOOD_TOP),
        (inner, HOOD_TOP + 1),
        (back, HOOD_TOP + 1),
        close=True,
    )
