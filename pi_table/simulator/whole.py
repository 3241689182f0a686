"""The table and the hidden screen side by side, as the simulator's window shows them."""

from typing import Final

from pi_table.common.language import Lang, say
from pi_table.screens.console.shapes import Rect, Scene, Text, in_language, move_scene
from pi_table.screens.console.style import FAINT, GROUND, SOFT
from pi_table.screens.console.style import HEIGHT as CONSOLE_HEIGHT
from pi_table.screens.console.style import WIDTH as CONSOLE_WIDTH
from pi_table.simulator.layout import HEIGHT, WOOD
from pi_table.simulator.layout import WIDTH as TABLE_WIDTH

GAP: Final = 20
WIDTH: Final = TABLE_WIDTH + CONSOLE_WIDTH + GAP
CONSOLE_X: Final = TABLE_WIDTH
CONSOLE_Y: Final = 70
FRAME: Final = 10
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
    """Return one scene of WIDTH × HEIGHT, with the console's origin at (CONSOLE_X, CONSOLE_Y)."""
    below = CONSOLE_Y + CONSOLE_HEIGHT + 2 * FRAME
    shapes: Scene = (
        Rect(0, 0, WIDTH, HEIGHT, WOOD),
        *table,
        Text(
            CONSOLE_X,
            14,
            CONSOLE_WIDTH,
            44,
            say("The hidden screen: only for those who may see it"),
            20,
            SOFT,
            "centre",
        ),
        Rect(
            CONSOLE_X - FRAME,
            CONSOLE_Y - FRAME,
            CONSOLE_WIDTH + 2 * FRAME,
            CONSOLE_HEIGHT + 2 * FRAME,
            GROUND,
            0x000000,
            FRAME,
            12,
        ),
        *move_scene(console, CONSOLE_X, CONSOLE_Y),
        *(
            Text(CONSOLE_X, below + 48 * line, CONSOLE_WIDTH, 44, text, 17, FAINT, "centre")
            for line, text in enumerate(HELP)
        ),
    )
    return in_language(shapes, lang)
