"""The pictures that test the screen itself: a frame at its edge, full colours, and greys."""

from collections.abc import Iterator
from typing import Final

from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import page_title, tiles
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.screen import AnyScreen, Choice
from pi_table.screens.console.service.pages import PICTURES, ScreenPage
from pi_table.screens.console.shapes import Colour, Rect, Scene, Shape, Text

PITCH: Final = 40
FULL: Final[tuple[Colour, ...]] = (0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFE, 0x808080, 0x000001)
"""Colours that fill the whole screen. None is a colour of `style`, because a palette of the house
may replace those."""
SHADES: Final = 16

assert 1 + len(FULL) + 1 == PICTURES


def whole_screen(layout: Layout, screen: AnyScreen, choices: tuple[Choice, ...]) -> Scene | None:
    """Return the picture if it covers the whole screen, else None. A tap shows the next picture."""
    if not isinstance(screen, ScreenPage) or screen.picture == 0:
        return None
    w, h = layout.width, layout.height
    (forward,) = choices
    if screen.picture <= len(FULL):
        return (Rect(0, 0, w, h, FULL[screen.picture - 1], target=forward),)
    step = w / SHADES
    greys = (round(255 * shade / (SHADES - 1)) * 0x010101 for shade in range(SHADES))
    strips = (Rect(at * step, 0, step, h, grey) for at, grey in enumerate(greys))
    return (*strips, Rect(0, 0, w, h, target=forward))


def edge_and_choices(
    layout: Layout, screen: AnyScreen, table: AnyTableMessage, choices: tuple[Choice, ...]
) -> Scene | None:
    """Return the picture with the frame and the choices; None if it is not shown now."""
    if not isinstance(screen, ScreenPage) or screen.picture:
        return None
    page, foot = layout.page, layout.foot_text
    middle = Box(page.x + PITCH, page.y + page.h / 3, page.w - 2 * PITCH, page.h / 3)
    title = layout.title
    return (
        *_grid(layout),
        Rect(*title, style.GROUND),
        *page_title(layout, screen.title(table), screen.beside(table)),
        *tiles(middle, choices, -1, len(choices)),
        Rect(*foot, style.GROUND),
        Text(*foot, screen.help(table), style.SMALL, style.SOFT),
    )


def _grid(layout: Layout) -> Iterator[Shape]:
    w, h = layout.width, layout.height
    for x in range(PITCH, w, PITCH):
        yield Rect(x, 0, 1, h, style.RAISED)
    for y in range(PITCH, h, PITCH):
        yield Rect(0, y, w, 1, style.RAISED)
    yield Rect(0, 0, w, h, line=style.ACCENT, thick=2)
