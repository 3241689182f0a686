"""Draws a cell of the simulated table: lit from below, with or without a card."""

from collections.abc import Iterator
from typing import Final

from pi_table.common.language import Words
from pi_table.screens.console.shapes import Face, Rect, Shadow, Shape, Text
from pi_table.simulator.engraving import corner_marks
from pi_table.simulator.glow import CARD, CELL, SHEET, Lights, light_surface
from pi_table.simulator.layout import CELL_HEIGHT, INK, WHOLE, Grid

CARD_HEIGHT: Final = round(CELL_HEIGHT * CARD.size[1] / CELL[1])


def lit_place(place: int, lights: Lights, grid: Grid = WHOLE) -> Iterator[Shape]:
    """Yield the drawing of a cell or pad without a card. Its target for the mouse is the place's
    number."""
    x, y = grid.corner(place)
    yield Rect(x, y, grid.cell_width, CELL_HEIGHT, target=place)
    yield light_surface((x + 1, y + 1, grid.cell_width - 2, CELL_HEIGHT - 2), lights, SHEET)


def empty_cell(cell: int, lights: Lights, grid: Grid = WHOLE) -> Iterator[Shape]:
    """Yield the drawing of a cell without a card, with engraved corners where a card belongs."""
    yield from lit_place(cell, lights, grid)
    yield from corner_marks(cell, grid)


def cell_with_card(cell: int, lights: Lights, grid: Grid = WHOLE) -> Iterator[Shape]:
    """Yield the drawing of a cell with a card that has no text."""
    yield from lit_place(cell, lights, grid)
    x, y, w = _card(cell, grid)
    yield Shadow(x - 2, y - 1, w + 4, CARD_HEIGHT + 5, 3, 0.45)
    yield light_surface((x, y, w, CARD_HEIGHT), lights, CARD)


def card_text(cell: int, words: Words, size: int, down: float, grid: Grid = WHOLE) -> Text:
    """Return a line of text on a card. ``down`` is 0 at the upper edge of the card, and 1 at the
    lower edge.

    If one text is too long for ``size``, all lines of that size on all cards become smaller.
    """
    x, y, w = _card(cell, grid)
    place = (x + 4, y + CARD_HEIGHT * down - size, w - 8, 2 * size)
    face = Face.BOLD if grid is WHOLE else Face.NARROW
    return Text(*place, words, size, INK, "centre", 11, face, ("cards", size), last=9)


def _card(cell: int, grid: Grid) -> tuple[int, int, int]:
    x, y = grid.corner(cell)
    w = round(grid.cell_width * CARD.size[0] / CELL[0])
    return x + (grid.cell_width - w) // 2, y + (CELL_HEIGHT - CARD_HEIGHT) // 2, w
