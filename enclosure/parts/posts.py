"""Posts of plywood under the deck, and printed stand-offs under the boards.

Each post stands on the base, with a tab glued into it. Another tab stands loosely in a slot of the
deck, which is lifted off for service. The upper edge has a slot like a T: in the four outermost
posts, a nut in it takes a screw of the deck. A long screw goes through each stand-off, from a board
down to a nut under the base: M3 under the carrier, M2.5 under the Raspberry Pi.
"""

from build123d import Cylinder, Pos, Rot, Shape

from enclosure.dimensions import MM
from enclosure.joints import POST_FOOT, POST_HEAD, POST_TAB_UP
from enclosure.levels import BASE_TOP, DECK_UNDER
from enclosure.places import POSTS
from enclosure.shapes import LOW, block, facing_x, hole, nut_in_edge

POST = (-8.0, 22.0)
"""Both ends of a post in mm along the post, from its screw."""
_FLAT = facing_x(-MM["ply"] / 2)
PLACES = tuple(Pos(x, y, BASE_TOP) * Rot(0, 0, -90 * side) * _FLAT for x, y, side in POSTS)
"""The move of each post from its flat sheet to its place in the table."""


def post() -> Shape:
    """Return a post, flat. Its length is along x from its screw, its lower edge is at y = 0."""
    half, up = MM["ply"] / 2, DECK_UNDER - BASE_TOP
    solid = block(-half, half, *POST, 0, up)
    solid += block(-half, half, *POST_FOOT, -MM["ply"], 0)
    solid += block(-half, half, *POST_HEAD, up, up + POST_TAB_UP)
    return _FLAT.inverse() * (solid - nut_in_edge(0, 0, up))


def stand_off() -> Shape:
    """Return a stand-off under a corner of the carrier or of the Raspberry Pi."""
    up = MM["stand_off"]
    solid = Cylinder(MM["stand_off_across"] / 2, up, align=LOW)
    return solid - hole(MM["screw_hole"], 0, 0, -1, up + 1)
