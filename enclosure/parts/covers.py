"""The covers of the far bay, of plywood, on both sides of the hidden screen. A plate on the right
cover carries the knob and the buttons. A table without a hidden screen has one plain cover, glued
together from two halves.

The frame overlaps the covers like roof tiles. A drink stays outside because of the weirs, strips
along the frame and along the trench, and because the control plate is higher than the cover. Liquid
drips off strips under the outer edges, beyond the walls. Weirs, strips and plate are thin plywood,
glued on.

No screw holds a cover: two tabs are in slots of the trench's cheek, the edge at the frame lies
between frame and ledger, and the hood's wing stands outside the weir. When the hood is off, the
cover slides outwards.
"""

from build123d import Plane, Shape, mirror

from enclosure.dimensions import MM
from enclosure.joints import TABS, fitted
from enclosure.levels import (
    COVER_BACK,
    COVER_FRONT,
    COVER_LEFT,
    COVER_RIGHT,
    FAR_INSIDE,
    HOOD_SCREW,
    WING_INSIDE,
)
from enclosure.places import BUTTONS, ENCODER
from enclosure.shapes import block, hole, round_edges

WEIR = 7.0
"""Width in mm of the weir under the frame."""
DRIP = 3.0
"""Width in mm of the strips under the outer edges."""
ENCODER_BODY = 22.0
"""Diameter in mm of the cover's hole for the encoder's body."""
BUTTON_NUT = 24.0
"""Diameter in mm of the cover's holes for the buttons' nuts."""
STRAP = 60.0
"""Half of the width in mm of the strap under the plain cover's seam."""
PLATE = 18.0
"""Distance in mm from the knobs' line to the long edges of the control plate."""


def right() -> Shape:
    """Return the cover with the knob, in the table's x and y, with its underside at z = 0."""
    solid = _cover()
    for (x, y), across in ((ENCODER, ENCODER_BODY), *((at, BUTTON_NUT) for at in BUTTONS)):
        solid -= hole(across, x, y, -1, MM["ply"] + 1)
    return fitted("cover-right", solid)


def left() -> Shape:
    """Return the cover without a knob, as `right`."""
    return fitted("cover-left", mirror(_cover(), Plane.YZ))


def plain() -> Shape:
    """Return the right half of the plain cover, as `right`. The left half is the same, turned
    over: one whole cover would take a fourth sheet of plywood."""
    solid = block(0, COVER_RIGHT, COVER_BACK, COVER_FRONT, 0, MM["ply"])
    return solid - hole(MM["screw_hole"], *HOOD_SCREW, -1, MM["ply"] + 1)


def plain_strap() -> Shape:
    """Return the strap under the seam of the plain cover, between the ledger and the far wall."""
    return block(-STRAP, STRAP, COVER_BACK + 9, FAR_INSIDE - 1, 0, MM["thin_ply"])


def control_plate() -> Shape:
    """Return the plate for the knob and the buttons, in the table's x and y, its underside at z =
    0."""
    thick = MM["thin_ply"]
    left, right = ENCODER[0] - PLATE, BUTTONS[-1][0] + PLATE
    solid = round_edges(block(left, right, ENCODER[1] - PLATE, ENCODER[1] + PLATE, 0, thick), 8)
    for (x, y), across in (
        (ENCODER, MM["encoder_hole"]),
        *((at, MM["button_hole"]) for at in BUTTONS),
    ):
        solid -= hole(across, x, y, -1, thick + 1)
    return solid


def weir() -> Shape:
    """Return the right cover's weir, in the table's x and y, with its underside at z = 0."""
    up, inner = MM["thin_ply"], WING_INSIDE - MM["play"]
    solid = block(COVER_LEFT, COVER_RIGHT, COVER_BACK, COVER_BACK + WEIR, 0, up)
    return solid + block(COVER_LEFT, inner, COVER_BACK, COVER_FRONT, 0, up)


def plain_weir() -> Shape:
    """Return the right half of the plain cover's weir, as `weir`."""
    return block(0, COVER_RIGHT, COVER_BACK, COVER_BACK + WEIR, 0, MM["thin_ply"])


def drip() -> Shape:
    """Return the strip under the right cover's outer edges, as `weir`."""
    return _drip(COVER_LEFT)


def plain_drip() -> Shape:
    """Return the strip under the right half of the plain cover's outer edges, as `weir`."""
    return _drip(0.0)


def _drip(start: float) -> Shape:
    up, gap = MM["thin_ply"], COVER_BACK + 10
    solid = block(COVER_RIGHT - DRIP, COVER_RIGHT, gap, COVER_FRONT, 0, up)
    return solid + block(start, COVER_RIGHT, COVER_FRONT - DRIP, COVER_FRONT, 0, up)


def _cover() -> Shape:
    """Return a cover with necks, which carry its tabs over the gap to the cheek."""
    solid = block(COVER_LEFT, COVER_RIGHT, COVER_BACK, COVER_FRONT, 0, MM["ply"])
    for _, y_span, _ in (tab.box for tab in TABS if tab.of == "cover-right"):
        solid += block(COVER_LEFT - 2 * MM["play"] - 1, COVER_LEFT, *y_span, 0, MM["ply"])
    return solid
