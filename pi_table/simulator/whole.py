"""Draws the table and the hidden screen side by side, as in the simulator's window."""

from functools import cache
from typing import Final

from pi_table.common.language import Lang, say
from pi_table.screens.console.shapes import (
    Polygon,
    Rect,
    Scene,
    Shadow,
    Shape,
    Text,
    in_language,
    move_scene,
)
from pi_table.screens.console.style import HEIGHT as CONSOLE_HEIGHT
from pi_table.screens.console.style import SOFT
from pi_table.screens.console.style import WIDTH as CONSOLE_WIDTH
from pi_table.simulator.box import still, wood
from pi_table.simulator.layout import WIDTH as TABLE_WIDTH

GAP: Final = 20
WIDTH: Final = TABLE_WIDTH + CONSOLE_WIDTH + GAP
CONSOLE_X: Final = TABLE_WIDTH
CONSOLE_Y: Final = 70
FRAME: Final = 12
"""Thickness in pixels of the hood's sides."""
ROOF: Final = 25
HELP: Final = (
    say(
        "The table: press a cell or a pad with the mouse, "
        "and hold it until it has filled with light."
    ),
    say(
        "The screen: click. Or arrow keys to turn, Enter to press, "
        "Esc to go back, P to see the key."
    ),
)


def whole(table: Scene, console: Scene, lang: Lang) -> Scene:
    """Return one picture of WIDTH × HEIGHT pixels. The console's picture begins at (CONSOLE_X,
    CONSOLE_Y)."""
    below = CONSOLE_Y + CONSOLE_HEIGHT + 2 * FRAME
    title = say("The hidden screen: only for those who may see it")
    shapes: Scene = (
        *table,
        _hood(),
        Text(CONSOLE_X, 8, CONSOLE_WIDTH, 34, title, 20, SOFT, "centre"),
        *move_scene(console, CONSOLE_X, CONSOLE_Y),
        *(
            Text(CONSOLE_X, below + 48 * line, CONSOLE_WIDTH, 44, text, 17, SOFT, "centre")
            for line, text in enumerate(HELP)
        ),
    )
    return in_language(shapes, lang)


@cache
def _hood() -> Shape:
    left, top, right = CONSOLE_X - FRAME, CONSOLE_Y - ROOF, CONSOLE_X + CONSOLE_WIDTH + FRAME
    bottom = CONSOLE_Y + CONSOLE_HEIGHT + FRAME
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    far_x, far_y = CONSOLE_X + CONSOLE_WIDTH, CONSOLE_Y + CONSOLE_HEIGHT
    screen = ((CONSOLE_X, CONSOLE_Y), (far_x, CONSOLE_Y), (far_x, far_y), (CONSOLE_X, far_y))
    walls = zip(corners, (*corners[1:], corners[0]), (*screen[1:], screen[0]), screen, strict=True)
    shapes = (
        *wood(left, WIDTH - left, 5),
        Shadow(left - 6, bottom - 20, right - left + 12, 40, 12, 0.8),
        *map(Polygon, walls, (0x0E0F12, 0x16171B, 0x232429, 0x16171B)),
        Rect(left, top, right - left, bottom - top, None, 0x2C2E33, 3, 5),
    )
    return still(shapes, left, WIDTH - left)
