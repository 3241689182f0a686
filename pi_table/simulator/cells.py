"""A cell of the simulated table as shapes: lit from below, with or without a card."""

from collections.abc import Iterator
from typing import Final

from pi_table.console.shapes import Colour, Rect, Shape, Text
from pi_table.geometry import CELLS
from pi_table.language import Words
from pi_table.simulator.glow import CARD, DIFFUSER, lit
from pi_table.simulator.layout import CELL_HEIGHT, CELL_WIDTH, INK, corner

CARD_WIDTH: Final = round(CELL_WIDTH * CARD.size[0] / DIFFUSER.size[0])
CARD_HEIGHT: Final = round(CELL_HEIGHT * CARD.size[1] / DIFFUSER.size[1])
_NAME_HEIGHT: Final = 18


def cell_without_card(cell: int, leds: tuple[Colour, ...]) -> Iterator[Shape]:
    """A cell on which no card lies; its target is its place."""
    x, y = corner(cell)
    yield Rect(x, y, CELL_WIDTH, CELL_HEIGHT, 0, target=cell)
    yield lit((x, y, CELL_WIDTH, CELL_HEIGHT), leds, DIFFUSER)


def cell_with_card(cell: int, leds: tuple[Colour, ...]) -> Iterator[Shape]:
    """A cell with its card, and its name on the card's edge."""
    yield from cell_without_card(cell, leds)
    x, y = _card(cell)
    yield lit((x, y, CARD_WIDTH, CARD_HEIGHT), leds, CARD)
    yield Text(x + 6, y + 4, 40, _NAME_HEIGHT, CELLS[cell], 14, INK, least=14)


def card_text(cell: int, words: Words, size: int, down: float) -> Text:
    """A line on a card, its middle this share of the way ``down`` from under the cell's name."""
    x, y = _card(cell)
    middle = y + _NAME_HEIGHT + (CARD_HEIGHT - _NAME_HEIGHT) * down
    return Text(x + 3, middle - size, CARD_WIDTH - 6, 2 * size, words, size, INK, "centre", 11)


def _card(cell: int) -> tuple[int, int]:
    x, y = corner(cell)
    return x + (CELL_WIDTH - CARD_WIDTH) // 2, y + (CELL_HEIGHT - CARD_HEIGHT) // 2
