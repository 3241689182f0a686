"""The base: two sheets of plywood, joined by a glued strap, with holes for all parts that are
screwed to them, and with slots for the tabs of walls, posts and trench.

One sheet would be larger than the laser's bed. The screws of carrier and Raspberry Pi go in from
above, into nuts below the base; those of the loudspeaker's box go in from below. Nuts and heads do
not reach lower than the feet. The trench's drains and the loudspeaker's grille are open downwards.
"""

from collections.abc import Iterator

from build123d import Cylinder, Shape

from enclosure.dimensions import MM
from enclosure.joints import fitted
from enclosure.levels import FAR_OUTSIDE, NEAR_OUTSIDE, SIDE_OUTSIDE
from enclosure.places import (
    CARRIER,
    DRAINS,
    FEET,
    PI,
    PI_SCREWS,
    SEAM,
    SPEAKER,
    SPEAKER_SCREWS,
    TIES,
    Point,
    offset_points,
    square,
)
from enclosure.shapes import LOW, block, hole

DRAIN = 8.0
GRILLE_HOLE = 5.0
GRILLE_STEP = 9.0
GRILLE_RADIUS = 34.0
TIE_SLOT = 2.0
"""Width in mm of a slot for a cable tie, which is about 1 mm thick."""
STRAP_LONG = 588.0
"""Length in mm of the strap over the seam: a bed of 600 mm takes it with its margin."""
STRAP = 40.0
"""Width in mm of the strap over the seam; half of it is glued to each sheet."""


def near() -> Shape:
    """Return the operatives' sheet, in the table's x and y, with its underside at z = 0."""
    return _sheet("base-near", NEAR_OUTSIDE, SEAM)


def far() -> Shape:
    """Return the spymasters' sheet. It is under the far bay, which has the hidden screen, and under
    the next rows of cells."""
    return _sheet("base-far", SEAM, FAR_OUTSIDE)


def strap() -> Shape:
    """Return the strap that is glued over the seam, in the table's x and y."""
    half = STRAP_LONG / 2
    return block(-half, half, SEAM - STRAP / 2, SEAM + STRAP / 2, 0, MM["ply"])


def foot_disc() -> Shape:
    """Return a disc that is glued under the base, with felt under it. Its middle is at the
    origin. A nail through its hole finds its place."""
    up = MM["ply"]
    return Cylinder(MM["foot"] / 2, up, align=LOW) - hole(MM["pilot"], 0, 0, -1, up + 1)


def screws() -> list[Point]:
    """Return the place of every M3 hole of the base."""
    return [
        *square(CARRIER, MM["carrier_hole"], MM["carrier_hole"]),
        *offset_points(PI, PI_SCREWS),
        *offset_points(SPEAKER, SPEAKER_SCREWS),
    ]


def grille() -> list[Point]:
    """Return the places of the holes below the loudspeaker's cone, in rows."""
    steps = range(-4, 5)
    offsets = [(i * GRILLE_STEP, j * GRILLE_STEP) for i in steps for j in steps]
    inside = tuple(at for at in offsets if at[0] ** 2 + at[1] ** 2 <= GRILLE_RADIUS**2)
    return [*offset_points(SPEAKER, inside)]


def _tie_slots() -> Iterator[Shape]:
    """Yield the two slots for each cable tie, one on each side of the lead."""
    half = MM["tie"] / 2 + MM["play"]
    for x, y in TIES:
        for side in (-1, 1):
            at = y + side * (MM["cable"] + TIE_SLOT) / 2
            low, high = at - TIE_SLOT / 2, at + TIE_SLOT / 2
            yield block(x - half, x + half, low, high, -1, MM["ply"] + 1)


def _sheet(name: str, low: float, high: float) -> Shape:
    up = MM["ply"]
    sheet = block(-SIDE_OUTSIDE, SIDE_OUTSIDE, low, high, 0, up)
    groups = (
        (MM["screw_hole"], screws()),
        (GRILLE_HOLE, grille()),
        (DRAIN, DRAINS),
        (MM["pilot"], FEET),
    )
    holes = [
        hole(across, x, y, -1, up + 1)
        for across, places in groups
        for x, y in places
        if low < y < high
    ]
    return fitted(name, sheet - [*holes, *_tie_slots()])
