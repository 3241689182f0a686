"""Colours and sizes of the hidden screen. `layout.py` has the positions.

The ground is nearly black, because the screen is used in a dim room and must not light up faces.
No meaning depends on colour alone: things of the red and the blue team also differ in shape.
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
"""The colour of text about past events. The text is still readable."""
ACCENT: Final = 0xFFC54A
"""The colour of the selection, and of things that need attention."""
ON_ACCENT: Final = 0x14110A

# Chosen together: with every kind of colour vision, the signs of two identities look different, and
# so do their grounds and their covered cells (`pi-table colours`). Each colour is readable on its
# ground.
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
"""Millimetres in a unit, the measure of all sizes here: a pixel of a 7-inch screen with 800 by 480
pixels."""
FROM: Final = 600.0
"""Millimetres from the reader's eye to the screen."""


def type_size(minutes: float) -> int:
    """Return the type size at which capitals are ``minutes`` minutes of arc high for the reader."""
    return ceil(FROM * tan(radians(minutes / 60)) / UNIT / CAPITAL)


CAPITAL: Final = 0.735
"""Height of capitals as a share of the text's size, in every face."""
MIN_TYPE_SIZE: Final = type_size(16)
"""The smallest type size for text that people must be able to read."""
LAST_RESORT: Final = 12
"""The type size for text that fits in no other size, such as a word of 40 letters W."""
SMALL: Final = MIN_TYPE_SIZE
BODY: Final = MIN_TYPE_SIZE + 2
TITLE: Final = 28
KEY_WORD: Final = type_size(20)
"""The type size of the words on the key."""

MARGIN: Final = 8
GAP: Final = 4
RADIUS: Final = 7
ROW: Final = ceil(9 / UNIT)
"""Units: the height of everything that can be tapped. It is 9 mm, the height of a fingertip."""
FOOT_HEIGHT: Final = ROW
HEAD_HEIGHT: Final = 57
