"""The deck: plywood on the pillars, under all light cells, open under each tile.

Screws from below hold the light cells. Beside each opening two pairs of slots take ties that hold
the wires: electrode leads on one side, the lights' on the other.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import CELLS_FAR, CELLS_LEFT, CELLS_NEAR, CELLS_RIGHT
from enclosure.places import CELLS, EMPTY, PILLARS
from enclosure.shapes import block, hole, rounded

SLOTS = (-14.0, -6.0, 6.0, 14.0)
"""x of the slots from a cell's middle."""


def deck() -> Shape:
    """The sheet: x and y as in the table, its underside at z = 0."""
    border, up = MM["deck_border"], MM["ply"]
    sheet = block(
        CELLS_LEFT - border, CELLS_RIGHT + border, CELLS_NEAR - border, CELLS_FAR + border, 0, up
    )
    taken = [hole(MM["screw_hole"], x, y, -1, up + 1) for x, y in PILLARS]
    across, down = MM["deck_window_across"] / 2, MM["deck_window_down"] / 2
    for x, y in CELLS:
        for side in (-1, 1):
            screw = x + side * MM["tile_hole_across"] / 2
            taken.append(hole(MM["screw_hole"], screw, y, -1, up + 1))
        if (x, y) not in EMPTY:
            window = block(x - across, x + across, y - down, y + down, -1, up + 1)
            taken.append(rounded(window, 3))
            slot = y - (down + MM["pitch_down"] / 2) / 2
            taken += [
                block(x + at - 1.25, x + at + 1.25, slot - 3, slot + 3, -1, up + 1) for at in SLOTS
            ]
    return sheet - taken
