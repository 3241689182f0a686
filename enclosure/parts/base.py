"""The base: two sheets of plywood, joined by printed splices, with holes for all parts that are
screwed to them.

One sheet would be larger than the laser's bed. Every screw goes in from below; its head does not
reach lower than the feet. The trench's drains and the loudspeaker's grille are open downwards.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import FAR_OUTSIDE, NEAR_OUTSIDE, SIDE_OUTSIDE
from enclosure.parts.mounts import tray_screws
from enclosure.places import (
    AMPLIFIER,
    CARRIER,
    CLAMP_SCREWS,
    CLAMPS,
    CORNERS,
    DRAINS,
    FEET,
    LEVERS,
    PI,
    PI_MOUNT_SCREWS,
    PILLARS,
    POSTS,
    SEAM,
    SPEAKER,
    SPEAKER_SCREWS,
    SPLICE_SCREWS,
    SPLICES,
    TRENCH_SCREWS,
    Point,
    offset_points,
    square,
)
from enclosure.shapes import block, hole, insert_above

DRAIN = 8.0
GRILLE_HOLE = 5.0
GRILLE_STEP = 9.0
GRILLE_RADIUS = 34.0
SPLICE = (60.0, 40.0, 7.0)
"""Width, length and height in mm of a splice; the splice holds threaded inserts."""


def near() -> Shape:
    """Return the operatives' sheet, in the table's x and y, with its underside at z = 0."""
    return _sheet(NEAR_OUTSIDE, SEAM)


def far() -> Shape:
    """Return the spymasters' sheet. It is under the far bay, which has the hidden screen, and under
    the next rows of cells."""
    return _sheet(SEAM, FAR_OUTSIDE)


def splice() -> Shape:
    """Return a splice, which goes across the seam on the base. Its middle is at the origin."""
    across, down, up = SPLICE
    solid = block(-across / 2, across / 2, -down / 2, down / 2, 0, up)
    for x, y in SPLICE_SCREWS:
        solid -= insert_above(x, y, 0)
    return solid


def screws() -> list[Point]:
    """Return the place of every M3 hole of the base."""
    deep = MM["post_deep"] / 2
    return [
        *PILLARS,
        *(post.at(0, deep) for post in POSTS),
        *(corner.at(-deep, deep) for corner in CORNERS),
        *(at for x in SPLICES for at in offset_points((x, SEAM), SPLICE_SCREWS)),
        *square(CARRIER, MM["carrier_hole"], MM["carrier_hole"]),
        *offset_points(PI, PI_MOUNT_SCREWS),
        *offset_points(SPEAKER, SPEAKER_SCREWS),
        *(at for clamp in CLAMPS for at in offset_points(clamp, CLAMP_SCREWS)),
        *offset_points(AMPLIFIER, tray_screws(MM["amplifier_across"], 1)),
        *offset_points(LEVERS, tuple((y, -x) for x, y in tray_screws(MM["clamp_across"], 2))),
        *TRENCH_SCREWS,
        *FEET,
    ]


def grille() -> list[Point]:
    """Return the places of the holes below the loudspeaker's cone, in rows."""
    steps = range(-4, 5)
    offsets = [(i * GRILLE_STEP, j * GRILLE_STEP) for i in steps for j in steps]
    inside = tuple(at for at in offsets if at[0] ** 2 + at[1] ** 2 <= GRILLE_RADIUS**2)
    return [*offset_points(SPEAKER, inside)]


def _sheet(low: float, high: float) -> Shape:
    up = MM["ply"]
    sheet = block(-SIDE_OUTSIDE, SIDE_OUTSIDE, low, high, 0, up)
    groups = ((MM["screw_hole"], screws()), (GRILLE_HOLE, grille()), (DRAIN, DRAINS))
    holes = [
        hole(across, x, y, -1, up + 1)
        for across, places in groups
        for x, y in places
        if low < y < high
    ]
    return sheet - holes
