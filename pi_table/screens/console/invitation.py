"""The picture when nobody seems to be at the screen: a question or an invitation."""

from collections.abc import Iterator

from pi_table.common.geometry import SIDE
from pi_table.common.language import LANGUAGES, Lang, Words, say, translate
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import AnyTableMessage, Presence
from pi_table.screens.console import style
from pi_table.screens.console.drawn_codes import qr_code
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.shapes import Face, Rect, Scene, Shape, Text

_TITLE_SIZE = 54
_HELP_SIZE = 30
_CELL = 26
_PITCH = 32


def invitation(layout: Layout, table: AnyTableMessage, lang: Lang) -> Scene:
    """Draw the whole screen in the language ``lang``, with its title also in the other languages. A
    tap anywhere on the screen counts as a press."""
    w, h = layout.width, layout.height
    title, help = _words(table)
    others = "   ·   ".join(translate(title, other) for other in LANGUAGES if other != lang)
    side = (SIDE - 1) * _PITCH + _CELL
    top = 0.1 * h
    below = top + side + 0.04 * h
    x, all_w = style.MARGIN, w - 2 * style.MARGIN
    code = () if table.pages is None else _board(layout, table.pages.board_link)
    text_w = 0.6 * w if code else all_w
    return (
        Rect(0, 0, w, h, style.GROUND, target=Input.PRESS),
        *_small_table(x + (text_w - side) / 2, top),
        Text(x, below, text_w, 72, title, _TITLE_SIZE, style.INK, "centre", face=Face.BOLD),
        Text(x, below + 74, text_w, 48, help, _HELP_SIZE, style.ACCENT, "centre"),
        Text(x, h - 60, all_w, 40, others, _HELP_SIZE, style.SOFT, "centre"),
        *code,
    )


def _board(layout: Layout, link: str) -> Scene:
    w, h = layout.width, layout.height
    x = 0.62 * w
    room = Box(x, 0.08 * h, w - x - 2 * style.MARGIN, 0.6 * h)
    under = (room.x, room.y + room.h, room.w, 40)
    return (
        *qr_code(link, room),
        Text(*under, say("Scan to watch"), _HELP_SIZE, style.SOFT, "centre"),
    )


def _words(table: AnyTableMessage) -> tuple[Words, Words]:
    if table.idle is Presence.ASKED:
        return say("Still playing?"), say("Touch or press to go on.")
    if table.public is not None and table.public.outcome is None:
        return say("A game is waiting"), say("Touch or press to go on.")
    return say("Would you like to play?"), say("Touch or press to begin.")


def _small_table(x: float, y: float) -> Iterator[Shape]:
    for cell in range(SIDE * SIDE):
        row, column = divmod(cell, SIDE)
        is_lit = cell == SIDE * SIDE // 2
        fill, edge = (style.ACCENT, style.ACCENT) if is_lit else (style.SURFACE, style.EDGE)
        at = x + column * _PITCH, y + row * _PITCH
        yield Rect(*at, _CELL, _CELL, fill, edge, 2, style.RADIUS)
