"""The loudspeaker's box, which presses the loudspeaker on the base's grille, with two layers of
foam tape on its back.

It closes the space behind the loudspeaker, which makes the sound louder. Two screws through the
base hold it. It is printed with its closed side on the bed, without supports.
"""

from build123d import Cylinder, Pos, Rot, Shape

from enclosure.dimensions import MM
from enclosure.places import SPEAKER_SCREWS
from enclosure.shapes import LOW, block, hole, level_hole, round_edges

FOAM = 2.0
"""Thickness in mm of the foam tape behind the loudspeaker."""
WALL = 2.0
"""Thickness in mm of the box."""
SCREW_DEEP = 8.0
"""Depth in mm of the hole for a screw ST2.9 × 13, of which 6 mm are in the base."""
SPEAKER_BOX_UP = MM["loudspeaker_deep"] + FOAM + WALL
"""Height in mm of the box."""


def speaker_box() -> Shape:
    """Return the box with its closed side at z = 0."""
    inner, up = MM["loudspeaker"] / 2 + 1, SPEAKER_BOX_UP
    outer = inner + WALL
    solid = round_edges(block(-outer, outer, -outer, outer, 0, up), 4)
    for x, y in SPEAKER_SCREWS:
        solid += Pos(x, y, 0) * Cylinder(MM["boss"] / 2, up, align=LOW)
    solid -= round_edges(block(-inner, inner, -inner, inner, WALL, up + 1), 2)
    for x, y in SPEAKER_SCREWS:
        solid -= hole(MM["tap_hole"], x, y, up - SCREW_DEEP, up + 1)
    lead = Rot(0, 0, -90) * level_hole(4.0, 2 * WALL + 2)
    return solid - Pos(outer + 1, 20, up - 8) * lead
