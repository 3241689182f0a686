"""The drawing of choices: as a list of lines, or as tiles."""

from collections.abc import Sequence
from typing import Final

from pi_table.common.language import Words
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import UNLIMITED
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.screen import Choice
from pi_table.screens.console.shapes import Face, Line, Rect, Scene, Shape, Text
from pi_table.screens.console.symbols import sign
from pi_table.screens.console.typing_screen import DONE_KEY, ERASE_KEY, SPACE_KEY

WITHOUT_END: Final = "∞"
_PITCH: Final = style.ROW + style.GAP


def page_title(layout: Layout, title: Words, beside: Words) -> Scene:
    box = layout.title
    w = 0.46 * box.w
    rest = box.w - w - 10
    return (
        Text(box.x, box.y, w, box.h, title, style.TITLE, style.INK, face=Face.BOLD),
        Text(box.x + w + 10, box.y, rest, box.h, beside, style.SMALL, style.SOFT, "right"),
    )


def over_choices(box: Box, h: float, count: int) -> tuple[Box, Box]:
    """Split the box into an upper part, at most ``h`` units high, and a lower part with room for
    ``count`` lines."""
    h = min(h, max(0.0, box.h - count * _PITCH + style.GAP - style.MARGIN))
    return Box(box.x, box.y, box.w, h), box.below(h + style.MARGIN)


def split(box: Box, h: float) -> tuple[Box, Box]:
    """Split the box, with a margin between the parts. The lower part is ``h`` units high."""
    return box._replace(h=box.h - h - style.MARGIN), Box(box.x, box.y + box.h - h, box.w, h)


def lines(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """Draw the choices as lines. If not all choices fit, draw the choices around the selected one,
    and a scroll bar."""
    room = max(1, int((box.h + style.GAP) // _PITCH))
    first = max(0, min(selected - room // 2, len(choices) - room))
    overflow = len(choices) > room
    w = box.w - (style.ROW + style.GAP if overflow else 0)
    shapes: list[Shape] = []
    for place, choice in enumerate(choices[first : first + room]):
        at = Box(box.x, box.y + place * _PITCH, w, style.ROW)
        shapes += _line(at, choice, first + place == selected, box)
    if overflow:
        side = Box(box.x + box.w - style.ROW, box.y, style.ROW, room * _PITCH - style.GAP)
        shapes += scroll_bar(side, first / len(choices), room / len(choices))
    return tuple(shapes)


def scroll_bar(box: Box, before: float, share: float) -> Scene:
    """Draw a scroll bar with buttons for up and down.

    ``before`` is the fraction of all lines that is above the visible part, and ``share`` is the
    fraction that is visible (both 0 … 1). A tap on a button acts like a turn of the encoder.
    """
    shapes: list[Shape] = []
    middle = box.x + box.w / 2
    for y, up, turn in ((box.y, 1, Input.LEFT), (box.y + box.h - style.ROW, -1, Input.RIGHT)):
        shapes.append(
            Rect(box.x, y, box.w, style.ROW, style.SURFACE, radius=style.RADIUS, target=turn)
        )
        tip = y + style.ROW / 2
        points = ((middle - 9, tip + 5 * up), (middle, tip - 6 * up), (middle + 9, tip + 5 * up))
        shapes.append(Line(points, style.SOFT, 4))
    y, h = box.y + style.ROW + style.GAP, box.h - 2 * (style.ROW + style.GAP)
    if h > 0:
        shapes.append(Rect(middle - 2, y, 4, h, style.SURFACE))
        shapes.append(Rect(middle - 2, y + h * before, 4, h * share, style.SOFT))
    return tuple(shapes)


def _line(box: Box, choice: Choice, selected: bool, group: Box) -> Scene:
    can_be_done = choice.does is not None
    fill = style.RAISED if can_be_done else style.SURFACE
    ink = style.INK
    if selected and can_be_done:
        fill, ink = style.ACCENT, style.ON_ACCENT
    edge = style.ACCENT if selected else None
    shapes: list[Shape] = [Rect(*box, fill, edge, 2, style.RADIUS, target=choice)]
    left = box.x + 12
    if choice.team is not None:
        badge = style.GROUND
        shapes.append(Rect(box.x + 6, box.y + 6, 34, box.h - 12, badge, radius=style.RADIUS - 2))
        shapes += sign(AGENT_OF[choice.team], box.x + 23, box.y + box.h / 2, 9)
        left = box.x + 50
    right = box.x + box.w - 12
    if choice.value:
        w = min(300.0, 0.38 * box.w)
        value_ink = ink if selected and can_be_done else style.SOFT
        shapes.append(
            Text(
                *(right - w, box.y + 2, w, box.h - 4, choice.value, style.BODY, value_ink, "right"),
                group=group,
            )
        )
        right -= w + 8
    place = (left, box.y + 2, right - left, box.h - 4)
    shapes.append(Text(*place, choice.label, style.BODY, ink, group=group))
    return tuple(shapes)


def number_tiles(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """Draw numbers as the largest possible tiles."""
    return tiles(box, choices, selected, _columns(box, len(choices)))


def letter_tiles(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """Draw letters as the largest possible tiles. The last row has the keys for space, erase and
    done."""
    keys = [at for at, choice in enumerate(choices) if choice.label in _WORD_KEYS]
    letters = [choice for choice in choices if choice.label not in _WORD_KEYS]
    columns = _columns(box, len(letters), below=1)
    rows = -(-len(letters) // columns) + 1
    pitch = (box.h + style.GAP) / rows
    above = Box(box.x, box.y, box.w, pitch * (rows - 1) - style.GAP)
    last = Box(box.x, box.y + pitch * (rows - 1), box.w, pitch - style.GAP)
    return tiles(above, letters, selected, columns) + tiles(
        last, [choices[at] for at in keys], selected - len(letters), columns=len(keys)
    )


def _columns(box: Box, count: int, below: int = 0) -> int:
    """Return the number of columns for ``count`` tiles, with room for ``below`` further rows. With
    this number, the shorter side of a tile is as long as possible."""

    def shorter_side(columns: int) -> float:
        return min(box.w / columns, box.h / (-(-count // columns) + below))

    return max(range(1, count + 1), key=shorter_side, default=1)


_WORD_KEYS: Final = (SPACE_KEY, ERASE_KEY, DONE_KEY)


def tiles(box: Box, choices: Sequence[Choice], selected: int, columns: int) -> Scene:
    rows = -(-len(choices) // columns)
    shapes: list[Shape] = []
    for place, choice in enumerate(choices):
        at = box.tile(place, columns, rows)
        on = place == selected
        fill, ink = (style.ACCENT, style.ON_ACCENT) if on else (style.RAISED, style.INK)
        shapes.append(Rect(*at, fill, radius=style.RADIUS))
        shapes.append(touch_area(at, choice))
        label = WITHOUT_END if choice.label == UNLIMITED else choice.label
        shapes.append(Text(*at.inset(2), label, 26, ink, "centre", face=Face.BOLD, group=box))
    return tuple(shapes)


def touch_area(box: Box, choice: Choice) -> Rect:
    """Return the touch area of a choice: its box, and the gap around the box."""
    return Rect(*box.inset(-style.GAP / 2, -style.GAP / 2), target=choice)
