"""Which two of several things that must be told apart look most alike, and to whom."""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from pi_table.colour.difference import distance
from pi_table.colour.vision import Vision, seen


class Least(NamedTuple):
    """The two names whose colours are nearest to each other, and their CIEDE2000 distance."""

    distance: float
    one: str
    other: str


def least_distance(colours: Mapping[str, int], vision: Vision = Vision.NORMAL) -> Least:
    """The nearest two of these colours 0xRRGGBB, two at least, to eyes of this kind."""
    shown = {name: seen(colour, vision) for name, colour in colours.items()}
    return min(
        Least(distance(shown[one], shown[other]), one, other)
        for one, other in combinations(shown, 2)
    )
