"""The table as its operatives see it, drawn only from the public view and the lights."""

from collections.abc import Iterable
from typing import Any, Protocol

from pi_table.common.geometry import END_TURN, HOURGLASS, leds_of
from pi_table.common.language import Lang, Words, say
from pi_table.devices.hal.contracts import LightFrame
from pi_table.games.announcer.status import status
from pi_table.games.rules.codex.views import CodexView
from pi_table.protocols.ipc.messages import AnyView
from pi_table.screens.console.shapes import Colour, Rect, Scene, Shape, Text, in_language
from pi_table.simulator import codex_scene, word_scene
from pi_table.simulator.glow import DIFFUSER, light_surface
from pi_table.simulator.layout import (
    GAP,
    HEIGHT,
    MARGIN,
    PAD_HEIGHT,
    PAD_Y,
    PALE,
    SAID,
    WIDTH,
    WOOD,
)


def table_scene(
    view: AnyView | None, lights: LightFrame, lang: Lang, caption: str = "", service: bool = False
) -> Scene:
    """Return the whole table, and a public screen above it with the state of the game, or of the
    table in ``service``, and the sentence ``caption``. The target of a cell or a pad is its place
    (0 … 26)."""
    scene = _scene_of(view)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, HEIGHT, WOOD),
        Text(MARGIN, 6, WIDTH - 2 * MARGIN, 34, status(view, service), 22, PALE, "centre"),
        Text(MARGIN, 40, WIDTH - 2 * MARGIN, 26, caption, 18, SAID, "centre"),
    ]
    shapes += scene.cells(view, lights)
    pads = (
        (END_TURN, say("end the turn"), MARGIN),
        (HOURGLASS, say("hourglass"), WIDTH // 2 + GAP // 2),
    )
    for place, name, x in pads:
        shapes += _pad(place, name, x, tuple(lights[led] for led in leds_of(place)))
    return in_language(tuple(shapes), lang)


class _SceneOfFamily(Protocol):
    def cells(self, view: Any, lights: LightFrame, /) -> Iterable[Shape]:
        """Return the 25 cells, lit and with their cards."""


def _scene_of(view: AnyView | None) -> _SceneOfFamily:
    return codex_scene if isinstance(view, CodexView) else word_scene


def _pad(place: int, name: Words, x: int, leds: tuple[Colour, ...]) -> list[Shape]:
    width = (WIDTH - 2 * MARGIN - GAP) // 2
    return [
        Rect(x, PAD_Y, width, PAD_HEIGHT, 0, target=place),
        light_surface((x, PAD_Y, width, PAD_HEIGHT), leds, DIFFUSER),
        Text(x, PAD_Y, width, PAD_HEIGHT, name, 20, PALE, "centre", group="pads"),
    ]
