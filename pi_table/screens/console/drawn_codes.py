"""The drawing of a QR code, and of a page with a QR code."""

from typing import Final

from pi_table.common.language import Words, say
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import lines
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.phones import Code
from pi_table.screens.console.shapes import Face, Rect, Scene, Shape, Text

QUIET: Final = 4
"""Modules (small squares of a QR code): the width of the empty margin around the code, as the
standard requires."""


def qr_code(text: str, box: Box) -> Scene:
    """Draw the QR code of a text in the middle of the box, dark on light. Its squares are as large
    as possible, in whole units. The drawing is not cached, because the text may be secret."""
    # Imported for the first code only: it also loads an HTTP client and TLS, which took 3 MiB and
    # a sixth of the time to import the console.
    import segno

    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    across = len(rows) + 2 * QUIET
    module = max(1, int(min(box.w, box.h) // across))
    side = module * across
    left, top = int(box.x + (box.w - side) / 2), int(box.y + (box.h - side) / 2)
    shapes: list[Shape] = [Rect(left, top, side, side, style.INK)]
    for row, modules in enumerate(rows):
        y = top + (QUIET + row) * module
        column = 0
        while column < len(modules):
            run = column
            while run < len(modules) and modules[run]:
                run += 1
            if run > column:
                x = left + (QUIET + column) * module
                shapes.append(Rect(x, y, (run - column) * module, module, style.GROUND))
            column = run + 1
    return tuple(shapes)


def code_page(model: Model, screen: Code, table: AnyTableMessage) -> Scene:
    layout, text = model.layout, screen.text(table)
    square, box = layout.grid, layout.body
    code = _wait(square) if text is None else qr_code(text, square)
    address = screen.address(table)
    foot = len(model.choices) * (style.ROW + style.GAP)
    words_h = box.h - foot - style.MARGIN
    help_h = 0.6 * words_h if address else words_h
    words: Words = screen.help(table) if model.notice is None else model.notice
    shapes: Scene = (
        Text(*layout.head, screen.title(table), style.TITLE, style.INK, face=Face.BOLD),
        Text(box.x, box.y, box.w, help_h, words, style.BODY, style.INK),
        *lines(box.below(words_h + style.MARGIN), model.choices, model.selected),
    )
    if address:
        at = (box.x, box.y + help_h, box.w, words_h - help_h)
        shapes += (Text(*at, address, 24, style.ACCENT, face=Face.BOLD),)
    return (*code, *shapes)


def _wait(box: Box) -> Scene:
    return (
        Rect(*box, style.SURFACE, radius=style.RADIUS),
        Text(*box, say("Asking the table…"), 24, style.SOFT, "centre"),
    )
