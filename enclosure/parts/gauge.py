"""A tool that sets the length of a tile's spring probe during soldering.

The tile is on it top down. The probe drops into the hole until its tip meets the floor, and is
soldered from above, on the tile's underside. The block is smaller than the space between the tile's
lights.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.shapes import block, hole, rounded

ACROSS, DOWN = 60.0, 40.0
FLOOR = 3.0
HOLE = 2.5
"""Diameter of the hole in mm: the probe's barrel, 1.02 mm, plus the shrinkage of a printed hole.
The tile's own hole keeps the probe upright."""


def probe_gauge() -> Shape:
    """Return the gauge: its hole as deep as a probe's free length, its middle at the origin."""
    top = FLOOR + MM["probe_tip"]
    solid = rounded(block(-ACROSS / 2, ACROSS / 2, -DOWN / 2, DOWN / 2, 0, top), 3)
    return solid - hole(HOLE, 0, 0, FLOOR, top + 1)
