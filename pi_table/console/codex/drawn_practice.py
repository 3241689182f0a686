"""How the practice lap looks: what it is at the top, at the left what to do, at the right a paper
with something to read, which is made up."""

from typing import Final

from pi_table.console import style
from pi_table.console.choice_lists import lines
from pi_table.console.codex.dossier_pages import HIDDEN
from pi_table.console.codex.practice import Practice
from pi_table.console.layout import Box
from pi_table.console.model import Model
from pi_table.console.shapes import Face, Rect, Scene, Text
from pi_table.ipc.messages import CodexMessage
from pi_table.language import say

_HELP: Final = 100
_ROW: Final = 54


def practice(model: Model, table: CodexMessage, screen: Practice) -> Scene:
    """The stage that is practised. What is on the paper is seen while PEEK is held."""
    page, title = model.layout.page, model.layout.title
    half = (page.w - style.MARGIN) / 2
    w = half if screen.papers else page.w
    helping, below = Box(page.x + 6, page.y, w - 12, _HELP), page.below(_HELP)
    made_up = say("All made up. Nothing counts.")
    return (
        Rect(page.x, title.y, page.w, 42, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(
            *(page.x + 12, title.y, half - 20, 42, screen.title(table), style.TITLE, style.INK),
            face=Face.BOLD,
        ),
        Text(
            *(page.x + half, title.y, half - 12, 42, made_up, style.BODY, style.ACCENT, "right"),
        ),
        Text(helping.x, helping.y, helping.w, _HELP, screen.help(table), 24, style.INK),
        *lines(Box(page.x, below.y, w, below.h), model.choices, model.selected),
        *_paper(model, screen, Box(page.x + half + style.MARGIN, page.y, half, page.h)),
    )


def _paper(model: Model, screen: Practice, box: Box) -> Scene:
    if not screen.papers:
        return ()
    x, w = box.x, box.w
    shapes: Scene = (
        Rect(x, box.y, w, box.h, style.SURFACE, radius=style.RADIUS),
        Text(x + 16, box.y + 6, w - 32, 44, say("Not yours: an example"), 24, style.ACCENT),
    )
    for place, (label, value) in enumerate(screen.papers):
        y = box.y + 56 + place * _ROW
        shown = value if model.peeking else HIDDEN
        shapes += (
            Text(x + 16, y, w * 0.4, _ROW - style.GAP, label, style.BODY, style.SOFT),
            Text(x + w * 0.45, y, w * 0.5, _ROW - style.GAP, shown, 26, style.INK, "right"),
        )
    return shapes
