"""The touch surface: one sheet of opal acrylic, with the electrodes glued flat to its underside.

The laser engraves marks for players into the upper side. Each card's place has four corner marks.
Each of the two pads has an outline with a sign: two arrows in a circle for the end of a turn, and
an hourglass. The marks are single lines, so that little dirt collects in them.
"""

from collections.abc import Iterable

from build123d import Edge, Plane, Shape

from enclosure.dimensions import MM
from enclosure.levels import FAR, MIDDLE, NEAR, RIGHT
from enclosure.places import TILES, Point
from enclosure.shapes import block, round_edges

HALF_DOWN = (FAR - NEAR) / 2
CARD = (45.0, 32.5)
"""Distances in mm across and down from a cell's middle to its corner marks, which are 1 mm outside
a card of 88 × 63 mm."""
CORNER = 6.0
"""Length in mm of each of the two lines of a corner mark."""
PAD_ROUND = 4.0
"""Radius in mm of the corners of a pad's outline."""
TURN = 14.0
"""Radius in mm of the circle of the two arrows on the end-turn pad."""
HEAD = 5.0
"""Distance in mm by which an arrow's head reaches backwards, and to each side."""
GLASS = (9.0, 15.0)
"""Half of the engraved hourglass's width, and half of its height, in mm."""
NECK = 1.5
"""Half of the width of the hourglass's neck, in mm."""


def overlay() -> Shape:
    """Return the sheet: its middle is at the origin, its underside at z = 0."""
    sheet = block(-RIGHT, RIGHT, -HALF_DOWN, HALF_DOWN, 0, MM["overlay_thickness"])
    return round_edges(sheet, 3)


def engraving() -> list[Edge]:
    """Return the lines that are engraved into the overlay, seen from above, at z = 0."""
    *cells, end_turn, hourglass = ((x, y - MIDDLE) for x, y in TILES)
    found = [line for cell in cells for line in _corners(cell)]
    for pad, sign in ((end_turn, _arrows), (hourglass, _hourglass)):
        found += [*_outline(pad), *sign(pad)]
    return found


def _corners(middle: Point) -> Iterable[Edge]:
    """Yield the lines of the four corner marks around a card."""
    for right in (-1, 1):
        for far in (-1, 1):
            x, y = middle[0] + right * CARD[0], middle[1] + far * CARD[1]
            yield _line((x, y), (x - right * CORNER, y))
            yield _line((x, y), (x, y - far * CORNER))


def _outline(middle: Point) -> Iterable[Edge]:
    """Yield the outline of a pad, as large as the electrode below the pad."""
    x, y = MM["electrode_across"] / 2, MM["electrode_down"] / 2
    for side in (-1, 1):
        far, right = middle[1] + side * y, middle[0] + side * x
        yield _line((middle[0] - x + PAD_ROUND, far), (middle[0] + x - PAD_ROUND, far))
        yield _line((right, middle[1] - y + PAD_ROUND), (right, middle[1] + y - PAD_ROUND))
    for turn, (right, up) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        corner = (middle[0] + right * (x - PAD_ROUND), middle[1] + up * (y - PAD_ROUND))
        yield _arc(corner, PAD_ROUND, 90 * turn, 90 * turn + 90)


def _arrows(middle: Point) -> Iterable[Edge]:
    """Yield the sign for the other team's turn: two arrows that follow each other in a circle."""
    x, y = middle
    for side in (-1, 1):
        # Each arrow ends at the height of the middle; its head points along the circle.
        yield _arc(middle, TURN, 0 if side > 0 else 180, 145 if side > 0 else 325)
        tip = (x + side * TURN, y)
        for aside in (-1, 1):
            yield _line(tip, (tip[0] + aside * HEAD, y + side * HEAD))


def _hourglass(middle: Point) -> Iterable[Edge]:
    """Yield the lines of the hourglass: two bars, the glass between them, and the sand at the
    bottom."""
    x, y = middle
    across, up = GLASS
    for side in (-1, 1):
        yield _line((x - across - 3, y + side * up), (x + across + 3, y + side * up))
        yield _line((x + side * across, y + up), (x + side * NECK, y))
        yield _line((x + side * NECK, y), (x + side * across, y - up))
    sand = NECK + (across - NECK) * 0.6
    yield _line((x - sand, y - 0.6 * up), (x + sand, y - 0.6 * up))


def _line(start: Point, end: Point) -> Edge:
    return Edge.make_line((*start, 0), (*end, 0))


def _arc(middle: Point, radius: float, first: float, last: float) -> Edge:
    return Edge.make_circle(radius, Plane((*middle, 0)), first, last)
