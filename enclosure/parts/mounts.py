"""Mounts for the Raspberry Pi, the loudspeaker, the small parts beside them and the leads.

The loudspeaker's box presses the loudspeaker on the base's grille, with two layers of foam tape on
its back. The box closes the space behind the loudspeaker, which makes the sound louder. A cable tie
in a groove under it holds the amplifier in its tray. A cable clamp holds a lead, so that nobody can
pull it out of its contacts. No part needs supports.
"""

from typing import Final

from build123d import Cylinder, Plane, Polyline, Pos, Rot, Shape, extrude, make_face

from enclosure.dimensions import MM
from enclosure.places import CLAMP_SCREWS, PI_MOUNT_SCREWS, SPEAKER_SCREWS, Point
from enclosure.shapes import LOW, block, hole, insert_above, level_hole, round_edges

PI_SCREW = 2.2
"""Diameter in mm of a hole into which an M2.5 screw cuts its thread."""
FOAM = 2.0
"""Thickness in mm of the foam tape behind the loudspeaker."""
CLAMP = (16.0, 34.0, 11.0)
"""Size in mm of a cable clamp: along the lead, across the lead, upwards."""
CLAMP_FLANGE = 5.0
"""Thickness in mm of a cable clamp below the heads of its screws."""
TRAY_WALL = 2.0
TRAY_FLOOR = 3.0
TRAY_HIGH = 5.0
"""Height in mm of a tray's walls over the tray's floor. It is less than half the height of the part
in the tray, to leave room for fingers."""
TRAY_FRONT = 1.0
"""Height in mm of the tray's wall over the tray's floor, on the side where wires go in."""
GROOVE = 1.4
"""Depth in mm of the groove for a cable tie under a tray's floor."""


def pi_mount() -> Shape:
    """Return the Pi's mount, its middle at the origin. Four bosses take the board's screws; four
    bosses with inserts take screws through the base."""
    half_x, half_y = MM["pi_across"] / 2 + 13, MM["pi_down"] / 2
    solid = round_edges(block(-half_x, half_x, -half_y, half_y, 0, MM["printed_wall"]), 4)
    solid -= round_edges(block(-20, 20, -15, 15, -1, 9), 4)
    taken = []
    first = MM["pi_hole_from_edge"] - MM["pi_across"] / 2
    for x in (first, first + MM["pi_hole_across"]):
        for y in (-MM["pi_hole_down"] / 2, MM["pi_hole_down"] / 2):
            solid += Pos(x, y, 0) * Cylinder(3.2, MM["pi_up"], align=LOW)
            taken.append(hole(PI_SCREW, x, y, -1, MM["pi_up"] + 1))
    for x, y in PI_MOUNT_SCREWS:
        solid += Pos(x, y, 0) * Cylinder(MM["boss"] / 2, MM["insert_length"] + 1.2, align=LOW)
        taken.append(insert_above(x, y, 0))
    return solid - taken


def speaker_box() -> Shape:
    """Return the box over the loudspeaker, open below. It is printed with its closed side on the
    bed."""
    inner, wall = MM["loudspeaker"] / 2 + 1, MM["printed_wall"]
    outer, up = inner + wall, MM["loudspeaker_deep"] + FOAM + wall
    solid = round_edges(block(-outer, outer, -outer, outer, 0, up), 4)
    for x, y in SPEAKER_SCREWS:
        solid += Pos(x, y, 0) * Cylinder(MM["boss"] / 2, up, align=LOW)
    solid -= round_edges(block(-inner, inner, -inner, inner, wall, up + 1), 2)
    for x, y in SPEAKER_SCREWS:
        solid -= hole(MM["insert_hole"], x, y, up - MM["insert_length"], up + 1)
    lead = Rot(0, 0, -90) * level_hole(4.0, 2 * wall + 2)
    return solid - Pos(outer + 1, 20, up - 8) * lead


def speaker_box_height() -> float:
    return MM["loudspeaker_deep"] + FOAM + MM["printed_wall"]


_TRAY_HALF = MM["amplifier_across"] / 2 + TRAY_WALL
"""Half of the amplifier's tray across, in mm."""
TRAY_SCREWS: Final[tuple[Point, ...]] = tuple(
    (side * (_TRAY_HALF + MM["boss"] / 2 + 1), 0.0) for side in (-1, 1)
)
"""Places of the tray's screws, relative to its middle."""


def amplifier_tray() -> Shape:
    """Return the amplifier's tray: its middle is at the origin, the wires go towards -y, the screws
    are on the x axis."""
    across, down = MM["amplifier_across"], MM["amplifier_down"]
    back = down / 2 + TRAY_WALL
    reach = TRAY_SCREWS[1][0] + MM["boss"] / 2
    solid = round_edges(block(-reach, reach, -back, back, 0, TRAY_FLOOR), 4)
    solid += block(-_TRAY_HALF, _TRAY_HALF, -back, back, 0, TRAY_FLOOR + TRAY_HIGH)
    taken = []
    for x, y in TRAY_SCREWS:
        boss = Cylinder(MM["boss"] / 2, MM["insert_length"] + 1.2, align=LOW)
        solid += Pos(x, y, 0) * boss
        taken.append(insert_above(x, y, 0))
    tie = MM["tie"] / 2 + MM["play"]
    taken.append(block(-across / 2, across / 2, -down / 2, down / 2, TRAY_FLOOR, 99))
    taken.append(block(-across / 2, across / 2, -back - 1, 0, TRAY_FLOOR + TRAY_FRONT, 99))
    taken.append(block(-tie, tie, -back - 1, back + 1, -1, GROOVE))
    for near, far in ((-back - 1, -down / 2), (down / 2, back + 1)):  # the tie goes up here
        taken.append(block(-tie, tie, near, far, -1, 99))
    return solid - taken


def cable_clamp() -> Shape:
    """Return a cable clamp: a saddle over a lead along the x axis, with a roof at 45 degrees."""
    along, across, up = CLAMP
    half, lead = across / 2, MM["cable"] / 2
    solid = block(-along / 2, along / 2, -half, half, 0, CLAMP_FLANGE)
    solid += block(-along / 2, along / 2, -lead - 4, lead + 4, 0, up)
    way = Polyline((-lead, -1), (lead, -1), (lead, lead), (0, 2 * lead), (-lead, lead), close=True)
    solid -= extrude(Plane.YZ.offset(-along) * make_face(way), 2 * along)
    for x, y in CLAMP_SCREWS:
        solid -= hole(MM["screw_hole"], x, y, -1, up)
    return solid
