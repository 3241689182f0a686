"""A tool for the bench: how far a tile's spring probe stands out while it is soldered.

The tile lies on it top down, the probe drops into the hole until its tip meets the floor, and is
soldered from above, on the tile's underside. The block is smaller than the space between the
tile's lights. Printed as it stands.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.shapes import block, hole, rounded

ACROSS, DOWN = 60.0, 40.0
FLOOR = 3.0
HOLE = 2.5
"""Across: the probe's barrel, 1.02 mm, and what a printed hole comes out narrower; it stands up
straight by the tile's own hole."""


def probe_gauge() -> Shape:
    """Its hole as deep as a probe stands out; the hole's middle at the origin."""
    top = FLOOR + MM["probe_tip"]
    solid = rounded(block(-ACROSS / 2, ACROSS / 2, -DOWN / 2, DOWN / 2, 0, top), 3)
    return solid - hole(HOLE, 0, 0, FLOOR, top + 1)
