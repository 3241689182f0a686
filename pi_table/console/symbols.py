"""The signs of the identities: a shape for each, besides its colour."""

import math
from typing import Final

import msgspec

from pi_table.console import style
from pi_table.console.shapes import Circle, Colour, Line, Polygon, Scene
from pi_table.rules.team import Team
from pi_table.rules.word_games.key import Identity


class Colours(msgspec.Struct, frozen=True):
    """The colours of an identity: of its sign, of a face that shows it, of what is over."""

    bright: Colour
    deep: Colour
    dim: Colour


COLOURS: Final = {
    Identity.RED: Colours(style.RED, style.RED_DEEP, style.RED_DIM),
    Identity.BLUE: Colours(style.BLUE, style.BLUE_DEEP, style.BLUE_DIM),
    Identity.BYSTANDER: Colours(style.SAND, style.SAND_DEEP, style.SAND_DIM),
    Identity.ASSASSIN: Colours(style.WHITE, style.BLACK, style.WHITE_DIM),
    Identity.DECOY: Colours(style.SAND, style.SAND_DEEP, style.SAND_DIM),
    Identity.NUKE: Colours(style.WHITE, style.BLACK, style.WHITE_DIM),
}
AGENT: Final = {Team.RED: Identity.RED, Team.BLUE: Identity.BLUE}


def sign(identity: Identity, x: float, y: float, r: float, colour: Colour | None = None) -> Scene:
    """Red is a disc, blue a diamond, a bystander a thin ring (a decoy one with a bar), the assassin
    a cross, the nuke three blades; around (x, y), ``r`` from the middle to the edge."""
    if colour is None:
        colour = COLOURS[identity].bright
    if identity is Identity.RED:
        return (Circle(x, y, r, colour),)
    if identity is Identity.BLUE:
        far = r * 1.2  # as heavy to the eye as the disc
        return (Polygon(((x, y - far), (x + far, y), (x, y + far), (x - far, y)), colour),)
    ring = Circle(x, y, r * 0.9, line=colour, thick=max(2, round(r / 5)))
    if identity is Identity.BYSTANDER:
        return (ring,)
    if identity is Identity.DECOY:
        return (ring, Line(((x - r * 0.4, y), (x + r * 0.4, y)), colour, max(2.0, r / 5)))
    if identity is Identity.NUKE:
        return (*(_blade(x, y, r, turn, colour) for turn in (90, 210, 330)), _dot(x, y, r, colour))
    arm = r * 0.8
    thick = max(3.0, r / 2.4)
    return (
        Line(((x - arm, y - arm), (x + arm, y + arm)), colour, thick),
        Line(((x - arm, y + arm), (x + arm, y - arm)), colour, thick),
    )


def _blade(x: float, y: float, r: float, turn: int, colour: Colour) -> Polygon:
    """One of the nuke's three blades, its middle ``turn`` degrees from the right."""
    edge = [math.radians(turn + step) for step in (-30, -10, 10, 30)]
    outer = [(x + r * math.cos(at), y - r * math.sin(at)) for at in edge]
    inner = [(x + r * 0.4 * math.cos(at), y - r * 0.4 * math.sin(at)) for at in reversed(edge)]
    return Polygon((*outer, *inner), colour)


def _dot(x: float, y: float, r: float, colour: Colour) -> Circle:
    return Circle(x, y, r * 0.22, colour)


def cross(x: float, y: float, r: float, colour: Colour) -> Scene:
    """A cross around (x, y): no."""
    thick = max(2.0, r / 3)
    return (
        Line(((x - r, y - r), (x + r, y + r)), colour, thick),
        Line(((x - r, y + r), (x + r, y - r)), colour, thick),
    )


def query(x: float, y: float, r: float, colour: Colour) -> Scene:
    """A question mark around (x, y): perhaps."""
    hook = [math.radians(degrees) for degrees in range(180, -91, -30)]
    half = r * 0.55
    bend = tuple((x + half * math.cos(at), y - r * 0.45 - half * math.sin(at)) for at in hook)
    thick = max(2.0, r / 3)
    return (
        Line((*bend, (x, y + r * 0.4)), colour, thick),
        Circle(x, y + r * 0.9, thick * 0.6, colour),
    )


def tick(x: float, y: float, r: float, colour: Colour) -> Scene:
    """A tick around (x, y): done."""
    points = ((x - r, y), (x - r * 0.3, y + r * 0.7), (x + r, y - r * 0.7))
    return (Line(points, colour, max(2.0, r / 3)),)
