"""The frame under the overlay, and the rim, which holds the overlay down and keeps drinks on it.

A spilled drink meets the rim first, with foam tape between the rim and the overlay. Liquid that
leaks through meets the cord between overlay and frame, and stays outside the box. The frame has
eight printed pieces; each stands upright on the bed.

The rim is a ring of plywood: two layers, glued to each other. The joints of the upper layer lie
over whole wood of the lower one, so no joint needs tabs. Its underside is flat and stops at the
frame. Its screws go into the frame.
"""

from collections.abc import Callable, Iterable

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import (
    FRAME_FAR,
    FRAME_NEAR,
    FRAME_OUTSIDE,
    FRAME_TOP,
    FRAME_UNDER,
    LEDGE_TOP,
    LIP_UNDER,
    RIM_TOP,
)
from enclosure.places import RIM_LEG_SCREW, RIM_LONG_SCREW, RIM_SCREW, RIM_SCREW_LONG
from enclosure.shapes import block, hole

Band = Callable[[float, float, float, float], Shape]
"""Function that returns a band along the overlay's edge. Its arguments in mm: inner and outer side
(distances outwards from the overlay's edge), bottom, top."""

OUT = MM["frame_outside"]
DEPTH = FRAME_FAR - FRAME_NEAR
"""Length in mm of the frame's and the rim's left and right side."""
LONG = 2 * (FRAME_OUTSIDE - MM["frame_leg"])
SHORT = DEPTH - 2 * MM["frame_leg"]
WIDE = MM["rim_lip"] + OUT
"""Width in mm of the rim's lower layer."""
NARROW = WIDE - MM["rim_step"]
"""Width in mm of the rim's upper layer."""
ROUND = 4.0
"""Radius in mm of the outer corners."""
SCREW_DEPTH = RIM_SCREW_LONG - (RIM_TOP - LIP_UNDER) + 1
"""Depth in mm of the holes for the rim's inserts: the screws reach below the inserts."""


def frame_corner() -> Shape:
    """Return a corner of the frame: its outer corner is at the origin, its legs go towards -x and
    -y."""
    solid = _frame(_bent(MM["frame_leg"]), bent=True)
    ends = ((RIM_SCREW, RIM_SCREW), (RIM_LEG_SCREW, RIM_SCREW), (RIM_SCREW, RIM_LEG_SCREW))
    return solid - [_insert(-x, -y) for x, y in ends]


def frame_long() -> Shape:
    """Return the piece of the frame between two corners at the far or near side; its outer face is
    at y = 0."""
    return _frame_straight(LONG, (-RIM_LONG_SCREW, RIM_LONG_SCREW))


def frame_short() -> Shape:
    """Return the piece of the frame between two corners at the left or right side."""
    return _frame_straight(SHORT, (0.0,))


def rim_long() -> Shape:
    """Return a strip of the rim's lower layer at the far or near side, between the left and right
    one. All strips of the rim lie along x; their outer edge is at y = 0."""
    half = FRAME_OUTSIDE - WIDE
    at = FRAME_OUTSIDE - RIM_LEG_SCREW
    return _strip(-half, half, WIDE, MM["ply"], (-at, -RIM_LONG_SCREW, RIM_LONG_SCREW, at))


def rim_short() -> Shape:
    """Return a strip of the rim's lower layer at the left or right side, from corner to corner."""
    half = DEPTH / 2
    ends = [half - at for at in (RIM_SCREW, RIM_LEG_SCREW)]
    solid = _strip(-half, half, WIDE, MM["ply"], (*ends, 0.0, *(-at for at in ends)))
    return _outer_corner(solid, (-half, half))


def rim_top_long() -> Shape:
    """Return half of the rim's upper layer at the far or near side, from the middle at x = 0 to the
    right corner. The other half is the same, turned over."""
    end = FRAME_OUTSIDE
    screws = (RIM_LONG_SCREW, end - RIM_LEG_SCREW, end - RIM_SCREW)
    return _outer_corner(_strip(0, end, NARROW, MM["thin_ply"], screws), (end,))


def rim_top_short() -> Shape:
    """Return the strip of the rim's upper layer at the left or right side, between the far and near
    ones."""
    half, at = DEPTH / 2 - NARROW, DEPTH / 2 - RIM_LEG_SCREW
    return _strip(-half, half, NARROW, MM["thin_ply"], (-at, 0.0, at))


def _strip(left: float, right: float, wide: float, thick: float, screws: Iterable[float]) -> Shape:
    solid = block(left, right, -wide, 0, 0, thick)
    return solid - [hole(MM["screw_hole"], x, -RIM_SCREW, -1, thick + 1) for x in screws]


def _straight(length: float) -> Band:
    half = length / 2 - MM["joint"]
    return lambda start, end, low, high: block(-half, half, start - OUT, end - OUT, low, high)


def _bent(leg: float) -> Band:
    end_at = -leg + MM["joint"]

    def band(start: float, end: float, low: float, high: float) -> Shape:
        outer = block(end_at, end - OUT, end_at, end - OUT, low, high)
        return outer - block(end_at - 1, start - OUT, end_at - 1, start - OUT, low - 1, high + 1)

    return band


def _frame(band: Band, bent: bool = False) -> Shape:
    """Return the body of a piece of the frame, standing on z = 0.

    ``bent`` is true for a corner. A corner has no drip groove, because the groove could not be
    printed without supports.
    """
    drop = -FRAME_UNDER
    ledge = band(-MM["frame_ledge"], OUT, 0, LEDGE_TOP + drop)
    ledge += band(MM["overlay_play"], OUT, LEDGE_TOP + drop, FRAME_TOP + drop)
    ledge = _outer_corner(ledge, (0.0,))
    start = -MM["cord_from_edge"] - MM["cord_groove"]
    ledge -= band(start, -MM["cord_from_edge"], drop - MM["cord_squeezed"], drop)
    groove = band(OUT - 2 * MM["drip"], OUT - MM["drip"], -1, MM["drip"])
    return ledge - (groove - block(-4 * ROUND, 1, -4 * ROUND, 1, -2, 3) if bent else groove)


def _frame_straight(length: float, screws: Iterable[float]) -> Shape:
    return _frame(_straight(length)) - [_insert(x, -RIM_SCREW) for x in screws]


def _insert(x: float, y: float) -> Shape:
    top = FRAME_TOP - FRAME_UNDER
    return hole(MM["insert_hole"], x, y, top - SCREW_DEPTH, top + 1)


def _outer_corner(solid: Shape, ends: Iterable[float]) -> Shape:
    """Return the solid with its outer corners rounded: upright edges at y = 0 and these x."""
    corner = [
        edge
        for edge in solid.edges()
        if abs(edge.center().Y) < 0.01
        and any(abs(edge.center().X - x) < 0.01 for x in ends)
        and edge.length > 2
        and abs(edge.tangent_at(0).Z) > 0.9
    ]
    return solid.fillet(ROUND, corner) if corner else solid
