"""Draws the public view of a word game: cards on lit cells, and the cards that the teams hold
openly."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.games.rules.word_games.views import PublicView
from pi_table.screens.console import style
from pi_table.screens.console.shapes import Face, Rect, Shape, Text
from pi_table.screens.console.symbols import COLOURS, sign
from pi_table.screens.console.word_games.grid import NUKE_CELL
from pi_table.simulator.cells import card_text, cell_with_card, empty_cell
from pi_table.simulator.glow import LitTable
from pi_table.simulator.layout import (
    BETWEEN_HANDS,
    HAND_CARD_HEIGHT,
    HAND_WIDTH,
    HANDS_X,
    INK,
    TOP,
    WHOLE,
    Grid,
)

_HELD: Final = 0xDAD4C8
"""Colour of the cards that the team on turn holds."""
_WAITS: Final = 0xA8A195
_COLUMN: Final = 13
"""Maximum number of cards in a column of a hand."""


def grid_of(view: PublicView | None) -> Grid:
    return WHOLE if view is None or view.hands is UNSET else BETWEEN_HANDS


def cells(view: PublicView | None, lit: LitTable) -> Iterator[Shape]:
    """Yield the drawing of the 25 cells, with their lights and cards."""
    grid = grid_of(view)
    for cell in range(CELL_COUNT):
        light = lit.lights_of(cell)
        if view is None or not _has_card(view, cell):
            yield from empty_cell(cell, light, grid)
            continue
        yield from cell_with_card(cell, light, grid)
        word = view.cells[CELLS[cell]].word
        if word is not None:
            yield card_text(cell, word, 24, 0.5, grid)
    if view is not None and view.hands is not UNSET:
        yield from _hands(view)


def _has_card(view: PublicView, cell: int) -> bool:
    if view.placed is not UNSET:
        return CELLS[cell] in view.placed
    return view.nuke is UNSET or cell != NUKE_CELL


def _hands(view: PublicView) -> Iterator[Shape]:
    """Yield red's hand of cards at the left and blue's at the right. If only one team has cards,
    its hand may use both sides."""
    if view.hands is UNSET:
        return
    for x, other_x, team in ((*HANDS_X, Team.RED), (*HANDS_X[::-1], Team.BLUE)):
        words, others = view.hands.of(team), view.hands.of(team.other)
        yield from _column(view, team, words[:_COLUMN], x)
        if len(words) > _COLUMN and not others:
            yield from _column(view, team, words[_COLUMN:], other_x)


def _column(view: PublicView, team: Team, words: tuple[str, ...], x: int) -> Iterator[Shape]:
    colours, is_on_turn = COLOURS[AGENT_OF[team]], team is view.turn
    pitch = HAND_CARD_HEIGHT + 6
    for place, word in enumerate(words):
        y = TOP + place * pitch
        is_chosen = is_on_turn and word == view.next_word
        fill = _HELD if is_on_turn else _WAITS
        edge = style.ACCENT if is_chosen else colours.bright
        if is_chosen:
            fill = style.ACCENT
        yield Rect(x, y, HAND_WIDTH, HAND_CARD_HEIGHT, fill, edge, 2, 5)
        yield from sign(AGENT_OF[team], x + 11, y + HAND_CARD_HEIGHT / 2, 5, colours.deep)
        at = (x + 19, y, HAND_WIDTH - 22, HAND_CARD_HEIGHT)
        yield Text(*at, word, 19, INK, "centre", 11, Face.NARROW, "hands", last=9)
