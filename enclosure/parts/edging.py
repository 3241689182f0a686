"""The frame under the overlay, and the rim, which holds the overlay down and keeps drinks on it.

A spilled drink meets the rim first, with foam tape between the rim's lip and the overlay. Liquid
that leaks through meets the cord between overlay and frame, and stays outside the box. The frame
has eight pieces, the rim twelve. The joints of the rim are not above those of the frame, so that
the rim's screws tie the frame together. The frame is printed upright, the rim upside down.
"""

from collections.abc import Callable, Iterable

from build123d import Rot, Shape, chamfer

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
from enclosure.places import (
    FRAME_SCREW_AT,
    LONG_SCREW_AT,
    LONG_SCREWS,
    RIM_LEG_SCREWS,
    SHORT_SCREWS,
)
from enclosure.shapes import block, insert_below, sunk

Band = Callable[[float, float, float, float], Shape]
"""Function that returns a band along the overlay's edge. Its arguments in mm: inner and outer side
(distances outwards from the overlay's edge), bottom, top."""

OUT = MM["frame_outside"]
LONG = 2 * (FRAME_OUTSIDE - MM["frame_leg"])
SHORT = FRAME_FAR - FRAME_NEAR - 2 * MM["frame_leg"]
RIM_LONG = FRAME_OUTSIDE - MM["rim_leg"]
"""Length in mm of a long straight piece of the rim; two such pieces are between two corners."""
RIM_SHORT = (FRAME_FAR - FRAME_NEAR) / 2 - MM["rim_leg"]
ROUND = 4.0
"""Radius in mm of the outer corners."""


def frame_corner() -> Shape:
    """Return a corner of the frame: its outer corner is at the origin, its legs go towards -x and
    -y."""
    leg = MM["frame_leg"]
    solid = _frame(_bent(leg), bent=True)
    rim = OUT - MM["rim_screw"]
    along = [*RIM_LEG_SCREWS, FRAME_OUTSIDE - (RIM_LONG / 2 + LONG_SCREWS)]
    for at in along:
        for x, y in ((-at, -rim), (-rim, -at)):
            solid -= insert_below(x, y, FRAME_TOP - FRAME_UNDER)
    inner = OUT + MM["frame_screw"]
    for x, y in ((-inner, -inner), (-FRAME_SCREW_AT, -inner), (-inner, -FRAME_SCREW_AT)):
        solid -= sunk(x, y, -1, LEDGE_TOP - FRAME_UNDER)
    return solid


def frame_long() -> Shape:
    """Return the piece of the frame between two corners at the far or near side; its outer face is
    at y = 0."""
    return _frame_straight(LONG, RIM_LONG / 2 - LONG_SCREWS, (-LONG_SCREW_AT, LONG_SCREW_AT))


def frame_short() -> Shape:
    """Return the piece of the frame between two corners at the left or right side."""
    return _frame_straight(SHORT, RIM_SHORT / 2 - SHORT_SCREWS, (0.0,))


def rim_corner() -> Shape:
    """Return a corner of the rim, upside down: its outer corner is at the origin, its legs go
    towards -x and +y."""
    solid = _rim(_bent(MM["rim_leg"]), lambda x, y: max(x, y))
    at_edge = OUT - MM["rim_screw"]
    for at in RIM_LEG_SCREWS:
        for x, y in ((-at, -at_edge), (-at_edge, -at)):
            solid -= _rim_screw(x, y)
    return Rot(180, 0, 0) * solid


def rim_long() -> Shape:
    """Return half of the straight rim between two corners at the far or near side, upside down."""
    return _rim_straight(RIM_LONG, LONG_SCREWS)


def rim_short() -> Shape:
    """Return half of the straight rim at the left or right side, between two corners. The part lies
    upside down, as it is printed."""
    return _rim_straight(RIM_SHORT, SHORT_SCREWS)


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
    ledge = _outer_corner(ledge)
    start = -MM["cord_from_edge"] - MM["cord_groove"]
    ledge -= band(start, -MM["cord_from_edge"], drop - MM["cord_squeezed"], drop)
    groove = band(OUT - 2 * MM["drip"], OUT - MM["drip"], -1, MM["drip"])
    return ledge - (groove - block(-4 * ROUND, 1, -4 * ROUND, 1, -2, 3) if bent else groove)


def _frame_straight(length: float, rim_screw: float, screws: Iterable[float]) -> Shape:
    solid = _frame(_straight(length))
    for x in (-rim_screw, rim_screw):
        solid -= insert_below(x, MM["rim_screw"] - OUT, FRAME_TOP - FRAME_UNDER)
    for x in screws:
        solid -= sunk(x, -OUT - MM["frame_screw"], -1, LEDGE_TOP - FRAME_UNDER)
    return solid


def _rim(band: Band, outwards: Callable[[float, float], float]) -> Shape:
    """Return the body of a piece of the rim, below z = 0."""
    solid = band(-MM["rim_lip"], OUT, LIP_UNDER - RIM_TOP, 0)
    solid += band(MM["overlay_play"], OUT, FRAME_TOP - RIM_TOP, LIP_UNDER - RIM_TOP)
    solid = _outer_corner(solid)
    inner = -MM["rim_lip"] - OUT
    top = [edge for edge in solid.edges() if abs(edge.center().Z) < 0.01]
    inside = [e for e in top if abs(outwards(e.center().X, e.center().Y) - inner) < 0.01]
    return chamfer(inside, MM["rim_slope"])


def _rim_straight(length: float, screw: float) -> Shape:
    solid = _rim(_straight(length), lambda _, y: y)
    for x in (-screw, screw):
        solid -= _rim_screw(x, MM["rim_screw"] - OUT)
    return Rot(180, 0, 0) * solid


def _rim_screw(x: float, y: float) -> Shape:
    return sunk(x, y, FRAME_TOP - RIM_TOP - 1, 0)


def _outer_corner(solid: Shape) -> Shape:
    """Return the solid with its outer corner rounded. A straight piece has no such corner and stays
    unchanged."""
    corner = [
        edge
        for edge in solid.edges()
        if abs(edge.center().X) < 0.01 and abs(edge.center().Y) < 0.01 and edge.length > 2
        and abs(edge.tangent_at(0).Z) > 0.9
    ]  # fmt: skip
    return solid.fillet(ROUND, corner) if corner else solid
