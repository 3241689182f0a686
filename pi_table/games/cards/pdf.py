"""Write the sheets of a pack's cards as a PDF.

Each card has its word twice, once for each side of the table, so that people can lay the card
either way round. A small badge shows to which pack a card belongs. The same pack always gives the
same bytes.
"""

import os
import re
from collections.abc import Sequence
from importlib.resources import as_file, files
from io import BytesIO
from itertools import product
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
"""Height of capital letters as a share of the type size, from the OS/2 table of the font file."""
SIDE: Final = 4.0
"""Minimum millimetres between a word and the edge of its card, because cards may be cut badly."""
MAX_CAPITAL_SHARE: Final = 0.18
"""Maximum height of capitals as a share of the card's height, so that short words are not too
large."""
SMALL: Final = 2.2
"""Millimetres: height of the capitals in the small print."""
INK: Final = 0.4
"""Grey level (0 is black, 1 is white) of small print, badges and cutting marks."""
LATTICE: Final = 0.6
"""Grey level (0 is black, 1 is white) of the pattern on the backs."""
BACK: Final = "back"
"""Name of the PDF form that draws a card's back."""
LINE: Final = 0.7
"""Grey level (0 is black, 1 is white) of the line between a card's two words, and of the dashed
lines between cards."""
MARKS: Final = (0.7, 3.7)
"""Millimetres from the outer cards to the near end and to the far end of a cutting mark."""
RULER: Final = 50.0
"""Millimetres: length of a printed line. People measure it to see if the page was scaled."""
BADGE: Final = Size(5.2, 3.2)
"""Millimetres: size of the badge that shows to which pack a card belongs."""
PANEL: Final = Size(14.0, 20.0)
"""Millimetres: size of the panel with the badge's letters, on a card's back."""
DIAMOND: Final = 4.0
"""Millimetres: approximate width of one diamond in the pattern on the backs."""
BLEED: Final = 2.0
"""Millimetres by which the pattern of a back is larger than its card, because the two sides of the
paper may not match exactly."""


class Style(NamedTuple):
    """The look of the cards of one pack."""

    title: str
    """The pack's title. It is printed at the foot of each page, and its initials on each card."""
    for_adults: bool = False
    """True for a dark badge, so that people can keep these cards out of a family's game."""
    has_backs: bool = False
    """True to add a page of backs after each page of words."""
    has_lines: bool = False
    """True to print dashed lines between the cards."""

    @property
    def initials(self) -> str:
        """The two letters of the badge: ``IT`` for *Italiano*, ``AD`` for *After dark*."""
        parts: list[str] = re.findall(r"\w+", self.title) or [""]
        first, *more = parts
        return (first[:1] + more[0][:1] if more else first[:2]).upper()


class Printed(NamedTuple):
    """The numbers of printed cards and pages, and the height of the smallest capitals."""

    cards: int
    pages: int
    lowest: float
    """Millimetres: height of the capitals of the word that is printed smallest."""


def write_cards(words: Sequence[str], style: Style, layout: Layout, out: Path) -> Printed:
    """Write the words as cards to ``out``, replacing the file atomically. Raises OSError."""
    _load_face()
    heights = [_capitals(word, layout.card) for word in words]
    content = BytesIO()
    page_size = layout.page.across * mm, layout.page.down * mm
    # Without an initial font, each page would refer to Helvetica, which is not in the file.
    canvas = Canvas(content, pagesize=page_size, invariant=1, initialFontName=FACE)
    canvas.setTitle(style.title)
    _define_back(canvas, style, layout.card)
    pages = layout.pages(len(words))
    for page in range(pages):
        first = page * layout.a_page
        on_page = words[first : first + layout.a_page]
        _marks_to_cut(canvas, layout)
        if style.has_lines:
            _lines_to_cut(canvas, layout)
        for number, word in enumerate(on_page):
            _card(canvas, layout, number, word, heights[first + number], style)
        _foot(canvas, layout, f"{style.title} · {page + 1}/{pages}")
        canvas.showPage()
        if style.has_backs:
            for number in range(len(on_page)):
                _to_middle(canvas, layout, layout.corner_behind(number))
                canvas.doForm(BACK)
                canvas.restoreState()
            canvas.showPage()
    canvas.save()
    _replace(out, content.getvalue())
    return Printed(len(words), pages * (1 + style.has_backs), min(heights))


def smallest_capitals(words: Sequence[str], card: Size) -> float:
    """Return the height (mm) of the capitals of the word that is printed smallest."""
    _load_face()
    return min(_capitals(word, card) for word in words)


def _capitals(word: str, card: Size) -> float:
    """Return the height (mm) of the largest capitals in which a word fits half a card."""
    wide: float = stringWidth(word, FACE, CAPITAL**-1)  # in mm, if capitals are 1 mm high
    return min(MAX_CAPITAL_SHARE * card.down, (card.across - 2 * SIDE) / wide)


def _load_face() -> None:
    with as_file(files("pi_table") / "screens" / "console" / "typefaces" / FILE) as path:
        registerFont(TTFont(FACE, path))


def _set(canvas: Any, height: float) -> None:
    canvas.setFont(FACE, height / CAPITAL * mm)


def _to_middle(canvas: Any, layout: Layout, corner: tuple[float, float]) -> None:
    """Move the origin to the middle of the card at ``corner``, until the PDF's graphics state is
    restored."""
    (left, top), card = corner, layout.card
    canvas.saveState()
    canvas.translate((left + card.across / 2) * mm, (layout.page.down - top - card.down / 2) * mm)


def _card(canvas: Any, layout: Layout, number: int, word: str, height: float, style: Style) -> None:
    card = layout.card
    _to_middle(canvas, layout, layout.corner(number))
    canvas.setStrokeGray(LINE)
    canvas.setLineWidth(0.3 * mm)
    canvas.line(-card.across / 5 * mm, 0, card.across / 5 * mm, 0)
    for _ in range(2):
        _set(canvas, height)
        canvas.drawCentredString(0, -(card.down / 4 + height / 2) * mm, word)
        canvas.saveState()
        canvas.translate((card.across / 2 - SIDE - BADGE.across / 2) * mm, 0)
        _badge(canvas, style, BADGE)
        _letters(canvas, style, 0, 1.6)
        canvas.restoreState()
        canvas.rotate(180)
    canvas.restoreState()


def _badge(canvas: Any, style: Style, size: Size) -> None:
    """Draw a rounded box around the origin: dark on cards for adults, otherwise white."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(0.25 * mm)
    canvas.setFillGray(INK if style.for_adults else 1)
    x, y = -size.across / 2 * mm, -size.down / 2 * mm
    canvas.roundRect(x, y, size.across * mm, size.down * mm, 1.2 * mm, fill=1)


def _letters(canvas: Any, style: Style, low: float, height: float) -> None:
    """Write the badge's letters, centred at x = 0 and y = ``low`` (mm)."""
    canvas.setFillGray(1 if style.for_adults else INK)
    _set(canvas, height)
    canvas.drawCentredString(0, (low - height / 2) * mm, style.initials)


def _define_back(canvas: Any, style: Style, card: Size) -> None:
    """Define the PDF form `BACK`: a card's back around the origin, which looks the same either way
    round.

    Its pattern has whole diamonds across and down, so the patterns of neighbouring cards join.
    """
    x, y = (card.across / 2 + BLEED) * mm, (card.down / 2 + BLEED) * mm
    canvas.beginForm(BACK, -x, -y, x, y)  # the form clips the drawing at these edges
    canvas.setStrokeGray(LATTICE)
    canvas.setLineWidth(0.5 * mm)
    many = [round(side / DIAMOND) for side in card]
    across, down = (side / number * mm for side, number in zip(card, many, strict=True))
    reach = sum(many)
    for number in range(-reach, reach + 1):
        for y in (-reach * down, reach * down):
            canvas.line((number - reach) * across, -y, (number + reach) * across, y)
    canvas.setFillGray(LATTICE)
    for column, row in product(range(-reach, reach + 1), repeat=2):
        if (column + row) % 2:
            canvas.circle(column * across / 2, row * down / 2, 0.5 * mm, stroke=0, fill=1)
    _badge(canvas, style, PANEL)
    canvas.setLineWidth(0.3 * mm)
    for _ in range(2):
        _letters(canvas, style, -PANEL.down / 4, 5.0)
        canvas.rotate(180)
    canvas.endForm()


def _cuts(layout: Layout) -> tuple[list[float], list[float]]:
    """Return where to cut: distances (mm) from the left edge and the lower edge of the page."""
    page, card = layout.page, layout.card
    columns, rows = range(layout.columns + 1), range(layout.rows + 1)
    return (
        [layout.left + column * card.across for column in columns],
        [page.down - layout.top - row * card.down for row in rows],
    )


def _marks_to_cut(canvas: Any, layout: Layout) -> None:
    """Draw cutting marks outside the cards, so that the cut cards have no line at their edges."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(0.2 * mm)
    xs, ys = _cuts(layout)
    near, far = MARKS
    for x in xs:
        canvas.line(x * mm, (ys[0] + near) * mm, x * mm, (ys[0] + far) * mm)
        canvas.line(x * mm, (ys[-1] - near) * mm, x * mm, (ys[-1] - far) * mm)
    for y in ys:
        canvas.line((xs[0] - near) * mm, y * mm, (xs[0] - far) * mm, y * mm)
        canvas.line((xs[-1] + near) * mm, y * mm, (xs[-1] + far) * mm, y * mm)


def _lines_to_cut(canvas: Any, layout: Layout) -> None:
    canvas.saveState()
    canvas.setStrokeGray(LINE)
    canvas.setLineWidth(0.1 * mm)
    canvas.setDash(1 * mm, 2 * mm)
    xs, ys = _cuts(layout)
    for x in xs:
        canvas.line(x * mm, ys[0] * mm, x * mm, ys[-1] * mm)
    for y in ys:
        canvas.line(xs[0] * mm, y * mm, xs[-1] * mm, y * mm)
    canvas.restoreState()


def _foot(canvas: Any, layout: Layout, text: str) -> None:
    _set(canvas, SMALL * 0.8)
    low = (layout.page.down - layout.top - layout.rows * layout.card.down - 6.5) * mm
    canvas.setFillGray(INK)
    left, right = layout.left, layout.page.across - layout.left
    canvas.drawString((left + 2) * mm, low, text)
    canvas.setStrokeGray(INK)
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
