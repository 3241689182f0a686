"""Colours and sizes of the spymasters' screen, each named once. `layout.py` says where things lie.

Near-black ground, because the screen stands in a dim room and must not light up faces. No colour
carries a meaning alone: whatever is red or blue has its own shape too.
"""

from math import ceil, hypot, radians, tan
from typing import Final

GROUND: Final = 0x0B0D11
SURFACE: Final = 0x1C2129
RAISED: Final = 0x2A313C
EDGE: Final = 0x606B7E
INK: Final = 0xF3EFE6
SOFT: Final = 0xA3ABB8
FAINT: Final = 0x858E9B
"""For what is over and done; it can still be read."""
ACCENT: Final = 0xFFC54A
"""What is selected, and what wants to be noticed."""
ON_ACCENT: Final = 0x14110A

# Chosen together, so that any two that stand for the same thing of two identities are told apart by
# eyes of every kind (`pi-table colours`), and each can be read on what it stands on.
RED: Final = 0xF44725
RED_DEEP: Final = 0x701E04
RED_DIM: Final = 0xC8261C
BLUE: Final = 0x62B0FF
BLUE_DEEP: Final = 0x163F8C
BLUE_DIM: Final = 0x2D7EE8
SAND: Final = 0xFFCB94
SAND_DEEP: Final = 0x68635D
SAND_DIM: Final = 0x616669
WHITE: Final = 0xFFFFFF
BLACK: Final = 0x000000
WHITE_DIM: Final = 0xA0A0A0

WIDTH: Final = 800
HEIGHT: Final = 480
INCHES: Final = 7
UNIT: Final = INCHES * 25.4 / hypot(WIDTH, HEIGHT)
"""Millimetres to a unit, in which all sizes here are: a pixel of this screen."""
FROM: Final = 600.0
"""Millimetres from the eye to the screen."""


def type_size(minutes: float) -> int:
    """The size of type whose capitals take up so many minutes of arc."""
    return ceil(FROM * tan(radians(minutes / 60)) / UNIT / CAPITAL)


CAPITAL: Final = 0.735
"""The height of capitals as a share of a text's size, whatever its face."""
LEAST: Final = type_size(16)
"""The smallest type that there is: as small as somebody can read who has to."""
LAST_RESORT: Final = 12
"""For what nobody is likely to write, such as a word of 40 Ws, so that nothing is cut off."""
SMALL: Final = LEAST
BODY: Final = LEAST + 2
TITLE: Final = 28
KEY_WORD: Final = type_size(20)
"""The words of the key."""

MARGIN: Final = 8
GAP: Final = 4
RADIUS: Final = 7
ROW: Final = ceil(9 / UNIT)
"""The height of whatever can be tapped: 9 mm, that of a fingertip."""
FOOT_HEIGHT: Final = ROW
HEAD_HEIGHT: Final = 57
