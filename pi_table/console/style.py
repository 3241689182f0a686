"""Colours and sizes of the spymasters' screen, each named once.

Near-black ground, because the screen stands in a dim room and must not light up faces. No colour
carries a meaning alone: whatever is red or blue has its own shape too.
"""

from typing import Final

WIDTH: Final = 800
HEIGHT: Final = 480

GROUND: Final = 0x0B0D11
SURFACE: Final = 0x1C2129
RAISED: Final = 0x2A313C
EDGE: Final = 0x465061
INK: Final = 0xF3EFE6
SOFT: Final = 0xA3ABB8
FAINT: Final = 0x6F7885
"""For what is over and done; still 4 to 1 against the ground."""
ACCENT: Final = 0xFFC54A
"""What is selected, and what wants to be noticed."""
ON_ACCENT: Final = 0x14110A

RED: Final = 0xFF6450
RED_DEEP: Final = 0x7E1E17
RED_DIM: Final = 0x8E463D
BLUE: Final = 0x62B0FF
BLUE_DEEP: Final = 0x15427F
BLUE_DIM: Final = 0x426A94
SAND: Final = 0xD9C7A0
SAND_DEEP: Final = 0x3B3529
SAND_DIM: Final = 0x7C7361
BLACK: Final = 0x000000
WHITE: Final = 0xFFFFFF
WHITE_DIM: Final = 0x8A8A8A

MARGIN: Final = 8
GAP: Final = 4
RADIUS: Final = 7

CELL_WIDTH: Final = 96
CELL_HEIGHT: Final = 89
PANEL_X: Final = 512
PANEL_WIDTH: Final = WIDTH - MARGIN - PANEL_X
FOOT_HEIGHT: Final = 42
FOOT_Y: Final = HEIGHT - MARGIN - FOOT_HEIGHT
ROW: Final = 46
"""The height of a line of a menu in pixels: that of a fingertip."""
HEAD_HEIGHT: Final = 58

TITLE: Final = 27
BODY: Final = 20
SMALL: Final = 16
