"""Positions (in pixels) and colours (0xRRGGBB) of the simulated table's picture."""

from typing import Final

import msgspec

from pi_table.common.geometry import END_TURN, HOURGLASS, SIDE

WIDTH: Final = 640
HEIGHT: Final = 720

WOOD: Final = 0x241811
INK: Final = 0x15120E
PALE: Final = 0xF4EEE0
SAID: Final = 0xE8B860

MM: Final = 1.1
"""Pixels per millimetre of the table. Only the empty edges of the sheet are drawn narrower."""
TOP: Final = 126
CELL_WIDTH: Final = 110
CELL_HEIGHT: Final = 88
"""Distance in pixels from a cell to the cell below it; ``CELL_WIDTH`` is the distance to the cell
beside it."""
HAND_WIDTH: Final = 94
"""Width in pixels of a team's hand of cards, beside the narrower grid `BETWEEN_HANDS`."""
HAND_CARD_HEIGHT: Final = 36
HANDS_X: Final = (10, WIDTH - 14 - HAND_WIDTH)
"""Left edge in pixels of red's hand of cards, and of blue's."""

_COLUMN_OF_PAD: Final = {END_TURN: 1, HOURGLASS: 3}


class Grid(msgspec.Struct, frozen=True):
    """The columns of cells: the left edge of the first, and the width of each, in pixels."""

    left: int
    cell_width: int

    def corner(self, place: int) -> tuple[int, int]:
        """Return the upper left corner of a cell, or of a pad. The pads are in the row below the
        cells."""
        row, column = divmod(place, SIDE)
        if place in _COLUMN_OF_PAD:
            column = _COLUMN_OF_PAD[place]
        return self.left + column * self.cell_width, TOP + row * CELL_HEIGHT

    def middle(self, place: int) -> tuple[float, float]:
        x, y = self.corner(place)
        return x + self.cell_width / 2, y + CELL_HEIGHT / 2

    @property
    def width(self) -> int:
        return SIDE * self.cell_width


WHOLE: Final = Grid(45, CELL_WIDTH)
BETWEEN_HANDS: Final = Grid(137, 73)
"""The narrower grid, for games in which the teams lay out cards that they hold."""
