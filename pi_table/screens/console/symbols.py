"""The signs of the identities of cards, each with its own shape and colour, and the signs of
phones."""

import math
from typing import Final

import msgspec

from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import AGENT_OF, Identity
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box
from pi_table.screens.console.shapes import Circle, Colour, Line, Polygon, Rect, Scene, Text

PHONE_SIGN: Final = 34
"""Units: the width of the sign of a phone with a number beside it."""
TEAM_SIGN: Final = 22
"""Units: the width of the sign of a phone with a team's sign on it."""


class Colours(msgspec.Struct, frozen=True):
    """The colours of an identity: ``bright`` for its sign, ``deep`` for the ground below the sign,
    ``dim`` for a covered cell."""

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


def sign(identity: Identity, x: float, y: float, r: float, colour: Colour | None = None) -> Scene:
    """Return the sign of an identity around (x, y). ``r`` is about half its width.

    Each sign has its own outline: red a disc, blue a tall diamond, a bystander a horizontal bar, a
    decoy a roof, the assassin a cross, the nuke three blades.
    """
    if colour is None:
        colour = COLOURS[identity].bright
    if identity is Identity.RED:
        return (Circle(x, y, r, colour),)
    if identity is Identity.BLUE:
        far, wide = r * 1.3, r * 0.76  # tall, to differ from a disc even if the corners are blurred
        return (Polygon(((x, y - far), (x + wide, y), (x, y + far), (x - wide, y)), colour),)
    if identity is Identity.BYSTANDER:
        half = r * 0.62
        return (Line(((x - half, y), (x + half, y)), colour, r * 0.62),)
    if identity is Identity.DECOY:
        thick, half = r * 0.5, r * 0.78
        low, high = y + r * 0.5, y - r * 0.5
        return (Line(((x - half, low), (x, high), (x + half, low)), colour, thick),)
    if identity is Identity.NUKE:
        return (*(_blade(x, y, r, turn, colour) for turn in (90, 210, 330)), _dot(x, y, r, colour))
    return _cross(x, y, r * 0.82, colour, max(3.0, r / 2.2))


def _blade(x: float, y: float, r: float, turn: int, colour: Colour) -> Polygon:
    edge = [math.radians(turn + step) for step in (-28, -10, 10, 28)]
    outer = [(x + r * 1.15 * math.cos(at), y - r * 1.15 * math.sin(at)) for at in edge]
    inner = [(x + r * 0.36 * math.cos(at), y - r * 0.36 * math.sin(at)) for at in reversed(edge)]
    return Polygon((*outer, *inner), colour)


def _dot(x: float, y: float, r: float, colour: Colour) -> Circle:
    return Circle(x, y, r * 0.2, colour)


def _cross(x: float, y: float, arm: float, colour: Colour, thick: float) -> Scene:
    return (
        Line(((x - arm, y - arm), (x + arm, y + arm)), colour, thick),
        Line(((x - arm, y + arm), (x + arm, y - arm)), colour, thick),
    )


def cross(x: float, y: float, r: float, colour: Colour) -> Scene:
    """Return a cross around (x, y), which means no."""
    return _cross(x, y, r, colour, max(2.0, r / 3))


def query(x: float, y: float, r: float, colour: Colour) -> Scene:
    """Return a question mark around (x, y), which means perhaps."""
    hook = [math.radians(degrees) for degrees in range(180, -91, -30)]
    half = r * 0.55
    bend = tuple((x + half * math.cos(at), y - r * 0.45 - half * math.sin(at)) for at in hook)
    thick = max(2.0, r / 3)
    return (
        Line((*bend, (x, y + r * 0.4)), colour, thick),
        Circle(x, y + r * 0.9, thick * 0.6, colour),
    )


def tick(x: float, y: float, r: float, colour: Colour) -> Scene:
    """Return a tick around (x, y), which means done."""
    points = ((x - r, y), (x - r * 0.3, y + r * 0.7), (x + r, y - r * 0.7))
    return (Line(points, colour, max(2.0, r / 3)),)


def phone_sign(box: Box, count: int) -> Scene:
    x, y = box.x + 2, box.y + 2
    return (
        Rect(x, y, 11, box.h - 4, line=style.INK, thick=2, radius=3),
        Rect(x + 4, y + box.h - 9, 3, 2, style.INK),
        Text(box.x + 15, box.y, box.w - 15, box.h, str(count), style.SMALL, style.INK, "right"),
    )


def team_sign(box: Box, team: Team) -> Scene:
    """Return a phone with a team's sign on it: the team's spymaster can see the key on a phone."""
    x, y = box.x + 2, box.y
    return (
        Rect(x, y, 15, box.h, line=style.INK, thick=2, radius=3),
        *sign(AGENT_OF[team], x + 7.5, y + box.h / 2 - 1, 4, style.INK),
    )
