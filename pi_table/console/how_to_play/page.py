"""A page that explains one thing about a game: a title, a drawing, and a sentence or two."""

from typing import Final

import msgspec

from pi_table.console.shapes import Scene
from pi_table.language import Words

WIDTH: Final = 760
HEIGHT: Final = 250
"""The size of every drawing. It is made larger or smaller to fit the screen."""
MOST: Final = 6
"""The most pages that a game has: more is a manual."""


class Page(msgspec.Struct, frozen=True):
    title: Words
    drawing: Scene
    """Shapes on a ground of 760 by 250; no shape of it can be tapped."""
    words: Words
