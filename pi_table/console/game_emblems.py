"""A small drawing for each game, to tell it by before its title is read."""

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Final

from pi_table.console import style
from pi_table.console.shapes import Circle, Line, Scene
from pi_table.console.symbols import sign
from pi_table.rules.word_games.key import Identity

Emblem = Callable[[float, float, float], Scene]
"""Draws around (x, y), ``r`` from the middle to the edge of a square."""

_RED, _BLUE = Identity.RED, Identity.BLUE


def _two_teams(x: float, y: float, r: float) -> Scene:
    return sign(_RED, x - 0.4 * r, y, 0.36 * r) + sign(_BLUE, x + 0.42 * r, y, 0.42 * r)


def _zero(x: float, y: float, r: float) -> Scene:
    """The number that this game has besides."""
    around = [2 * pi * step / 24 for step in range(25)]
    oval = tuple((x + 0.36 * r * cos(turn), y + 0.56 * r * sin(turn)) for turn in around)
    return (Line(oval, style.SAND, 0.2 * r),)


def _moon(x: float, y: float, r: float) -> Scene:
    return (
        Circle(x - 0.06 * r, y, 0.62 * r, style.SAND),
        Circle(x + 0.26 * r, y - 0.16 * r, 0.54 * r, style.GROUND),
    )


def _nuke(x: float, y: float, r: float) -> Scene:
    return sign(Identity.NUKE, x, y + 0.08 * r, 0.6 * r)


def _six_agents(x: float, y: float, r: float) -> Scene:
    """Around a table, as they sit: nobody's colour shows."""
    seats = [pi / 3 * seat for seat in range(6)]
    table = (Circle(x, y, 0.3 * r, line=style.EDGE, thick=2),)
    return table + tuple(
        Circle(x + 0.64 * r * cos(turn), y + 0.64 * r * sin(turn), 0.17 * r, style.INK)
        for turn in seats
    )


EMBLEMS: Final[Mapping[str, Emblem]] = {
    "codenames": _two_teams,
    "nome-in-codice": _zero,
    "deep-undercover": _moon,
    "alias-24": _nuke,
    "codex": _six_agents,
}
"""By profile."""
