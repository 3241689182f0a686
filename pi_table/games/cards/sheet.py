"""The layout of cards on a sheet of paper, in millimetres."""

import math
from typing import Final, NamedTuple

from pi_table.common.errors import InputError
from pi_table.common.language import say


class Size(NamedTuple):
    """The size of a card as it lies on its cell, or of a page: the width, then the height."""

    across: float
    down: float


CARDS: Final = {"44x68": Size(68.0, 44.0), "63x88": Size(88.0, 63.0)}
"""The two card sizes of word games, by the names under which shops sell card sleeves."""
PAPERS: Final = {"a4": Size(210.0, 297.0), "letter": Size(215.9, 279.4)}
MARGIN: Final = 6.0
"""Millimetres to leave white at each edge of the paper. Most printers need 4 to 6."""
FOOT: Final = 5.0
"""Millimetres below the cards for a line of small print."""


class Layout(NamedTuple):
    """The number of cards on a page, and their positions."""

    page: Size
    card: Size
    columns: int
    rows: int

    @property
    def left(self) -> float:
        return (self.page.across - self.columns * self.card.across) / 2

    @property
    def top(self) -> float:
        return (self.page.down - FOOT - self.rows * self.card.down) / 2

    @property
    def a_page(self) -> int:
        """Number of cards on a full page."""
        return self.columns * self.rows

    def corner(self, number: int) -> tuple[float, float]:
        """Return the top left corner of a card, in mm from the top left of the page.

        Cards are counted from 0, row by row.
        """
        row, column = divmod(number, self.columns)
        return self.left + column * self.card.across, self.top + row * self.card.down

    def corner_behind(self, number: int) -> tuple[float, float]:
        """Return the top left corner of a card's back, on the back of the page. The printer must
        flip the page on its long edge."""
        left, top = self.corner(number)
        if self.page.across > self.page.down:
            return left, self.page.down - top - self.card.down
        return self.page.across - left - self.card.across, top

    def pages(self, cards: int) -> int:
        return math.ceil(cards / self.a_page)


def layout(card: str, paper: str) -> Layout:
    """Return the layout with the most cards on a page. The page may be upright or sideways.

    Raises InputError for an unknown card size or paper.
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
    return max((_fill(page, CARDS[card]) for page in ways), key=lambda found: found.a_page)


def _fill(page: Size, card: Size) -> Layout:
    columns = int((page.across - 2 * MARGIN) // card.across)
    rows = int((page.down - 2 * MARGIN - FOOT) // card.down)
    return Layout(page, card, columns, rows)
