"""Ledgers: strips of plywood along the walls. The frame is glued to four of them; the covers rest
on the fifth.

Tabs of the four are glued into notches of the walls' upper edges, so the walls bear them. The fifth
has its tabs in slots of the inner wall. The model has the ledgers flat, in the table's x and y,
with their undersides at z = 0.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.joints import fitted
from enclosure.levels import FAR, INNER_FAR, INNER_NEAR, NEAR_INSIDE, SIDE_INSIDE
from enclosure.shapes import block

_ENDS = 0.2
"""Distance in mm from the end of a ledger to the next ledger or wall."""
SHORT = 588.0
"""Length in mm of the ledgers from left to right: a bed of 600 mm takes them with its margin."""
COVER_WIDE = 8.0
"""Width in mm of the ledger under the covers; it ends 1 mm before the trench."""
_NEAR = NEAR_INSIDE + MM["ledger"]
_FAR = FAR + MM["side_from_overlay"] - MM["ledger"]


def near() -> Shape:
    return _strip("ledger-near", SHORT / 2, NEAR_INSIDE, _NEAR)


def inner() -> Shape:
    return _strip("ledger-inner", SHORT / 2, _FAR, INNER_NEAR)


def cover() -> Shape:
    return _strip("ledger-cover", SHORT / 2, INNER_FAR, INNER_FAR + COVER_WIDE)


def left() -> Shape:
    return _long("ledger-left", -SIDE_INSIDE, MM["ledger"] - SIDE_INSIDE)


def right() -> Shape:
    return _long("ledger-right", SIDE_INSIDE - MM["ledger"], SIDE_INSIDE)


def _strip(name: str, half: float, low: float, high: float) -> Shape:
    return fitted(name, block(-half, half, low, high, 0, MM["ply"]))


def _long(name: str, low: float, high: float) -> Shape:
    return fitted(name, block(low, high, _NEAR + _ENDS, _FAR - _ENDS, 0, MM["ply"]))
