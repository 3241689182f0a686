"""A word game as everybody at the table sees it: its cards on lit cells."""

from collections.abc import Iterator

from msgspec import UNSET

from pi_table.console.shapes import Shape
from pi_table.console.word_games.grid import NUKE_CELL
from pi_table.geometry import CELL_COUNT, CELLS, leds_of
from pi_table.hal.contracts import LightFrame
from pi_table.rules.word_games.views import PublicView
from pi_table.simulator.cells import card_text, cell_with_card, cell_without_card


def cells(view: PublicView | None, lights: LightFrame) -> Iterator[Shape]:
    """The 25 cells, lit and with their cards: what lies on a real table, and no more."""
    for cell in range(CELL_COUNT):
        light = tuple(lights[led] for led in leds_of(cell))
        if view is None or _has_card(view, cell):
            yield from cell_with_card(cell, light)
        else:
            yield from cell_without_card(cell, light)
        word = None if view is None else view.cells[CELLS[cell]].word
        if word is not None:
            yield card_text(cell, word, 20, 0.5)


def _has_card(view: PublicView, cell: int) -> bool:
    if view.placed is not UNSET:
        return CELLS[cell] in view.placed
    return view.nuke is UNSET or cell != NUKE_CELL
