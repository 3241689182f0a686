"""Positions and colours of the simulated table: pixels, and 0xRRGGBB."""

from typing import Final

import msgspec

from pi_table.common.geometry import SIDE

WIDTH: Final = 640
HEIGHT: Final = 720

WOOD: Final = 0x17110C
INK: Final = 0x15120E
PALE: Final = 0xF4EEE0
SAID: Final = 0xE8B860

MARGIN: Final = 20
TOP: Final = 70
GAP: Final = 8
CELL_WIDTH: Final = 114
CELL_HEIGHT: Final = 104
HAND_WIDTH: Final = 94
"""Pixels; width of the open cards of a hand, left or right of a narrower grid."""
HAND_CARD_HEIGHT: Final = 36
PAD_HEIGHT: Final = 60
PAD_Y: Final = TOP + SIDE * (CELL_HEIGHT + GAP) + 6


class Grid(msgspec.Struct, frozen=True):
    """The columns of the cells: their left edge and a cell's width, in pixels."""

    left: int
    cell_width: int

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the upper left corner of a cell."""
        row, column = divmod(cell, SIDE)
        return self.left + column * (self.cell_width + GAP), TOP + row * (CELL_HEIGHT + GAP)


WHOLE: Final = Grid(MARGIN - 2, CELL_WIDTH)
BETWEEN_HANDS: Final = Grid(110, 76)
"""The narrower grid for games in which the teams lay out their cards."""
