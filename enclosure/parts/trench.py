"""The trench of plywood for the hidden screen: two cheeks and a back, glued to each other and into
the base. The far side wall closes its front, and the base is its floor.

The screen is screwed to a thin plate, which leans back. The plate's tabs slide from above into
notches of the cheeks; the hood's shelves keep them there. So the screen comes out without a tool as
soon as the hood is off. The screen's cables go through the plate's window and the left cheek's
window to the Raspberry Pi. Spilled liquid runs out through the drains of the base.

Each cheek has a slot for a nut in its upper edge; the hood's screws go into these nuts. Glued caps
close the slots. A table without a hidden screen has two props instead, in the same slots of the
base.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.joints import PLACES, fitted
from enclosure.levels import (
    BASE_TOP,
    CHEEK_OUTSIDE,
    COVER_UNDER,
    GLASS,
    HOOD_INSIDE,
    HOOD_SCREW,
    HOOD_UNDER,
    SCREEN_BACK,
    SCREEN_MIDDLE,
    TRENCH_BACK,
    TRENCH_INSIDE,
)
from enclosure.shapes import NUT_DEPTH, block, hole, leaning, nut_in_edge

TOUCH = 0.1
"""Gap in mm that the model leaves between the plate and the screen, so that their leaning faces do
not touch."""
PLATE = (-54.3, 38.0)
"""Lower and upper edge of the plate, in mm along the plate from the screen's middle."""
PLATE_TAB = (-24.0, 26.0)
"""Lower and upper end of the plate's tabs, as `PLATE`; the tabs end below the cheeks' edge."""
PLATE_PLAY = 0.15
"""Gap in mm round the plate's tabs: the plate is not glued."""
WINDOW = (54.0, -46.0, -2.0)
"""Half of the width of the plate's window in mm, and its lower and upper edge, as `PLATE`. The
window is between the screen's screws."""
CABLES = (4.0, 22.0, -72.0, -40.0)
"""The left cheek's window in mm: distances from the back, and z. It is behind the leaning plate."""
CAP = (-15.0, 15.0, -10.5, -0.5)
"""Ends of a nut's cap along its sheet in mm from the nut, and its lower and upper edge in mm from
the sheet's edge. It ends above the weir of the cover."""
FRONT = -MM["screen_deep"] - TOUCH
"""Distance in mm of the plate's front from the screen's glass."""


def cheek() -> Shape:
    """Return the right cheek, flat."""
    return fitted("trench-cheek", PLACES["trench-cheek"].inverse() * _cheek())


def cheek_with_window() -> Shape:
    """Return the left cheek, flat."""
    near, far, low, high = CABLES
    window = block(
        TRENCH_INSIDE - 1, CHEEK_OUTSIDE + 1, SCREEN_BACK + near, SCREEN_BACK + far, low, high
    )
    sheet = PLACES["trench-cheek"].inverse() * (_cheek() - window)
    return fitted("trench-cheek-left", sheet)


def back() -> Shape:
    """Return the trench's back, flat."""
    solid = block(-CHEEK_OUTSIDE, CHEEK_OUTSIDE, TRENCH_BACK, SCREEN_BACK, BASE_TOP, HOOD_UNDER)
    return fitted("trench-back", PLACES["trench-back"].inverse() * solid)


def plate() -> Shape:
    """Return the plate behind the screen, flat. Its middle is the screen's, its y points up."""
    half, thick = TRENCH_INSIDE - MM["play"], MM["thin_ply"]
    solid = block(-half, half, *PLATE, 0, thick)
    wide = CHEEK_OUTSIDE - MM["play"]
    solid += block(-wide, wide, *PLATE_TAB, 0, thick)
    across, low, high = WINDOW
    solid -= block(-across, across, low, high, -1, thick + 1)
    for x in (-1, 1):
        for y in (-1, 1):
            at = x * MM["screen_hole_across"] / 2, y * MM["screen_hole_up"] / 2
            solid -= hole(MM["screw_hole"], *at, -1, thick + 1)
    return solid


def nut_cap() -> Shape:
    """Return a cap, flat: two of them keep a nut in its slot, one on each face of a cheek or prop.
    The nut's axis is at x = 0, the edge of the cheek or prop at y = 0. A hole takes the nut's
    corner, which stands out of plywood that is thinner than the nut."""
    corner = hole(MM["screw_hole"], 0, -NUT_DEPTH - MM["nut_high"] / 2, -1, MM["thin_ply"] + 1)
    return block(*CAP, 0, MM["thin_ply"]) - corner


def prop() -> Shape:
    """Return a prop, flat: it bears the plain cover, and holds the nut of its screw."""
    solid = block(
        TRENCH_INSIDE, CHEEK_OUTSIDE, SCREEN_BACK, HOOD_INSIDE - MM["play"], BASE_TOP, COVER_UNDER
    )
    solid = solid - nut_in_edge(*HOOD_SCREW, COVER_UNDER)
    return fitted("cover-prop", PLACES["cover-prop"].inverse() * solid)


def _cheek() -> Shape:
    solid = block(TRENCH_INSIDE, CHEEK_OUTSIDE, SCREEN_BACK, HOOD_INSIDE, BASE_TOP, HOOD_UNDER)
    around = PLATE_PLAY
    notch = block(
        TRENCH_INSIDE - 1,
        CHEEK_OUTSIDE + 1,
        FRONT - MM["thin_ply"] - around,
        FRONT + around,
        PLATE_TAB[0] - around,
        PLATE_TAB[1] + 40,
    )
    solid -= leaning(notch, GLASS, SCREEN_MIDDLE)
    return solid - nut_in_edge(*HOOD_SCREW, HOOD_UNDER)
