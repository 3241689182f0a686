"""The walls of plywood: four sides, and an inner wall under the frame's far side. The model has
them flat, as they are cut.

Fingers join the walls at the corners, tabs join them to the base. Vents are low, under the frame's
overhang. They are upright slots, so that liquid on a wall does not run in. Leads come in on the
left, beside the Raspberry Pi. The openings let a lead's plug through; cable ties hold the leads
inside. The case's button and LED are also on the left wall. The far wall is higher in its middle,
where the hood stands on it. Cables go through the openings of the inner wall to the far bay.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.joints import fitted
from enclosure.levels import (
    BASE_TOP,
    COVER_BACK,
    COVER_UNDER,
    FAR_OUTSIDE,
    FRAME_UNDER,
    HOOD_UNDER,
    MIDDLE,
    NEAR_OUTSIDE,
    SIDE_INSIDE,
    TRENCH_INSIDE,
)
from enclosure.places import CASE_BUTTON, LED, SUPPLY_LEADS
from enclosure.shapes import block, hole, round_edges

VENT = (3.0, 18.0)
"""Width and height in mm of a vent."""
VENT_Z = -48.0
"""z in mm of the vents' lower ends, in the table's coordinates."""
VENT_STEP = 9.0
WAYS = ((-225.0, -115.0), (-85.0, 85.0), (115.0, 225.0))
"""Left and right ends in mm of the inner wall's openings."""
WAY_UP = (6.0, 44.0)
"""Heights in mm above the base of the lower and upper edges of these openings."""


def left() -> Shape:
    """Return the flat left wall. Its x is the table's y, its y is the height above the base; its
    outer face is at z = 0."""
    sheet = _long()
    for _, y in SUPPLY_LEADS:
        half = MM["plug_way"] / 2
        sheet -= block(y - half, y + half, -1, MM["plug_way_up"], -1, MM["ply"] + 1)
    for name, (y, z) in (
        ("case_button_hole", CASE_BUTTON),
        ("led_hole", LED),
    ):
        sheet -= hole(MM[name], y, z - BASE_TOP, -1, MM["ply"] + 1)
    return fitted("side-left", sheet)


def right() -> Shape:
    """Return the flat right wall. Its x is the table's y, its y is the height above the base; its
    inner face is at z = 0."""
    return fitted("side-right", _long())


def near() -> Shape:
    """Return the flat near wall. Its x is the table's x, its y is the height above the base."""
    return fitted("side-near", _short(FRAME_UNDER))


def far() -> Shape:
    """Return the flat far wall. Its x is the table's x, its y is the height above the base."""
    half = TRENCH_INSIDE + MM["printed_wall"] - 0.5
    higher = block(-half, half, 1, HOOD_UNDER - BASE_TOP, 0, MM["ply"])
    return fitted("side-far", _far() + higher)


def far_low() -> Shape:
    """Return the flat far wall of a table without the hidden screen, as `far`."""
    return fitted("side-far-low", _far())


def inner() -> Shape:
    """Return the flat inner wall. Its x is the table's x, its y is the height above the base."""
    sheet, (low, high) = _short(FRAME_UNDER), WAY_UP
    for start, end in WAYS:
        sheet -= round_edges(block(start, end, low, high, -1, MM["ply"] + 1), 4)
    return fitted("side-inner", sheet)


def _long() -> Shape:
    thick = MM["ply"]
    sheet = block(NEAR_OUTSIDE, FAR_OUTSIDE, 0, COVER_UNDER - BASE_TOP, 0, thick)
    sheet += block(NEAR_OUTSIDE, COVER_BACK - 0.5, 1, FRAME_UNDER - BASE_TOP, 0, thick)
    return sheet - _vents(MIDDLE - 80, 7) - _vents(MIDDLE + 80, 7)


def _far() -> Shape:
    return _short(COVER_UNDER) - _vents(-230, 6) - _vents(230, 6)


def _short(top: float) -> Shape:
    return block(-SIDE_INSIDE, SIDE_INSIDE, 0, top - BASE_TOP, 0, MM["ply"])


def _vents(middle: float, count: int) -> list[Shape]:
    across, up = VENT
    low = VENT_Z - BASE_TOP
    found = []
    for i in range(count):
        x = middle + (i - (count - 1) / 2) * VENT_STEP
        slot = block(x - across / 2, x + across / 2, low, low + up, -1, MM["ply"] + 1)
        found.append(round_edges(slot, 1.4))
    return found
