"""Choices as they are drawn: as lines below one another, or as tiles."""

from collections.abc import Sequence
from typing import Final

import msgspec

from pi_table.console import look
from pi_table.console.letters import DONE_KEY, ERASE_KEY, SPACE_KEY
from pi_table.console.screen import Choice
from pi_table.console.shapes import Circle, Line, Rect, Scene, Shape, Text
from pi_table.console.signs import AGENT, sign
from pi_table.hal.contracts import Input
from pi_table.rules.word_games.board import UNLIMITED

_PITCH: Final = look.ROW + look.GAP


class Box(msgspec.Struct, frozen=True):
    """A place on the screen, in pixels."""

    x: float
    y: float
    w: float
    h: float


def lines(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """The choices as lines; of too many, those around the selected one, with a bar at the side
    that shows where they are, and takes a finger up and down."""
    room = max(1, int((box.h + look.GAP) // _PITCH))
    first = max(0, min(selected - room // 2, len(choices) - room))
    overflow = len(choices) > room
    w = box.w - (look.ROW + look.GAP if overflow else 0)
    shapes: list[Shape] = []
    for place, choice in enumerate(choices[first : first + room]):
        at = Box(box.x, box.y + place * _PITCH, w, look.ROW)
        shapes += _line(at, choice, first + place == selected)
    if overflow:
        side = Box(box.x + box.w - look.ROW, box.y, look.ROW, room * _PITCH - look.GAP)
        shapes += _bar(side, first / len(choices), room / len(choices))
    return tuple(shapes)


def _bar(box: Box, before: float, share: float) -> Scene:
    """Where the lines are among all of them (``before`` and ``share`` of 1), between two buttons
    that turn as the encoder does."""
    shapes: list[Shape] = []
    middle = box.x + box.w / 2
    for y, up, turn in ((box.y, 1, Input.LEFT), (box.y + box.h - look.ROW, -1, Input.RIGHT)):
        shapes.append(
            Rect(box.x, y, box.w, look.ROW, look.SURFACE, radius=look.RADIUS, target=turn)
        )
        tip = y + look.ROW / 2
        points = ((middle - 9, tip + 5 * up), (middle, tip - 6 * up), (middle + 9, tip + 5 * up))
        shapes.append(Line(points, look.SOFT, 4))
    y, h = box.y + look.ROW + look.GAP, box.h - 2 * (look.ROW + look.GAP)
    if h > 0:
        shapes.append(Rect(middle - 2, y, 4, h, look.SURFACE))
        shapes.append(Rect(middle - 2, y + h * before, 4, h * share, look.SOFT))
    return tuple(shapes)


def _line(box: Box, choice: Choice, selected: bool) -> Scene:
    can_be_done = choice.does is not None
    fill = look.RAISED if can_be_done else look.SURFACE
    ink = look.INK
    if selected and can_be_done:
        fill, ink = look.ACCENT, look.ON_ACCENT
    edge = look.ACCENT if selected else None
    shapes: list[Shape] = [
        Rect(box.x, box.y, box.w, box.h, fill, edge, 2, look.RADIUS, target=choice)
    ]
    left = box.x + 12
    if choice.team is not None:
        badge = look.GROUND
        shapes.append(Rect(box.x + 6, box.y + 6, 34, box.h - 12, badge, radius=look.RADIUS - 2))
        shapes += sign(AGENT[choice.team], box.x + 23, box.y + box.h / 2, 9)
        left = box.x + 50
    right = box.x + box.w - 12
    if choice.value:
        w = min(300.0, 0.38 * box.w)
        value_ink = ink if selected and can_be_done else look.SOFT
        shapes.append(Text(right - w, box.y, w, box.h, choice.value, look.BODY, value_ink, "right"))
        right -= w + 8
    shapes.append(Text(left, box.y + 2, right - left, box.h - 4, choice.label, look.BODY, ink))
    return tuple(shapes)


def number_tiles(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """Numbers, five in a row."""
    return tiles(box, choices, selected, columns=5)


def letter_tiles(box: Box, choices: Sequence[Choice], selected: int) -> Scene:
    """Letters, seven in a row, and a last row of the keys that are words."""
    keys = [at for at, choice in enumerate(choices) if choice.label in _WORD_KEYS]
    letters = [choice for choice in choices if choice.label not in _WORD_KEYS]
    rows = -(-len(letters) // 7) + 1
    pitch = (box.h + look.GAP) / rows
    above = Box(box.x, box.y, box.w, pitch * (rows - 1) - look.GAP)
    last = Box(box.x, box.y + pitch * (rows - 1), box.w, pitch - look.GAP)
    return tiles(above, letters, selected, columns=7) + tiles(
        last, [choices[at] for at in keys], selected - len(letters), columns=len(keys)
    )


_WORD_KEYS: Final = (SPACE_KEY, ERASE_KEY, DONE_KEY)


def tiles(box: Box, choices: Sequence[Choice], selected: int, columns: int) -> Scene:
    """Choices in rows of so many."""
    rows = -(-len(choices) // columns)
    across, down = (box.w + look.GAP) / columns, (box.h + look.GAP) / rows
    shapes: list[Shape] = []
    for place, choice in enumerate(choices):
        row, column = divmod(place, columns)
        x, y = round(box.x + column * across), round(box.y + row * down)
        w = round(box.x + (column + 1) * across) - x - look.GAP
        h = round(box.y + (row + 1) * down) - y - look.GAP
        on = place == selected
        fill, ink = (look.ACCENT, look.ON_ACCENT) if on else (look.RAISED, look.INK)
        shapes.append(Rect(x, y, w, h, fill, radius=look.RADIUS, target=choice))
        if choice.label == UNLIMITED:
            shapes += _without_end(x + w / 2, y + h / 2, ink)
        else:
            shapes.append(Text(x + 2, y, w - 4, h, choice.label, 24, ink, "centre"))
    return tuple(shapes)


def _without_end(x: float, y: float, ink: int) -> Scene:
    """The sign for infinity, which the type lacks."""
    return (Circle(x - 8, y, 9, line=ink, thick=3), Circle(x + 8, y, 9, line=ink, thick=3))
