"""A tool that sets the length of a tile's spring probe during soldering.

The tile is put upside down on the tool. The probe drops into the tool's hole until its tip meets
the hole's floor. The probe is then soldered from above, on the tile's underside. The tool is
smaller than the space between the tile's lights.
"""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.shapes import block, hole, round_edges

ACROSS, DOWN = 60.0, 40.0
FLOOR = 3.0
HOLE = 2.5
"""Diameter of the hole in mm: 1.02 mm for the probe's barrel, plus the shrinkage of a printed hole.
The hole in the tile keeps the probe upright."""


def probe_gauge() -> Shape:
    """Return the gauge, with its middle at the origin. The depth of its hole is the height of a
    probe's tip above the tile."""
    top = FLOOR + MM["probe_tip"]
    solid = round_edges(block(-ACROSS / 2, ACROSS / 2, -DOWN / 2, DOWN / 2, 0, top), 3)
    return solid - hole(HOLE, 0, 0, FLOOR, top + 1)
