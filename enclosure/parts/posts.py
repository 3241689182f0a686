"""Posts that hold walls and frame, pillars under the deck, and stand-offs under the carrier.

All of them are printed upright. Each hole takes an M3 heat-set insert, except the holes of the
stand-offs: a long screw goes through each stand-off, from the carrier down to a nut under the base.
"""

from build123d import Cylinder, Pos, Rot, Shape

from enclosure.dimensions import MM
from enclosure.levels import BASE_TOP, DECK_UNDER
from enclosure.places import LOW_POST_HEIGHT, POST_HEIGHT, POST_TOP_SCREW, WALL_SCREWS
from enclosure.shapes import LOW, block, hole, insert_above, insert_below, level_hole


def post() -> Shape:
    """Return a post under the frame. The origin is the middle of the face that touches the wall;
    the wall is at +y."""
    return _post(POST_HEIGHT)


def low_post() -> Shape:
    """Return a post under a cover. It is lower than a post under the frame."""
    return _post(LOW_POST_HEIGHT)


def corner() -> Shape:
    """Return a corner post under the frame. The walls are at +x and +y, and their inner corner is
    at the origin."""
    return _corner(POST_HEIGHT)


def low_corner() -> Shape:
    """Return a corner post under a cover."""
    return _corner(LOW_POST_HEIGHT)


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


def _post(height: float) -> Shape:
    deep, half = MM["post_deep"], MM["post"] / 2
    solid = block(-half, half, -deep, 0, 0, height)
    solid -= insert_above(0, -deep / 2, 0) + insert_below(0, -POST_TOP_SCREW, height)
    for z in WALL_SCREWS:
        solid -= _insert_at_wall(0, z)
    return solid


def _corner(height: float) -> Shape:
    deep = MM["post_deep"]
    solid = block(-deep, 0, -deep, 0, 0, height)
    solid -= insert_above(-deep / 2, -deep / 2, 0)
    solid -= insert_below(-POST_TOP_SCREW, -POST_TOP_SCREW, height)
    for z in WALL_SCREWS:
        solid -= _insert_at_wall(-deep / 2, z)
        solid -= Rot(0, 0, -90) * _insert_at_wall(deep / 2, z)
    return solid


def _insert_at_wall(x: float, z: float) -> Shape:
    """Return the hole for an insert in the post's face at y = 0."""
    return Pos(x, 0.01, z) * level_hole(MM["insert_hole"], MM["insert_length"] + 0.01)
