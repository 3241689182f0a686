"""What is bought, as simple envelopes: nothing of the part sticks out of its envelope."""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import (
    GLASS,
    SCREEN_BACK,
    SCREEN_TOP,
    SCREEN_UNDER,
)
from enclosure.shapes import block, hole


def tile() -> Shape:
    """A cell's board, without its parts: its middle at the origin, its underside at z = 0."""
    across, down = MM["tile_across"] / 2, MM["tile_down"] / 2
    board = block(-across, across, -down, down, 0, MM["tile_thickness"])
    for x in (-1, 1):
        board -= hole(MM["screw_hole"], x * MM["tile_hole_across"] / 2, 0, -1, 3)
    return board


def electrode() -> Shape:
    """A board of one net, copper on one side, its upper side glued to the overlay: top at z = 0."""
    across, down = MM["electrode_across"] / 2, MM["electrode_down"] / 2
    return block(-across, across, -down, down, -MM["electrode_thickness"], 0)


def screen() -> Shape:
    """The hidden screen in its place, its glass towards +y."""
    half = MM["screen_across"] / 2
    return block(-half, half, SCREEN_BACK, GLASS, SCREEN_UNDER, SCREEN_TOP)
