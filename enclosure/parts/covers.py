"""The two covers of the far bay, on both sides of the hidden screen. The right cover carries the
knob and the buttons.

The frame overlaps the covers like roof tiles. Three things keep a drink out: a weir along the edge
under the frame, a raised edge under the hood's foot, and a collar around each hole for the knob or
a button. Liquid drips off the covers' outer edges beyond the walls. The model has the covers in
their printing pose.
"""

from build123d import Cylinder, Plane, Pos, Shape, mirror

from enclosure.dimensions import MM
from enclosure.levels import (
    COVER_BACK,
    COVER_FRONT,
    COVER_LEFT,
    COVER_RIGHT,
    COVER_TOP,
    COVER_UNDER,
    HOOD_SCREW_X,
    HOOD_SCREWS_Y,
    HOOD_UNDER,
    TRENCH_BACK,
)
from enclosure.places import BUTTONS, CORNERS, ENCODER, POST_TOP_SCREW, POSTS, Point
from enclosure.shapes import LOW, block, hole, sunk

WEIR = 2.0
"""Width in mm of the weir, the low wall that keeps liquid out."""
NUT = 15.0
"""Diameter in mm of the space inside the collar for the encoder's nut and washer."""
BUTTON_HEAD = 24.0
"""Diameter in mm of the space inside the collar for a button's ring."""
COLLAR_WALL = 3.0


def right() -> Shape:
    """Return the cover with the knob; the corner nearest the middle of the table is at the
    origin."""
    solid = _cover()
    for (x, y), inner, through in (
        (ENCODER, NUT, MM["encoder_hole"]),
        *((at, BUTTON_HEAD, MM["button_hole"]) for at in BUTTONS),
    ):
        solid += Pos(x, y, COVER_TOP) * Cylinder(inner / 2 + COLLAR_WALL, MM["collar"], align=LOW)
        solid -= hole(inner, x, y, COVER_TOP, COVER_TOP + MM["collar"] + 1)
        solid -= hole(through, x, y, COVER_UNDER - 1, COVER_TOP + 1)
    return Pos(-COVER_LEFT, -COVER_BACK, -COVER_UNDER) * solid


def left() -> Shape:
    """Return the cover without a knob; the corner nearest the middle of the table is at the
    origin."""
    return Pos(COVER_LEFT, -COVER_BACK, -COVER_UNDER) * mirror(_cover(), Plane.YZ)


def screws() -> list[Point]:
    """Return the places of the right cover's screws, which go into the low posts."""
    post = next(each for each in POSTS if each.low and each.x > 0)
    corner = next(each for each in CORNERS if each.low and each.x > 0)
    return [post.at(0, POST_TOP_SCREW), corner.at(-POST_TOP_SCREW, POST_TOP_SCREW)]


def _cover() -> Shape:
    solid = block(COVER_LEFT, COVER_RIGHT, COVER_BACK, COVER_FRONT, COVER_UNDER, COVER_TOP)
    weir = COVER_TOP + MM["weir"]
    solid += block(COVER_LEFT, COVER_RIGHT, COVER_BACK, COVER_BACK + WEIR, COVER_TOP - 1, weir)
    edge = COVER_LEFT + MM["cover_edge"]
    solid += block(COVER_LEFT, edge, COVER_BACK, COVER_FRONT, COVER_TOP - 1, weir)
    solid += block(COVER_LEFT, edge, TRENCH_BACK, COVER_FRONT, COVER_TOP - 1, HOOD_UNDER)
    low, high = COVER_UNDER - 1, COVER_UNDER + MM["drip"]
    side, front = COVER_RIGHT - MM["drip"], COVER_FRONT - MM["drip"]
    groove = block(side - MM["drip"], side, COVER_BACK - 1, front - 12, low, high)
    groove += block(COVER_LEFT - 1, side - 12, front - MM["drip"], front, low, high)
    solid -= groove
    for x, y in screws():
        solid -= sunk(x, y, COVER_UNDER - 1, COVER_TOP)
    for y in HOOD_SCREWS_Y:
        solid -= hole(MM["screw_hole"], HOOD_SCREW_X, y, COVER_UNDER - 1, HOOD_UNDER + 1)
    return solid
