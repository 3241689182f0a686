"""The explanation for people's first game; boxes for explanations, notices and questions."""

from typing import Final

from pi_table.common.language import Words
from pi_table.games.announcer.first_game import of_the_key
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.shapes import Rect, Scene, Text

EXPLAINED: Final = 118
"""Units: the height of the box for an explanation."""


def explanation(model: Model, key: str | None = None) -> Words | None:
    """Return the explanation for the present moment of the game, or None.

    ``key`` is the key that the screen shows, or None. While a key is shown, the explanation may
    describe how to read a key. The explanation never depends on the contents of the key.
    """
    table = model.table
    if table is None or table.public is None or table.settings is None:
        return None
    if not (table.settings.explain and model.explains):
        return None
    words = model.first_game.words
    if words is None or key is None or not model.first_game.is_for_a_clue:
        return words
    return of_the_key(table.public.profile)


def draw_explanation(box: Box, words: Words) -> Scene:
    return (
        Rect(*box, style.SURFACE, style.SOFT, 1, style.RADIUS),
        Text(*box.inset(12, 4), words, style.BODY, style.INK),
    )


def draw_notice(box: Box, words: Words) -> Scene:
    return (
        Rect(*box, style.GROUND, style.ACCENT, 2, style.RADIUS),
        Text(*box.inset(12, 4), words, style.BODY, style.INK),
    )


def draw_question(box: Box, words: Words) -> Scene:
    return (
        Rect(*box, style.SURFACE, style.ACCENT, 2, style.RADIUS),
        Text(*box.inset(12, 6), words, 24, style.INK),
    )
