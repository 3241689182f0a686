"""Write the sheets of a pack's cards as a PDF.

Each card has its word twice, once for each side of the table, so that people can lay the card
either way round. Equal packs make equal bytes.
"""

import os
from collections.abc import Sequence
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from pi_table.games.cards.sheet import Layout, Size

FACE: Final = "words"
FILE: Final = "AtkinsonHyperlegibleNext-Bold.ttf"
CAPITAL: Final = 0.668
"""Height of capitals as a share of the type size (from the font file's OS/2 table)."""
SIDE: Final = 4.0
"""Millimetres between a word and its card's edge: the tolerance for a bad cut."""
MAX_CAPITAL_SHARE: Final = 0.18
"""Maximum height of capitals as a share of the card: short words should not look too large."""
SMALL: Final = 2.2
"""Millimetres: height of the small print's capitals."""
LINE: Final = 0.7
"""Grey of the cutting lines: visible when cutting, not when playing."""
RULER: Final = 50.0
"""Millimetres: length of a line that shows if the printer has scaled the page."""


class Printed(NamedTuple):
    """The result of writing cards."""

    cards: int
    pages: int
    lowest: float
    """Millimetres: height of the capitals of the longest word."""


def write_cards(words: Sequence[str], title: str, layout: Layout, out: Path) -> Printed:
    """Atomically write the words as cards, with the title on each page. Raises OSError."""
    _load_face()
    heights = [_capitals(word, layout.card) for word in words]
    content = BytesIO()
    page_size = layout.page.across * mm, layout.page.down * mm
    # Without an initial font, each page would refer to Helvetica, which is not in the file.
    canvas = Canvas(content, pagesize=page_size, invariant=1, initialFontName=FACE)
    canvas.setTitle(title)
    pages = layout.pages(len(words))
    for page in range(pages):
        first = page * layout.a_page
        _lines_to_cut(canvas, layout)
        for number, word in enumerate(words[first : first + layout.a_page]):
            _card(canvas, layout, number, word, heights[first + number])
        _foot(canvas, layout, f"{title} · {page + 1}/{pages}")
        canvas.showPage()
    canvas.save()
    _replace(out, content.getvalue())
    return Printed(len(words), pages, min(heights))


def _capitals(word: str, card: Size) -> float:
    """Return the height (mm) of the capitals in which a word fits half a card."""
    wide: float = stringWidth(word, FACE, CAPITAL**-1)  # width in mm at capitals of 1 mm
    return min(MAX_CAPITAL_SHARE * card.down, (card.across - 2 * SIDE) / wide)


def _load_face() -> None:
    with as_file(files("pi_table") / "screens" / "console" / "typefaces" / FILE) as path:
        registerFont(TTFont(FACE, path))


def _set(canvas: Any, height: float) -> None:
    canvas.setFont(FACE, height / CAPITAL * mm)


def _card(canvas: Any, layout: Layout, number: int, word: str, height: float) -> None:
    left, top = layout.corner(number)
    card = layout.card
    canvas.saveState()
    canvas.translate((left + card.across / 2) * mm, (layout.page.down - top - card.down / 2) * mm)
    canvas.setStrokeGray(LINE)
    canvas.setLineWidth(0.3 * mm)
    canvas.line(-card.across / 5 * mm, 0, card.across / 5 * mm, 0)
    for _ in range(2):
        _set(canvas, height)
        canvas.drawCentredString(0, -(card.down / 4 + height / 2) * mm, word)
        canvas.rotate(180)
    canvas.restoreState()


def _lines_to_cut(canvas: Any, layout: Layout) -> None:
    canvas.setStrokeGray(LINE)
    canvas.setLineWidth(0.1 * mm)
    page, card = layout.page, layout.card
    far, left = page.down - layout.top, layout.left
    right, near = left + layout.columns * card.across, far - layout.rows * card.down
    beyond = 3.0
    for column in range(layout.columns + 1):
        x = (left + column * card.across) * mm
        canvas.line(x, (near - beyond) * mm, x, (far + beyond) * mm)
    for row in range(layout.rows + 1):
        y = (far - row * card.down) * mm
        canvas.line((left - beyond) * mm, y, (right + beyond) * mm, y)


def _foot(canvas: Any, layout: Layout, text: str) -> None:
    _set(canvas, SMALL * 0.8)
    low = (layout.page.down - layout.top - layout.rows * layout.card.down - 6.5) * mm
    canvas.setFillGray(0.4)
    left, right = layout.left, layout.page.across - layout.left
    canvas.drawString((left + 2) * mm, low, text)
    canvas.setStrokeGray(0.4)
    canvas.setLineWidth(0.2 * mm)
    begin, middle = right - RULER - 2, low + SMALL * 0.4 * mm
    canvas.line(begin * mm, middle, (begin + RULER) * mm, middle)
    for x in (begin, begin + RULER):
        canvas.line(x * mm, middle - mm, x * mm, middle + mm)
    canvas.drawRightString((begin - 2) * mm, low, f"100 % = {RULER:.0f} mm")
    canvas.setFillGray(0)


def _replace(out: Path, content: bytes) -> None:
    beside = out.with_name(f".{out.name}.new")
    try:
        beside.write_bytes(content)
        os.replace(beside, out)
    finally:
        beside.unlink(missing_ok=True)
