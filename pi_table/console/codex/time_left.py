"""The time that a visit or the discussion has left."""

import math

from pi_table.console import style
from pi_table.console.layout import Box
from pi_table.console.model import Model, seconds_left
from pi_table.console.shapes import Face, Rect, Scene, Text
from pi_table.ipc.messages import CodexMessage
from pi_table.lines.duration import duration
from pi_table.rules.codex.board import Phase


def time_left(model: Model, table: CodexMessage, now: float, x: float, y: float) -> Scene:
    """The time in figures, 80 by 46 units; a time that stands is fainter."""
    left = seconds_left(model, now)
    if left is None:
        return ()
    runs = table.public.timer is not None and table.public.timer.running
    ink = style.INK if runs else style.SOFT
    return (Text(x, y, 80, 46, duration(math.ceil(left)), 28, ink, "right", face=Face.BOLD),)


def bar(model: Model, table: CodexMessage, now: float, box: Box) -> Scene:
    """The share of the time that is left, as a bar."""
    left, settings = seconds_left(model, now), table.settings
    if left is None or settings is None:
        return ()
    discussion = table.public.phase is Phase.DISCUSS
    whole = settings.discussion_seconds if discussion else settings.visit_seconds
    return (Rect(box.x, box.y, round(box.w * min(1.0, left / whole)), box.h, style.INK),)
