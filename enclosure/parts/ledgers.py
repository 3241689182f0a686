"""Ledgers: strips of plywood along the walls, just under the frame, which is screwed to
them.

Their tabs are glued into notches of the walls' upper edges, so the walls bear them. The model has
them flat, in the table's x and y, with their undersides at z = 0.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.joints import fitted
from enclosure.levels import FAR, INNER_NEAR, NEAR_INSIDE, SIDE_INSIDE
from enclosure.places import FRAME_SCREWS
from enclosure.shapes import block, hole

_ENDS = 0.2
"""Distance in mm from the end of a ledger to the next ledger or wall."""
SHORT = 588.0
"""Length in mm of the near and the inner ledger: a bed of 600 mm takes them with its margin."""
_NEAR = NEAR_INSIDE + MM["ledger"]
_FAR = FAR - MM["frame_ledge"]


def near() -> Shape:
    return _strip("ledger-near", SHORT / 2, NEAR_INSIDE, _NEAR)


def inner() -> Shape:
    return _strip("ledger-inner", SHORT / 2, _FAR, INNER_NEAR)


def left() -> Shape:
    return _long("ledger-left", -SIDE_INSIDE, MM["ledger"] - SIDE_INSIDE)


def right() -> Shape:
    return _long("ledger-right", SIDE_INSIDE - MM["ledger"], SIDE_INSIDE)


def _strip(name: str, half: float, low: float, high: float) -> Shape:
    return _drilled(name, (-half, half, low, high))


def _long(name: str, low: float, high: float) -> Shape:
    ends = (_NEAR + _ENDS, _FAR - _ENDS)
    return _drilled(name, (low, high, *ends))


def _drilled(name: str, box: tuple[float, float, float, float]) -> Shape:
    """Return a ledger with a hole for each screw that goes into it."""
    left, right, near, far = box
    up = MM["ply"]
    holes = [
        hole(MM["pilot"], x, y, -1, up + 1)
        for x, y in FRAME_SCREWS
        if left < x < right and near < y < far
    ]
    return fitted(name, block(*box, 0, up) - holes)
