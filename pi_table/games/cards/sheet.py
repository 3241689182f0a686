"""Where cards lie on a sheet of paper; lengths are millimetres."""

import math
from typing import Final, NamedTuple

from pi_table.common.errors import InputError
from pi_table.common.language import say


class Size(NamedTuple):
    """Of a card as it lies on its cell, or of a page: across, then down."""

    across: float
    down: float


CARDS: Final = {"44x68": Size(68.0, 44.0), "63x88": Size(88.0, 63.0)}
"""The two sizes that word games' cards have, by the name under which sleeves of them are sold."""
PAPERS: Final = {"a4": Size(210.0, 297.0), "letter": Size(215.9, 279.4)}
"""The papers that offices have, upright."""
MARGIN: Final = 6.0
"""What a printer leaves white at each edge of the paper: most need 4 to 6 mm."""
FOOT: Final = 5.0
"""What a line of small print below the cards takes besides."""


class Layout(NamedTuple):
    """How many cards lie on a page, and where."""

    page: Size
    card: Size
    columns: int
    rows: int

    @property
    def left(self) -> float:
        """From the page's left edge to the first column."""
        return (self.page.across - self.columns * self.card.across) / 2

    @property
    def top(self) -> float:
        """From the page's top edge to the first row."""
        return (self.page.down - FOOT - self.rows * self.card.down) / 2

    @property
    def a_page(self) -> int:
        """Cards on a full page."""
        return self.columns * self.rows

    def corner(self, number: int) -> tuple[float, float]:
        """The far left corner of a page's card (from 0, row by row), from the page's top left."""
        row, column = divmod(number, self.columns)
        return self.left + column * self.card.across, self.top + row * self.card.down

    def pages(self, cards: int) -> int:
        """The pages that so many cards take."""
        return math.ceil(cards / self.a_page)


def layout(card: str, paper: str) -> Layout:
    """The layout with most cards, the page upright or lying.

    Raises InputError for a size or a paper that is not known.
    """
    if card not in CARDS:
        raise InputError(
            say(
                "There are no cards of {card} mm; there are {cards}.",
                card=repr(card),
                cards=", ".join(CARDS),
            )
        )
    if paper not in PAPERS:
        raise InputError(
            say(
                "There is no paper {paper}; there are {papers}.",
                paper=repr(paper),
                papers=", ".join(PAPERS),
            )
        )
    upright = PAPERS[paper]
    ways = (upright, Size(upright.down, upright.across))
    return max((_filled(page, CARDS[card]) for page in ways), key=lambda found: found.a_page)


def _filled(page: Size, card: Size) -> Layout:
    columns = int((page.across - 2 * MARGIN) // card.across)
    rows = int((page.down - 2 * MARGIN - FOOT) // card.down)
    return Layout(page, card, columns, rows)
