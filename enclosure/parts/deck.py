"""The deck: a sheet of plywood on the posts, under all light cells, with a window under each
tile.

Over the carrier, the windows are wider, so that the carrier's plugs pass. The light cells are glued
on; the small holes take the screws that hold them until they are dry. Each window has two slots
beside it for the cable ties of the lights' wires. Each comb for electrode leads has two slots, too.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.joints import fitted
from enclosure.leads import COMBS, TIE
from enclosure.levels import CELLS_FAR, CELLS_LEFT, CELLS_NEAR, CELLS_RIGHT
from enclosure.places import CARRIER, CELLS, DECK_SCREWS, EMPTY, Point
from enclosure.plugs import Box, of_carrier
from enclosure.shapes import block, hole, round_edges

SLOTS = (-14.0, -6.0)
"""x in mm of the slots, relative to a cell's middle."""
ROUND = 3.0
"""Radius in mm of a window's corners."""


def deck() -> Shape:
    """Return the sheet, in the table's x and y, with its underside at z = 0."""
    border, up = MM["deck_border"], MM["ply"]
    sheet = block(
        CELLS_LEFT - border, CELLS_RIGHT + border, CELLS_NEAR - border, CELLS_FAR + border, 0, up
    )
    taken = [hole(MM["screw_hole"], x, y, -1, up + 1) for x, y in DECK_SCREWS]
    across, down = MM["deck_window_across"] / 2, MM["deck_window_down"] / 2
    for x, y in CELLS:
        taken.append(hole(MM["screw_hole"], x + MM["tile_hole_across"] / 2, y, -1, up + 1))
        if (x, y) not in EMPTY:
            window = (x - across, x + across, y - down, y + down)
            taken.append(round_edges(block(*window, -1, up + 1), ROUND))
            taken += [block(*cut, -1, up + 1) for cut in _cuts((x, y), window)]
            slot = y - (down + MM["pitch_down"] / 2) / 2
            taken += [
                block(x + at - 1.25, x + at + 1.25, slot - 3, slot + 3, -1, up + 1) for at in SLOTS
            ]
    for comb in COMBS:
        taken += [
            block(comb.x + at - 1.25, comb.x + at + 1.25, comb.y - 3, comb.y + 3, -1, up + 1)
            for at in (-TIE, TIE)
        ]
    return fitted("deck", sheet - taken)


def _cuts(cell: Point, window: Box) -> list[Box]:
    """Return the rectangles by which this cell's window is widened, so that the carrier's plugs
    pass."""
    found = []
    for plug in of_carrier():
        left, right, near, far = plug.at(*CARRIER, MM["plug_cut"])
        middle = (left + right) / 2 - cell[0], (near + far) / 2 - cell[1]
        if abs(middle[0]) > MM["pitch_across"] / 2 or abs(middle[1]) > MM["pitch_down"] / 2:
            continue
        # Each cut begins inside the window, beyond its round corners: no plywood is left between.
        left, right = min(left, window[1] - ROUND), max(right, window[0] + ROUND)
        near, far = min(near, window[3] - ROUND), max(far, window[2] + ROUND)
        if left < window[0] or right > window[1] or near < window[2] or far > window[3]:
            found.append((left, right, near, far))
    return found
