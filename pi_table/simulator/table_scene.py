"""Draws the table as its operatives see it. It uses only the public view and the lights."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Protocol

from pi_table.common.geometry import END_TURN, HOURGLASS
from pi_table.common.language import Lang
from pi_table.common.light_layout import LightLayout, preset
from pi_table.devices.hal.contracts import LightFrame
from pi_table.games.announcer.status import status
from pi_table.games.rules.codex.views import CodexView
from pi_table.protocols.ipc.messages import AnyView
from pi_table.screens.console.shapes import Rect, Scene, Shape, Text, in_language
from pi_table.simulator import codex_scene, word_scene
from pi_table.simulator.box import box, still, wood
from pi_table.simulator.cells import lit_place
from pi_table.simulator.engraving import marks
from pi_table.simulator.glow import LitTable
from pi_table.simulator.layout import PALE, SAID, WIDTH, Grid

TILES: Final = preset("tiles")


def table_scene(
    view: AnyView | None,
    lights: LightFrame,
    lang: Lang,
    caption: str = "",
    service: bool = False,
    layout: LightLayout = TILES,
) -> Scene:
    """Return the drawing of the whole table, with a public screen above it.

    The first line on the screen is the state of the game, or says that the table is in ``service``
    mode. The second line is the sentence ``caption``. The mouse target of a cell or pad is the
    number of its place (0 … 26). ``lights`` has the colours that people see on a string
    with this ``layout``.
    """
    scene = _scene_of(view)
    grid = scene.grid_of(view)
    lit = LitTable(lights, layout)
    shapes: list[Shape] = [
        _unlit(grid),
        Text(20, 3, WIDTH - 40, 30, status(view, service), 22, PALE, "centre"),
        Text(20, 31, WIDTH - 40, 23, caption, 18, SAID, "centre"),
    ]
    for pad in (END_TURN, HOURGLASS):
        shapes += lit_place(pad, lit.lights_of(pad), grid)
    shapes += scene.cells(view, lit)
    return in_language((*shapes, *marks(grid)), lang)


@cache
def _unlit(grid: Grid) -> Shape:
    """Return the drawing of the box on a wooden table, with an empty public screen."""
    screen = Rect(10, 2, WIDTH - 20, 54, 0x0B0C0E, 0x2B2823, 1, 6)
    return still((*wood(0, WIDTH, 4), screen, *box(grid)), 0, WIDTH)


class _SceneOfFamily(Protocol):
    def grid_of(self, view: Any, /) -> Grid:
        """Return the grid of the cells in this view."""

    def cells(self, view: Any, lit: LitTable, /) -> Iterable[Shape]:
        """Return the drawing of the 25 cells, with their lights and cards."""


def _scene_of(view: AnyView | None) -> _SceneOfFamily:
    return codex_scene if isinstance(view, CodexView) else word_scene
