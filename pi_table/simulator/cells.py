"""A cell of the simulated table as shapes: lit from below, with or without a card."""

from collections.abc import Iterator
from typing import Final

from pi_table.common.geometry import CELLS
from pi_table.common.language import Words
from pi_table.screens.console.shapes import Colour, Face, Rect, Shape, Text
from pi_table.simulator.glow import CARD, DIFFUSER, light_surface
from pi_table.simulator.layout import CELL_HEIGHT, INK, WHOLE, Grid

CARD_HEIGHT: Final = round(CELL_HEIGHT * CARD.size[1] / DIFFUSER.size[1])
_NAME_HEIGHT: Final = 18


def cell_without_card(cell: int, leds: tuple[Colour, ...], grid: Grid = WHOLE) -> Iterator[Shape]:
    """Yield a cell; the target of its shape is the number of its place."""
    x, y = grid.corner(cell)
    yield Rect(x, y, grid.cell_width, CELL_HEIGHT, 0, target=cell)
    yield light_surface((x, y, grid.cell_width, CELL_HEIGHT), leds, DIFFUSER)


def cell_with_card(cell: int, leds: tuple[Colour, ...], grid: Grid = WHOLE) -> Iterator[Shape]:
    """Yield a cell with its card, and the cell's name on the card's edge."""
    yield from cell_without_card(cell, leds, grid)
    x, y, w = _card(cell, grid)
    yield light_surface((x, y, w, CARD_HEIGHT), leds, CARD)
    yield Text(x + 6, y + 4, 40, _NAME_HEIGHT, CELLS[cell], 14, INK, least=14)


def card_text(cell: int, words: Words, size: int, down: float, grid: Grid = WHOLE) -> Text:
    """Return a line on a card; ``down`` is from 0, below the name, to 1, at the lower edge.

    Lines of one size look alike on all cards.
    """
    x, y, w = _card(cell, grid)
    middle = y + _NAME_HEIGHT + (CARD_HEIGHT - _NAME_HEIGHT) * down
    face = Face.PLAIN if grid is WHOLE else Face.NARROW
    place = (x + 2, middle - size, w - 4, 2 * size)
    return Text(*place, words, size, INK, "centre", 11, face, ("cards", size), last=9)


def _card(cell: int, grid: Grid) -> tuple[int, int, int]:
    x, y = grid.corner(cell)
    w = round(grid.cell_width * CARD.size[0] / DIFFUSER.size[0])
    return x + (grid.cell_width - w) // 2, y + (CELL_HEIGHT - CARD_HEIGHT) // 2, w
