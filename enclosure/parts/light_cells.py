"""White light cells: walls that keep a tile's light in, and a ledge for the tile.

A printed piece has four cells (two rows of two columns) or two (two rows of one column). The
overlay rests on the walls. The ledge's underside slopes by 45 degrees, so that it prints without
supports. A tile's left edge goes under a hook; a screw at the right holds it. The screw cuts its
thread into a boss under the ledge, whose hole goes down to the deck: while the glue under the cells
dries, screws from below hold them. Cells are printed upright and white, without a seam on the
inside of the walls.
"""

from build123d import Cylinder, Plane, Polyline, Pos, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.levels import DECK_TOP, TILE_UNDER
from enclosure.shapes import LOW, block, hole

HEIGHT = -DECK_TOP
"""Height in mm from the deck to the overlay."""
LEDGE = TILE_UNDER - DECK_TOP
"""Height in mm from the deck to the ledge's upper face."""

HOOK = 8.0
"""Width in mm of the hook over a tile's left edge."""
HOOK_REACH = 1.5
"""Length in mm of the hook over the tile."""
HOOK_UP = 0.9
"""Height in mm of the hook at its tip: three printed layers."""
HOOK_PLAY = 0.2
"""Distance in mm from a tile's edge up to the hook."""


def wide() -> Shape:
    """Return a piece of two columns with two cells each; its middle is at the origin, the deck at z
    = 0."""
    return _piece(2)


def narrow() -> Shape:
    """Return a piece of one column with two cells."""
    return _piece(1)


def _piece(columns: int) -> Shape:
    across, down = MM["pitch_across"], MM["pitch_down"]
    half_x, half_y = columns * across / 2 - MM["cell_play"], down - MM["cell_play"]
    piece = block(-half_x, half_x, -half_y, half_y, 0, HEIGHT)
    for i in range(columns):
        for y in (-down / 2, down / 2):
            x = (i - (columns - 1) / 2) * across
            left = x - across / 2 + _half_wall(i == 0)
            right = x + across / 2 - _half_wall(i == columns - 1)
            near = y - down / 2 + _half_wall(y < 0)
            far = y + down / 2 - _half_wall(y > 0)
            piece -= block(left, right, near, far, LEDGE, HEIGHT + 1)
            piece -= _below(left, right, near, far, x, y)
            screw = x + MM["tile_hole_across"] / 2
            piece += [_boss(screw, y, right), _hook(left, x, y)]
            piece -= hole(MM["tap_hole"], screw, y, -1, LEDGE + 0.01)
    return piece


def _half_wall(outermost: bool) -> float:
    """Return the distance in mm from a cell's border to the wall's face. Two cells of a piece share
    a wall; at the piece's edge, the whole wall is inside the border."""
    return MM["cell_play"] + MM["wall"] if outermost else MM["wall"] / 2


def _below(left: float, right: float, near: float, far: float, x: float, y: float) -> Shape:
    """Return the hollow under the tile: narrow at the ledge, as wide as the cell further down."""
    open_x = MM["tile_across"] / 2 - MM["tile_bearing"]
    open_y = MM["tile_down"] / 2 - MM["tile_bearing"]
    edge = 0.8  # the ledge is at least two printed layers thick
    across = _slope(left, right, x - open_x, x + open_x, edge)
    down = _slope(near, far, y - open_y, y + open_y, edge)
    one = extrude(Plane.XZ.offset(-far) * make_face(across), far - near)
    other = extrude(Plane.YZ.offset(left) * make_face(down), right - left)
    return one & other


def _slope(low: float, high: float, inner_low: float, inner_high: float, edge: float) -> Polyline:
    """Return an outline of the hollow under the tile. Its points are pairs: position along the cell
    in mm, height above the deck in mm."""
    return Polyline(
        (low, -1), (high, -1), (high, LEDGE - edge - (high - inner_high)),
        (inner_high, LEDGE - edge), (inner_high, LEDGE + 1), (inner_low, LEDGE + 1),
        (inner_low, LEDGE - edge), (low, LEDGE - edge - (inner_low - low)), close=True,
    )  # fmt: skip


def _boss(x: float, y: float, wall: float) -> Shape:
    boss = Pos(x, y, 0) * Cylinder(MM["boss"] / 2, LEDGE, align=LOW)
    rib = MM["cell_rib"] / 2
    return boss + block(x, wall, y - rib, y + rib, 0, LEDGE)


def _hook(wall: float, x: float, y: float) -> Shape:
    """Return the hook of the cell whose middle is (x, y). Its underside slopes by 45 degrees, so it
    prints without supports, and meets the tile at its upper edge alone."""
    edge = x - MM["tile_across"] / 2
    low, tip = LEDGE + MM["tile_thickness"] + HOOK_PLAY, edge + HOOK_REACH
    top = low + HOOK_REACH + HOOK_UP
    outline = Polyline(
        (wall, low - (edge - wall)), (tip, low + HOOK_REACH), (tip, top), (wall, top), close=True
    )
    return extrude(Plane.XZ.offset(-y - HOOK / 2) * make_face(outline), HOOK)
