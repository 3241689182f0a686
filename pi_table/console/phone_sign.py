"""The signs of phones with a seat: how many are here, and which teams' key a phone can show."""

from typing import Final

from pi_table.console import style
from pi_table.console.layout import Box
from pi_table.console.shapes import Rect, Scene, Text
from pi_table.console.symbols import sign
from pi_table.rules.team import Team
from pi_table.rules.word_games.key import AGENT_OF

PHONE_SIGN: Final = 34
"""The width of the sign with a number, in units."""
TEAM_SIGN: Final = 22
"""The width of a team's sign, in units."""


def phone_sign(box: Box, count: int) -> Scene:
    """A phone, and how many."""
    x, y = box.x + 2, box.y + 2
    return (
        Rect(x, y, 11, box.h - 4, line=style.INK, thick=2, radius=3),
        Rect(x + 4, y + box.h - 9, 3, 2, style.INK),
        Text(box.x + 15, box.y, box.w - 15, box.h, str(count), style.SMALL, style.INK, "right"),
    )


def team_sign(box: Box, team: Team) -> Scene:
    """A phone with a team's sign on it: it can show that team's spymaster the key."""
    x, y = box.x + 2, box.y
    return (
        Rect(x, y, 15, box.h, line=style.INK, thick=2, radius=3),
        *sign(AGENT_OF[team], x + 7.5, y + box.h / 2 - 1, 4, style.INK),
    )
