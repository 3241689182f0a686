"""The four side walls of plywood, which are screwed to the posts. The model has them flat, as they
are cut.

Vents are low, under the frame's overhang. They are upright slots, so that liquid on a wall does not
run in. Leads come in on the left, beside the Raspberry Pi. The openings let a lead's plug through;
clamps hold the leads at the wall. The case's button and LED are also on the left wall. The far wall
is higher in its middle, where the hood's foot covers it.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import (
    BASE_TOP,
    COVER_BACK,
    COVER_UNDER,
    FAR_INSIDE,
    FAR_OUTSIDE,
    FRAME_UNDER,
    HOOD_UNDER,
    MIDDLE,
    NEAR_INSIDE,
    NEAR_OUTSIDE,
    SIDE_INSIDE,
    TRENCH_INSIDE,
)
from enclosure.places import CASE_BUTTON, CLAMPS, CORNERS, LED, POSTS, WALL_SCREWS
from enclosure.shapes import block, hole, round_edges

VENT = (3.0, 18.0)
"""Width and height in mm of a vent."""
VENT_Z = -48.0
"""z in mm of the vents' lower ends, in the table's coordinates."""
VENT_STEP = 9.0


def left() -> Shape:
    """Return the flat left wall. Its x is the table's y, its y is the height above the base; its
    outer face is at z = 0."""
    sheet = _long()
    for _, y in CLAMPS:
        half = MM["plug_way"] / 2
        sheet -= block(y - half, y + half, -1, MM["plug_way_up"], -1, MM["ply"] + 1)
    for name, (y, z) in (
        ("case_button_hole", CASE_BUTTON),
        ("led_hole", LED),
    ):
        sheet -= _hole(MM[name], y, z - BASE_TOP)
    return sheet


def right() -> Shape:
    """Return the flat right wall. Its x is the table's y, its y is the height above the base; its
    inner face is at z = 0."""
    return _long()


def near() -> Shape:
    """Return the flat near wall. Its x is the table's x, its y is the height above the base."""
    sheet = block(-SIDE_INSIDE, SIDE_INSIDE, 0, FRAME_UNDER - BASE_TOP, 0, MM["ply"])
    return sheet - _screws([post.x for post in POSTS if post.y == NEAR_INSIDE] + _corners())


def far() -> Shape:
    """Return the flat far wall. Its x is the table's x, its y is the height above the base."""
    up, thick = COVER_UNDER - BASE_TOP, MM["ply"]
    half = TRENCH_INSIDE + MM["printed_wall"] - 0.5
    sheet = block(-SIDE_INSIDE, SIDE_INSIDE, 0, up, 0, thick)
    sheet += block(-half, half, up - 1, HOOD_UNDER - BASE_TOP, 0, thick)
    sheet -= _screws([post.x for post in POSTS if post.y == FAR_INSIDE] + _corners())
    return sheet - _vents(-230, 6) - _vents(230, 6)


def _long() -> Shape:
    thick = MM["ply"]
    sheet = block(NEAR_OUTSIDE, FAR_OUTSIDE, 0, COVER_UNDER - BASE_TOP, 0, thick)
    sheet += block(NEAR_OUTSIDE, COVER_BACK - 0.5, 1, FRAME_UNDER - BASE_TOP, 0, thick)
    deep = MM["post_deep"] / 2
    rows = [post.y for post in POSTS if post.x == SIDE_INSIDE]
    sheet -= _screws([*rows, NEAR_INSIDE + deep, FAR_INSIDE - deep])
    return sheet - _vents(MIDDLE - 80, 7) - _vents(MIDDLE + 80, 7)


def _corners() -> list[float]:
    deep = MM["post_deep"] / 2
    return sorted({corner.x - deep if corner.x > 0 else corner.x + deep for corner in CORNERS})


def _screws(places: list[float]) -> list[Shape]:
    return [_hole(MM["screw_hole"], x, z) for x in places for z in WALL_SCREWS]


def _vents(middle: float, count: int) -> list[Shape]:
    across, up = VENT
    low = VENT_Z - BASE_TOP
    found = []
    for i in range(count):
        x = middle + (i - (count - 1) / 2) * VENT_STEP
        slot = block(x - across / 2, x + across / 2, low, low + up, -1, MM["ply"] + 1)
        found.append(round_edges(slot, 1.4))
    return found


def _hole(across: float, x: float, y: float) -> Shape:
    return hole(across, x, y, -1, MM["ply"] + 1)
