"""Bought parts, each as a simple shape around the real part."""

from build123d import Cylinder, Pos, Shape

from enclosure import plugs
from enclosure.dimensions import MM
from enclosure.levels import (
    CELLS_FAR,
    CELLS_NEAR,
    CELLS_RIGHT,
    FAR,
    GLASS,
    LIP_UNDER,
    MIDDLE,
    NEAR,
    OVERLAY_TOP,
    RIGHT,
    SCREEN_MIDDLE,
)
from enclosure.shapes import HIGH, LOW, block, hole, leaning
from enclosure.spill import HALF_LITRE, inside

FOIL = 0.1
CARD = 0.3
CARRIER_HIGH = 28.0
"""Total height in mm of the carrier's board with the socket and the breakout on it, and room for a
finger above (proposed, not measured)."""


def tile() -> Shape:
    """Return a cell's board with its plugs and its pressed spring: the board's middle is at the
    origin, its underside at z = 0."""
    across, down = MM["tile_across"] / 2, MM["tile_down"] / 2
    board = block(-across, across, -down, down, 0, MM["tile_thickness"])
    for x in (-1, 1):
        board -= hole(MM["screw_hole"], x * MM["tile_hole_across"] / 2, 0, -1, 3)
    for plug in plugs.of_tile():
        board += block(*plug.body, -plugs.MATED, 0)
    top = MM["tile_thickness"]
    for x in (-1, 1):
        for y in (-1, 1):
            led = block(-2.5, 2.5, -2.5, 2.5, top, top + 1.6)
            board += Pos(x * MM["led_across"] / 2, y * MM["led_down"] / 2, 0) * led
    board -= hole(MM["peg_hole"], 0, 0, -1, top + 1)
    outer, land = MM["spring_across"] / 2, MM["light_depth"] - MM["electrode_thickness"]
    spring = Cylinder(outer, land, align=LOW) - hole(
        2 * (outer - MM["spring_wire"]), 0, 0, -1, land + 1
    )
    return board + Pos(0, 0, top) * spring


def electrode() -> Shape:
    """Return an electrode board; its upper side, at z = 0, is glued to the overlay."""
    across, down = MM["electrode_across"] / 2, MM["electrode_down"] / 2
    return block(-across, across, -down, down, -MM["electrode_thickness"], 0)


def cord() -> Shape:
    """Return the squeezed cord in the frame's groove, in the table's coordinates."""
    start = MM["cord_from_edge"]
    return _round_the_edge(start + 0.2, start + MM["cord_groove"] - 0.2, -MM["cord_squeezed"], 0)


def rim_tape() -> Shape:
    """Return the squeezed foam tape between rim and overlay, in the table's x and y."""
    return _round_the_edge(0.3, MM["rim_lip"], OVERLAY_TOP, LIP_UNDER)


def _round_the_edge(outer: float, inner: float, low: float, high: float) -> Shape:
    """Return a band along the overlay's edge. ``outer`` and ``inner`` are the distances in mm from
    that edge inwards."""
    x, far, near = RIGHT - outer, FAR - outer, NEAR + outer
    band = block(-x, x, near, far, low, high)
    x, far, near = RIGHT - inner, FAR - inner, NEAR + inner
    return band - block(-x, x, near, far, low - 1, high + 1)


def guard_across() -> Shape:
    """Return a guard, a strip of foil, at the far or near side. Its top is at z = 0, its inner edge
    at y = 0."""
    half = CELLS_RIGHT + MM["guard_gap"] + MM["guard_width"]
    return block(-half, half, 0, MM["guard_width"], -FOIL, 0)


def guard_down() -> Shape:
    """Return a guard, a strip of foil, at the left or right side, 5 mm from the other guards. Its
    top is at z = 0, its left edge at x = 0."""
    return block(0, MM["guard_width"], CELLS_NEAR, CELLS_FAR, -FOIL, 0)


def screen() -> Shape:
    """Return the hidden screen in its place: its glass faces +y, its top leans back."""
    across, up = MM["screen_across"] / 2, MM["screen_up"] / 2
    return leaning(block(-across, across, -MM["screen_deep"], 0, -up, up), GLASS, SCREEN_MIDDLE)


def carrier() -> Shape:
    """Return the carrier with its modules: its middle is at the origin, its underside at z = 0."""
    half, at = MM["carrier"] / 2, MM["carrier_hole"] / 2
    board = block(-half, half, -half, half, 0, CARRIER_HIGH)
    for x in (-at, at):
        for y in (-at, at):
            board -= hole(7.0, x, y, 1.6, CARRIER_HIGH + 1) + hole(MM["screw_hole"], x, y, -1, 2)
    return board


def raspberry_pi() -> Shape:
    """Return a Raspberry Pi with its plugs and a cooler: its middle is at the origin, its underside
    at z = 0."""
    across, down = MM["pi_across"] / 2, MM["pi_down"] / 2
    board = block(-across, across, -down, down, 0, 1.5)
    return board + block(-across - 3, across, -down + 8, down - 8, 1.5, MM["pi_high"])


def amplifier() -> Shape:
    """Return the amplifier's board on foam tape: its middle is at the origin, its underside at z =
    0."""
    across, down = MM["amplifier_across"] / 2 - MM["play"], MM["amplifier_down"] / 2 - MM["play"]
    return block(-across, across, -down, down, 0, MM["amplifier_high"])


def loudspeaker() -> Shape:
    """Return the loudspeaker, standing on z = 0 with its cone downwards."""
    half = MM["loudspeaker"] / 2
    return block(-half, half, -half, half, 0, MM["loudspeaker_deep"])


def encoder() -> Shape:
    """Return the rotary encoder; its thread goes up through the control plate. The plate's
    underside is z = 0."""
    body = block(-7, 7, -7, 7, -20, 0)
    return body + Cylinder(3.5, 7, align=LOW)


def knob() -> Shape:
    """Return the knob on the encoder's shaft; the cover's top is z = 0."""
    return Pos(0, 0, 7) * Cylinder(16, 16, align=LOW)


def button() -> Shape:
    """Return a push button of 16 mm in the control plate, whose underside is z = 0."""
    body = Cylinder(8, MM["button_deep"], align=HIGH)
    top = MM["thin_ply"]
    return body + Cylinder(8, top, align=LOW) + Pos(0, 0, top) * Cylinder(10, 5, align=LOW)


def foot() -> Shape:
    """Return the felt under a foot's disc, with its top at z = 0."""
    return Cylinder(MM["foot"] / 2, MM["foot_height"] - MM["ply"], align=HIGH)


def card_small() -> Shape:
    """Return a word card of 44 × 68 mm, with its long side from left to right."""
    return block(-34, 34, -22, 22, 0, CARD)


def card_large() -> Shape:
    """Return a word card of 63 × 88 mm, with its long side from left to right."""
    return block(-44, 44, -31.5, 31.5, 0, CARD)


def half_litre() -> Shape:
    """Return half a litre of liquid on the level overlay within the rim. Its lowest layer, as high
    as the cards, is left out."""
    across, down = inside()
    x, y = across / 2, down / 2
    up = HALF_LITRE / across / down
    return block(-x, x, MIDDLE - y, MIDDLE + y, OVERLAY_TOP + CARD, OVERLAY_TOP + up)
