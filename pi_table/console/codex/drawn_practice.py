"""How the practice lap looks: what it is at the top, at the left what to do, at the right a paper
with something to read, which is made up."""

from typing import Final

from pi_table.console import style
from pi_table.console.choice_lists import Box, lines
from pi_table.console.codex.dossier_pages import HIDDEN
from pi_table.console.codex.practice import Practice
from pi_table.console.model import Model
from pi_table.console.shapes import Rect, Scene, Text
from pi_table.ipc.messages import CodexMessage
from pi_table.language import say

_X: Final = style.MARGIN
_W: Final = style.WIDTH - 2 * style.MARGIN
_TOP: Final = style.MARGIN + 50
_BODY: Final = Box(_X, _TOP, _W, style.FOOT_Y - style.MARGIN - _TOP)
_HELP: Final = 100
_ROW: Final = 54


def practice(model: Model, table: CodexMessage, screen: Practice) -> Scene:
    """The stage that is practised. What is on the paper is seen while PEEK is held."""
    half = (_W - style.MARGIN) / 2
    w = half if screen.papers else _W
    return (
        Rect(_X, style.MARGIN, _W, 42, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(_X + 12, style.MARGIN, half - 20, 42, screen.title(table), style.TITLE, style.INK),
        Text(
            _X + half,
            style.MARGIN,
            half - 12,
            42,
            say("All made up. Nothing counts."),
            style.BODY,
            style.ACCENT,
            "right",
        ),
        Text(_X + 6, _TOP, w - 12, _HELP, screen.help(table), 24, style.INK, least=18),
        *lines(Box(_X, _TOP + _HELP, w, _BODY.h - _HELP), model.choices, model.selected),
        *_paper(model, screen, _X + half + style.MARGIN, half),
    )


def _paper(model: Model, screen: Practice, x: float, w: float) -> Scene:
    if not screen.papers:
        return ()
    shapes: Scene = (
        Rect(x, _BODY.y, w, _BODY.h, style.SURFACE, radius=style.RADIUS),
        Text(x + 16, _BODY.y + 6, w - 32, 44, say("Not yours: an example"), 24, style.ACCENT),
    )
    for place, (label, value) in enumerate(screen.papers):
        y = _BODY.y + 56 + place * _ROW
        shown = value if model.peeking else HIDDEN
        shapes += (
            Text(x + 16, y, w * 0.4, _ROW - style.GAP, label, style.BODY, style.SOFT),
            Text(x + w * 0.45, y, w * 0.5, _ROW - style.GAP, shown, 26, style.INK, "right"),
        )
    return shapes
