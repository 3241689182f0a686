"""How the practice lap looks: what it is at the top, at the left what to do, at the right a paper
with something to read, which is made up."""

from pi_table.console import style
from pi_table.console.choice_lists import lines
from pi_table.console.codex.dossier_pages import HIDDEN
from pi_table.console.codex.practice import Practice
from pi_table.console.layout import Box
from pi_table.console.model import Model
from pi_table.console.shapes import Face, Rect, Scene, Text
from pi_table.ipc.messages import CodexMessage
from pi_table.language import say


def practice(model: Model, table: CodexMessage, screen: Practice, title: Box, body: Box) -> Scene:
    """The stage that is practised, its name in ``title``. What is on the paper is seen while PEEK
    is held."""
    half = (body.w - style.MARGIN) / 2
    w = half if screen.papers else body.w
    told = 0.3 * body.h
    made_up = say("All made up. Nothing counts.")
    left, right = title.w / 2 - 16, title.w / 2 - 12
    return (
        Rect(title.x, title.y, title.w, title.h, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(
            *(title.x + 12, title.y, left, title.h, screen.title(table), style.TITLE, style.INK),
            face=Face.BOLD,
        ),
        Text(
            *(title.x + title.w / 2, title.y, right, title.h),
            *(made_up, style.BODY, style.ACCENT, "right"),
        ),
        Text(body.x + 6, body.y, w - 12, told, screen.help(table), 24, style.INK),
        *lines(Box(body.x, body.y + told, w, body.h - told), model.choices, model.selected),
        *_paper(model, screen, Box(body.x + body.w - half, body.y, half, body.h)),
    )


def _paper(model: Model, screen: Practice, box: Box) -> Scene:
    if not screen.papers:
        return ()
    row = box.h / 6.5
    x, w = box.x + 16, box.w - 32
    head = say("Not yours: an example")
    shapes: Scene = (
        Rect(box.x, box.y, box.w, box.h, style.SURFACE, radius=style.RADIUS),
        Text(x, box.y, w, row, head, 24, style.ACCENT),
    )
    for place, (label, value) in enumerate(screen.papers):
        y = box.y + (place + 1.25) * row
        shown = value if model.peeking else HIDDEN
        shapes += (
            Text(x, y, 0.48 * w, row, label, style.BODY, style.SOFT),
            Text(x + 0.5 * w, y, 0.5 * w, row, shown, 26, style.INK, "right"),
        )
    return shapes
