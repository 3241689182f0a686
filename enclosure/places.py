"""Places of parts on the base, and of their holes. The shapes of the parts and the assembly both
use them."""

from typing import Final

from enclosure.dimensions import MM
from enclosure.levels import (
    ACROSS,
    DOWN,
    FRAME_FAR,
    FRAME_NEAR,
    FRAME_OUTSIDE,
    HOOD_INSIDE,
    MIDDLE,
    PADS,
)

Point = tuple[float, float]

CELLS: Final = tuple((x, y) for y in DOWN for x in ACROSS.values())
"""Middle of each place of the grid, in mm. The empty places in the pads' row are included."""
TILES: Final = (*CELLS[:25], *((x, DOWN[-1]) for x in PADS))
"""Middle of each tile in mm, in the order A1 to E1, …, A5 to E5, end-turn, hourglass."""
EMPTY: Final = tuple(cell for cell in CELLS if cell not in TILES)

_POST_IN_CELL: Final = (42.0, 32.5)
"""Distances in mm across and down from a cell's middle to the screw of a post. At this place,
beside the deck's window, the ledge is not in the way of a screwdriver."""
POSTS: Final = tuple(
    (ACROSS[column] + right * _POST_IN_CELL[0], DOWN[row] + far * _POST_IN_CELL[1], -right)
    for column, right in (("A", -1), ("B", 1), ("D", -1), ("E", 1))
    for row, far in ((0, 1), (1, -1), (3, -1), (5, -1))
)
"""For each post: x and y in mm of its screw, and the direction of its tabs along x, 1 or -1."""
DECK_SCREWS: Final = tuple(
    (x, y) for x, y, _ in POSTS if abs(x) > ACROSS["E"] and not DOWN[-1] < y < DOWN[0]
)
"""Places of the screws from the deck into the four outermost posts."""


RIM_SCREW: Final = MM["frame_outside"] - MM["rim_screw"]
"""Distance in mm from the frame's outer faces inwards to the rim's screws."""
RIM_LEG_SCREW: Final = 152.0
"""Distance in mm from the frame's outer corner to the rim's screw in the middle of a leg."""
RIM_LONG_SCREW: Final = 54.0
"""Distance in mm from the middle of the far and near side to the rim's screws there. The joint of
the rim's upper layer is between them."""
RIM_SCREW_LONG: Final = 16.0
_SCREW_X: Final = FRAME_OUTSIDE - RIM_SCREW
_SCREW_Y: Final = (FRAME_FAR - FRAME_NEAR) / 2 - RIM_SCREW
_LEG: Final = RIM_LEG_SCREW - RIM_SCREW
_FAR_AND_NEAR: Final = (_SCREW_X, _SCREW_X - _LEG, RIM_LONG_SCREW)
RIM_SCREWS: Final = (
    *(
        (way * x, MIDDLE + y)
        for x in _FAR_AND_NEAR
        for way in (-1, 1)
        for y in (-_SCREW_Y, _SCREW_Y)
    ),
    *(
        (x, MIDDLE + y)
        for x in (-_SCREW_X, _SCREW_X)
        for y in (_LEG - _SCREW_Y, 0, _SCREW_Y - _LEG)
    ),
)
"""Places of the screws through the rim into the frame: at the corners and between them."""

SEAM: Final = DOWN[1]
"""y in mm of the seam between the two sheets of the base. The seam is clear of the posts."""

CARRIER: Final = (-9.3, -12.7)
"""Middle of the carrier. It is between four posts and under the middle of the cells, which keeps
the electrodes' leads short.

All plugs of the carrier are under the openings of C3 and C4. A hand can therefore reach them from
above when the tiles of C3 and C4 are removed. J3, J4 and J6 are under C4, the
other plugs under C3 (checks/ways.py).
"""
PI: Final = (-172.0, 302.0)
"""Middle of the Raspberry Pi. The Pi is in the far bay beside the screen, under a cover that lifts
off."""
_PI_HOLE: Final = MM["pi_hole_from_edge"] - MM["pi_across"] / 2
PI_SCREWS: Final = tuple(
    (x, side * MM["pi_hole_down"] / 2)
    for x in (_PI_HOLE, _PI_HOLE + MM["pi_hole_across"])
    for side in (-1, 1)
)
SPEAKER: Final = (-150.0, -200.0)
"""Middle of the loudspeaker, which is between four posts, towards the operatives."""
SPEAKER_SCREWS: Final = ((-45.0, 0.0), (45.0, 0.0))
SUPPLY_LEADS: Final = ((-280.0, 280.0), (-280.0, 318.0))
"""Places at the openings in the wall where cable ties hold the leads of the lights' supply and of
the Raspberry Pi's."""
AMPLIFIER: Final = (-197.0, 355.0)
"""Middle of the amplifier. It is behind the Raspberry Pi and connected to its pins."""
TIES: Final = (*SUPPLY_LEADS, (AMPLIFIER[0], AMPLIFIER[1] - 18))
"""Places of the leads along x that cable ties hold on the base: of the supplies, and the wires of
the amplifier."""
FEET: Final = tuple((x, y) for x in (-270.0, 270.0) for y in (-300.0, -40.0, 215.0, 345.0))
DRAINS: Final = tuple((x, HOOD_INSIDE - 40) for x in (-45.0, -15.0, 15.0, 45.0))
"""Places of the drains for spilled liquid, through trench and base."""

ENCODER: Final = (156.0, 325.0)
BUTTONS: Final = ((200.0, 325.0), (245.0, 325.0))
"""Places of the buttons "back" and "peek"."""
CASE_BUTTON: Final = (300.0, -40.0)
"""y and z of the case's button on the left wall, in mm."""
LED: Final = (262.0, -40.0)
"""y and z of the status LED on the left wall, in mm."""


def offset_points(place: Point, offsets: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return one point for each offset: the place moved by this offset."""
    return tuple((place[0] + x, place[1] + y) for x, y in offsets)


def square(middle: Point, across: float, down: float) -> tuple[Point, ...]:
    """Return the four corners of a rectangle around its middle."""
    return tuple(
        (middle[0] + x * across / 2, middle[1] + y * down / 2) for x in (-1, 1) for y in (-1, 1)
    )
