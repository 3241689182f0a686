"""Coordinates of the table's faces and edges in millimetres, calculated from the dimensions.

The origin is the middle of cell C3 on the overlay's underside. x goes to the operatives' right, y
goes away from the operatives towards the spymasters, z goes up.
"""

import math
from typing import Final

from enclosure.dimensions import MM

COLUMNS: Final = "ABCDE"
ROWS: Final = 6
"""Number of rows: five rows of cells, and the row of the two pads, nearest the operatives."""

ACROSS: Final = {name: (i - 2) * MM["pitch_across"] for i, name in enumerate(COLUMNS)}
"""x in mm of the middle of each column of cells."""
DOWN: Final = tuple((2 - i) * MM["pitch_down"] for i in range(ROWS))
"""y in mm of the middle of each row, the far row first; the last row is the row of the pads."""
PADS: Final = (-MM["pads_from_middle"], MM["pads_from_middle"])
"""x in mm of the middles of the end-turn pad and the hourglass pad."""

# --- heights

OVERLAY_TOP: Final = MM["overlay_thickness"]
TILE_TOP: Final = -MM["light_depth"]
TILE_UNDER: Final = TILE_TOP - MM["tile_thickness"]
DECK_TOP: Final = TILE_UNDER - MM["cell_depth"]
DECK_UNDER: Final = DECK_TOP - MM["ply"]
BASE_TOP: Final = DECK_UNDER - MM["box_height"]
BASE_UNDER: Final = BASE_TOP - MM["ply"]
FLOOR: Final = BASE_UNDER - MM["foot_height"]
"""z in mm of the floor or furniture on which the table stands."""
LEDGE_TOP: Final = -MM["ledge_drop"]
LIP_UNDER: Final = OVERLAY_TOP + MM["rim_tape"]
"""z in mm of the rim's underside. It is flat, and lies on the frame and on the tape."""
FRAME_TOP: Final = LIP_UNDER
FRAME_UNDER: Final = -MM["frame_bottom"]
RIM_MIDDLE: Final = LIP_UNDER + MM["ply"]
"""z in mm of the face between the rim's two layers."""
RIM_TOP: Final = RIM_MIDDLE + MM["thin_ply"]
RIM_HEIGHT: Final = RIM_TOP - OVERLAY_TOP
"""Height in mm of the rim above the overlay."""

COVER_TOP: Final = FRAME_UNDER - MM["cover_drop"]
COVER_UNDER: Final = COVER_TOP - MM["ply"]
"""z in mm of the covers' underside. The side walls of the far bay end at this height; the other
walls reach up to the frame."""
WEIR_TOP: Final = COVER_TOP + MM["thin_ply"]

# --- edges of the cells and of the overlay

CELLS_LEFT: Final = ACROSS["A"] - MM["pitch_across"] / 2
CELLS_RIGHT: Final = -CELLS_LEFT
CELLS_FAR: Final = DOWN[0] + MM["pitch_down"] / 2
CELLS_NEAR: Final = DOWN[-1] - MM["pitch_down"] / 2
_BEYOND: Final = MM["guard_gap"] + MM["guard_width"] + MM["edge"]
RIGHT: Final = CELLS_RIGHT + _BEYOND
"""x in mm of the overlay's right edge; its left edge is at -RIGHT."""
FAR: Final = CELLS_FAR + _BEYOND
NEAR: Final = CELLS_NEAR - _BEYOND
MIDDLE: Final = (FAR + NEAR) / 2
"""y in mm of the overlay's middle."""

# --- the hidden screen, at the far side, its glass towards the spymasters (+y)

TRENCH_INSIDE: Final = MM["screen_across"] / 2 + MM["screen_play"]
"""Half of the inner width of the trench, in mm."""
CHEEK_OUTSIDE: Final = TRENCH_INSIDE + MM["ply"]
"""x in mm of the outer face of the trench's right cheek."""
TRENCH_BACK: Final = FAR + MM["frame_outside"] + MM["trench_from_frame"]
"""y in mm of the outer face of the trench's back wall."""
SCREEN_BACK: Final = TRENCH_BACK + MM["ply"]
LEAN: Final = math.asin(MM["screen_lean"] / MM["screen_up"])
"""Angle in radians by which the screen leans back from upright."""
_SIN: Final = math.sin(LEAN)
_COS: Final = math.cos(LEAN)
GLASS: Final = (
    SCREEN_BACK + MM["screen_play"] + (MM["screen_up"] * _SIN / 2 + MM["screen_deep"] * _COS)
)
"""y in mm of the middle of the screen's glass. The screen leans against the trench's back wall with
its upper edge."""
VISIBLE_BACK: Final = GLASS - MM["visible_up"] * _SIN / 2
"""y in mm of the upper edge of the screen's visible part. The operatives' sides of the table end at
this line."""
HOOD_INSIDE: Final = VISIBLE_BACK + MM["hood_distance"]
"""y in mm of the inner face of the hood's front wall, and of the far side wall below it."""
HOOD_OUTSIDE: Final = HOOD_INSIDE + MM["ply"]
SCREEN_UNDER: Final = BASE_TOP + MM["screen_play"]
"""z in mm of the lower edge of the screen's back. The base is the trench's floor."""
SCREEN_MIDDLE: Final = SCREEN_UNDER + MM["screen_up"] * _COS / 2 + MM["screen_deep"] * _SIN
"""z in mm of the middle of the screen's glass."""
VISIBLE_TOP: Final = SCREEN_MIDDLE + MM["visible_up"] * _COS / 2
HOOD_UNDER: Final = 0.0
"""z in mm of the trench's upper edge. The hood's shelves rest on it; the wings reach further down,
to the covers."""
HOOD_TOP: Final = VISIBLE_TOP + MM["hood_above_visible"]
ROOF_UNDER: Final = VISIBLE_TOP + MM["roof_above_visible"]
ROOF_FRONT: Final = VISIBLE_BACK + MM["roof_before_visible"]
WING_INSIDE: Final = TRENCH_INSIDE + MM["hood_flange"]
"""x in mm of the inner face of the hood's right wing."""
WING_OUTSIDE: Final = WING_INSIDE + MM["ply"]

# --- the box's sides

SIDE_INSIDE: Final = RIGHT + MM["side_from_overlay"]
SIDE_OUTSIDE: Final = SIDE_INSIDE + MM["ply"]
NEAR_INSIDE: Final = NEAR - MM["side_from_overlay"]
NEAR_OUTSIDE: Final = NEAR_INSIDE - MM["ply"]
FAR_INSIDE: Final = HOOD_INSIDE
FAR_OUTSIDE: Final = FAR_INSIDE + MM["ply"]
FRAME_OUTSIDE: Final = RIGHT + MM["frame_outside"]
"""x in mm of the frame's right face; ``FRAME_FAR`` and ``FRAME_NEAR`` are y in mm of its far and
near faces."""
FRAME_FAR: Final = FAR + MM["frame_outside"]
FRAME_NEAR: Final = NEAR - MM["frame_outside"]
COVER_BACK: Final = FRAME_FAR - MM["cover_under_frame"]
"""y in mm of the covers' edge under the frame."""
COVER_LEFT: Final = CHEEK_OUTSIDE + 2 * MM["play"]
"""x in mm of the right cover's edge along the trench."""
COVER_RIGHT: Final = SIDE_OUTSIDE + MM["overhang"]
COVER_FRONT: Final = FAR_OUTSIDE + MM["overhang"]
INNER_FAR: Final = COVER_BACK - 0.5
"""y in mm of the far face of the inner wall, which bears the frame's far side."""
INNER_NEAR: Final = INNER_FAR - MM["ply"]
LEDGER_UNDER: Final = FRAME_UNDER - MM["ply"]
"""z in mm of the underside of the ledgers under the frame."""
HOOD_SCREW: Final = ((TRENCH_INSIDE + CHEEK_OUTSIDE) / 2, VISIBLE_BACK + 74.0)
"""x and y in mm of the hood's right screw, which goes into a nut in the cheek's upper edge. The
screw is in front of the roof, so that a screwdriver reaches it from above."""
