"""Pillars under the deck, and stand-offs under the carrier.

All of them are printed upright. Each hole takes an M3 heat-set insert, except the holes of the
stand-offs: a long screw goes through each stand-off, from the carrier down to a nut under the base.
"""

from build123d import Cylinder, Shape

from enclosure.dimensions import MM
from enclosure.levels import BASE_TOP, DECK_UNDER
from enclosure.shapes import LOW, hole, insert_above, insert_below


def pillar() -> Shape:
    """Return a pillar from the base to the deck."""
    height = DECK_UNDER - BASE_TOP
    solid = Cylinder(MM["pillar"] / 2, height, align=LOW)
    return solid - insert_above(0, 0, 0) - insert_below(0, 0, height)


def stand_off() -> Shape:
    """Return a stand-off under a corner of the carrier."""
    height = MM["stand_off"]
    return Cylinder(MM["boss"] / 2, height, align=LOW) - hole(
        MM["screw_hole"], 0, 0, -1, height + 1
    )
