"""The sign that tells how many phones with a seat are here."""

from typing import Final

from pi_table.console import style
from pi_table.console.layout import Box
from pi_table.console.shapes import Rect, Scene, Text

PHONE_SIGN: Final = 34
"""The width of the sign, in units."""


def phone_sign(box: Box, count: int) -> Scene:
    """A phone, and how many."""
    x, y = box.x + 2, box.y + 2
    return (
        Rect(x, y, 11, box.h - 4, line=style.INK, thick=2, radius=3),
        Rect(x + 4, y + box.h - 9, 3, 2, style.INK),
        Text(box.x + 15, box.y, box.w - 15, box.h, str(count), style.SMALL, style.INK, "right"),
    )
