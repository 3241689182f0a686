"""Games as tiles: an emblem, the title, the number of players, the duration in minutes, and a
sentence about the game."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin
from typing import Final, NamedTuple

from pi_table.common.language import Words
from pi_table.games.lines.offers import OFFERS
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.word_games.key import Identity
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import scroll_bar, touch_area
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.screen import Choice
from pi_table.screens.console.shapes import Circle, Face, Line, Rect, Scene, Shape, Text
from pi_table.screens.console.symbols import sign

_COLUMNS: Final = 2
_TITLE: Final = 30
_TITLE_SIZE: Final = 25
_LINE: Final = 23
_EMBLEM: Final = _TITLE + _LINE
_INSET: Final = 12
_SPACE: Final = 4
"""Units: the minimum space above, between and below the parts of a tile."""
_ALONE: Final = _EMBLEM + _LINE + 3 * _SPACE
"""The minimum height, in units, of a tile that is as wide as the screen and has one line of text.
"""
_PAIR: Final = _ALONE + _LINE
"""Units: the minimum height of each of two tiles in a row, with a sentence of two lines."""
_WIDE: Final = 360
"""Units: the minimum width of a tile whose words are in the plain typeface."""
Emblem = Callable[[float, float, float], Scene]
"""A function of x, y and r that draws an emblem in a square around (x, y), with sides of 2 r."""

_RED, _BLUE = Identity.RED, Identity.BLUE


class GameTile(NamedTuple):
    choice: Choice
    sentence: Words
    emblem: Emblem


def games_as_tiles(choices: Sequence[Choice]) -> list[GameTile]:
    return [
        GameTile(choice, OFFERS[profile].sentence, EMBLEMS[profile])
        for profile, choice in zip(PROFILES, choices, strict=True)
    ]


def room_for_tiles(layout: Layout, count: int) -> tuple[Box, bool]:
    """Return the box for ``count`` tiles, and True if a title has room above them. On a small
    screen the title is left out."""
    titled = layout.page.h >= _least(count)
    return layout.page if titled else layout.whole_page, titled


def _least(count: int) -> int:
    pairs, alone = divmod(count, _COLUMNS)
    return pairs * (_PAIR + style.GAP) + alone * (_ALONE + style.GAP) - style.GAP


def game_tiles(box: Box, games: Sequence[GameTile], selected: int) -> Scene:
    """Draw the games as tiles, two in a row, in the order in which the encoder selects them.

    If the number of games is odd, the first game has its own row. If not all rows fit, draw the
    rows around the selected game, and a scroll bar.
    """
    spare = box.h - _least(len(games))
    if spare < 0:
        return _some_rows(box, games, selected)
    pairs, alone = divmod(len(games), _COLUMNS)
    more = spare / (pairs + alone)
    if not alone:
        return _pairs(box, _PAIR + more, games, selected)
    first = Box(box.x, box.y, box.w, _ALONE + more)
    others = box.below(first.h + style.GAP)
    shapes = _tile(first, games[0], selected == 0, 1, _is_narrow(others))
    return shapes + _pairs(others, _PAIR + more, games[1:], selected - 1)


def _some_rows(box: Box, games: Sequence[GameTile], selected: int) -> Scene:
    rows = -(-len(games) // _COLUMNS)
    room = int((box.h + style.GAP) / (_PAIR + style.GAP))
    first = max(0, min(selected // _COLUMNS - room // 2, rows - room))
    skipped = first * _COLUMNS
    drawn = games[skipped : skipped + room * _COLUMNS]
    left = Box(box.x, box.y, box.w - style.ROW - style.GAP, box.h)
    side = Box(box.x + box.w - style.ROW, box.y, style.ROW, box.h)
    h = (box.h + style.GAP) / room - style.GAP
    shapes = _pairs(left, h, drawn, selected - skipped)
    return shapes + scroll_bar(side, first / rows, room / rows)


def _pairs(box: Box, h: float, games: Sequence[GameTile], selected: int) -> Scene:
    w = _half(box)
    shapes: list[Shape] = []
    for place, game in enumerate(games):
        row, column = divmod(place, _COLUMNS)
        at = Box(box.x + column * (w + style.GAP), box.y + row * (h + style.GAP), w, h)
        shapes += _tile(at, game, place == selected, 2, _is_narrow(box))
    return tuple(shapes)


def _half(box: Box) -> float:
    return (box.w - style.GAP) / _COLUMNS


def _is_narrow(box: Box) -> bool:
    """True if the tiles are so narrow that all of them use the narrow typeface."""
    return _half(box) < _WIDE


def _tile(box: Box, game: GameTile, selected: bool, lines: int, narrow: bool) -> Scene:
    fill, ink, soft = style.RAISED, style.INK, style.SOFT
    if selected:
        fill, ink, soft = style.ACCENT, style.ON_ACCENT, style.ON_ACCENT
    sentence_h = lines * _LINE
    space = min(3 * _SPACE, (box.h - _EMBLEM - sentence_h) / 3)
    inset = _INSET if not narrow else _INSET - _SPACE
    x, w = box.x + inset, box.w - 2 * inset
    y = box.y + (box.h - _EMBLEM - space - sentence_h) / 2
    beside, rest = x + _EMBLEM + inset, w - _EMBLEM - inset
    words, bold = (Face.NARROW, Face.NARROW) if narrow else (Face.PLAIN, Face.BOLD)
    label, value, sentence = game.choice.label, game.choice.value, game.sentence
    below = y + _EMBLEM + space
    return (
        Rect(*box, fill, radius=style.RADIUS),
        touch_area(box, game.choice),
        Rect(x, y, _EMBLEM, _EMBLEM, style.GROUND, radius=style.RADIUS),
        *game.emblem(x + _EMBLEM / 2, y + _EMBLEM / 2, _EMBLEM / 2),
        Text(beside, y - 2, rest, _TITLE, label, _TITLE_SIZE, ink, face=bold, group="title"),
        Text(beside, y + _TITLE, rest, _LINE, value, style.SMALL, soft, face=words, group="value"),
        Text(x, below, w, sentence_h, sentence, style.SMALL, ink, face=words, group="tile"),
    )


def _two_teams(x: float, y: float, r: float) -> Scene:
    return sign(_RED, x - 0.4 * r, y, 0.36 * r) + sign(_BLUE, x + 0.42 * r, y, 0.42 * r)


def _zero(x: float, y: float, r: float) -> Scene:
    """Draw a zero, the emblem of a game that usually allows clues with the number zero."""
    around = [2 * pi * step / 24 for step in range(25)]
    oval = tuple((x + 0.36 * r * cos(turn), y + 0.56 * r * sin(turn)) for turn in around)
    return (Line(oval, style.SAND, 0.2 * r),)


def _moon(x: float, y: float, r: float) -> Scene:
    return (
        Circle(x - 0.06 * r, y, 0.62 * r, style.SAND),
        Circle(x + 0.26 * r, y - 0.16 * r, 0.54 * r, style.GROUND),
    )


def _nuke(x: float, y: float, r: float) -> Scene:
    return sign(Identity.NUKE, x, y + 0.08 * r, 0.6 * r)


def _six_agents(x: float, y: float, r: float) -> Scene:
    seats = [pi / 3 * seat for seat in range(6)]
    table = (Circle(x, y, 0.3 * r, line=style.EDGE, thick=2),)
    return table + tuple(
        Circle(x + 0.64 * r * cos(turn), y + 0.64 * r * sin(turn), 0.17 * r, style.INK)
        for turn in seats
    )


EMBLEMS: Final[Mapping[str, Emblem]] = {
    "codenames": _two_teams,
    "nome-in-codice": _zero,
    "deep-undercover": _moon,
    "alias-24": _nuke,
    "codex": _six_agents,
}
