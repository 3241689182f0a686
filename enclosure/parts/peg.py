"""The peg on which a tile's contact spring stands.

The peg's leg is pressed into the tile's plated hole, from above. The spring is slipped over the
peg. The electrode board presses it onto the bare copper round the hole: nothing is soldered.
"""

from build123d import Cylinder, Pos, Shape, chamfer

from enclosure.dimensions import MM
from enclosure.shapes import LOW

ACROSS = 4.0
"""Diameter in mm: less than the inside of a spring of 5 mm, which is 4.4 mm."""
HIGH = 8.0
"""Height in mm above the tile: more than half of the spring, which then cannot buckle, and well
below the electrode board."""
LEG = (MM["peg_hole"] - 0.1, MM["tile_thickness"] + 1.9)
"""Diameter and length of the leg in mm. It is a light press fit. A peg that is loose all the same
meets the electrode board before its leg is out of the hole."""


def spring_peg() -> Shape:
    """Return the peg, as it is printed: its upper end on the bed, its leg on top."""
    body = Cylinder(ACROSS / 2, HIGH, align=LOW)
    body = chamfer(body.faces().sort_by()[0].edges(), 0.6)
    leg = Cylinder(LEG[0] / 2, LEG[1], align=LOW)
    return body + Pos(0, 0, HIGH) * chamfer(leg.faces().sort_by()[-1].edges(), 0.4)
