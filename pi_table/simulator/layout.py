"""Where everything is on the simulated table, and in which colours: pixels, and 0xRRGGBB."""

from typing import Final

from pi_table.geometry import CELL_COUNT, END_TURN, SIDE

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
PAD_HEIGHT: Final = 60
PAD_Y: Final = TOP + SIDE * (CELL_HEIGHT + GAP) + 6


def corner(cell: int) -> tuple[int, int]:
    """The upper left corner of a cell."""
    row, column = divmod(cell, SIDE)
    return MARGIN + column * (CELL_WIDTH + GAP) - 2, TOP + row * (CELL_HEIGHT + GAP)


def middle(place: int) -> tuple[int, int]:
    """The middle of a cell or a pad."""
    if place < CELL_COUNT:
        x, y = corner(place)
        return x + CELL_WIDTH // 2, y + CELL_HEIGHT // 2
    return (WIDTH // 4 if place == END_TURN else 3 * WIDTH // 4), PAD_Y + PAD_HEIGHT // 2
