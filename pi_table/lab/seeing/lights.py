"""The visible difference of two identities on a cell: in their colours, and in the patterns of the
cell's four lights."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec

from pi_table.common.palettes import Palette
from pi_table.devices.lights.colours import PALETTES, dim
from pi_table.devices.lights.identities import Corners, corners
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.difference import distance
from pi_table.lab.seeing.srgb import luminance
from pi_table.lab.seeing.vision import Vision, simulate_vision

MIN_DISTANCE: Final = 20.0
"""Minimum CIEDE2000 distance at which people surely see two colours as different."""
DIMMED: Final = 0.45
"""Share of full light (0 … 1) of a dimmed cell, as the eye perceives it."""
MOTIONS: Final = {
    Identity.RED: "breathes",
    Identity.BLUE: "turns",
    Identity.BYSTANDER: "rests",
    Identity.DECOY: "rests",
    Identity.ASSASSIN: "beats",
    Identity.NUKE: "runs",
}


class Pair(msgspec.Struct, frozen=True):
    """Two identities compared, as people with one kind of colour vision see them."""

    one: Identity
    other: Identity
    share: float
    """Brightness of both identities, as a share of full light (0 … 1)."""
    colours: float
    """CIEDE2000 distance between the colours of the two identities."""
    shapes: float
    """Difference of the patterns of lights of the two identities, from `shapes_apart`."""


def pairs(palette: Palette, vision: Vision) -> Iterator[Pair]:
    colours = PALETTES[palette]
    for share in (1.0, DIMMED):
        for one, other in combinations(Identity, 2):
            first, second = (
                simulate_vision(dim(colours.identity(each), share), vision) for each in (one, other)
            )
            faces = (corners(each, colours, 0.0, still=True) for each in (one, other))
            yield Pair(one, other, share, distance(first, second), shapes_apart(*faces))


def shapes_apart(one: Corners, other: Corners) -> float:
    """Return the difference of two cells' patterns of lights, without colour, from 0 (equal) to 1.

    Each light is measured as a share of the brightest light in its cell. The result is the greatest
    difference between lights at the same corner.
    """
    patterns = zip(_pattern(one), _pattern(other), strict=True)
    return max(abs(first - second) for first, second in patterns)


def _pattern(face: Corners) -> list[float]:
    levels = [luminance(light) for light in face]
    return [level / max(levels) for level in levels]
