"""What a game that explains itself says on the screen, and how that looks."""

from typing import Final

from pi_table.common.language import Words
from pi_table.games.announcer.first_game import of_the_key
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.shapes import Rect, Scene, Text

EXPLAINED: Final = 118
"""The height of an explanation."""


def explanation(model: Model, key: str | None = None) -> Words | None:
    """What is to be explained now; None if nothing is. ``key`` is the key that is seen on the
    screen, None where none is: how it reads is then explained, and nothing that is in it."""
    table = model.table
    if table is None or table.public is None or table.settings is None:
        return None
    if not (table.settings.explain and model.explains):
        return None
    words = model.first_game.words
    if words is None or key is None or not model.first_game.is_for_a_clue:
        return words
    return of_the_key(table.public.profile)


def drawn_explanation(box: Box, words: Words) -> Scene:
    """An explanation: its edge is fainter than that of a notice."""
    return (
        Rect(box.x, box.y, box.w, box.h, style.SURFACE, style.SOFT, 1, style.RADIUS),
        Text(box.x + 12, box.y + 4, box.w - 24, box.h - 8, words, style.BODY, style.INK),
    )
