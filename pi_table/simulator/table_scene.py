"""The table as its operatives see it: cards on lit cells, two pads, and a line that says what is
going on. It is drawn from the public view and the lights alone.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from pi_table.console.shapes import Rect, Scene, Shape, Text, in_language
from pi_table.geometry import END_TURN, HOURGLASS
from pi_table.hal.contracts import LightFrame
from pi_table.hal.simulated import of_places
from pi_table.ipc.messages import AnyView
from pi_table.language import Lang, Words, say
from pi_table.rules.codex.views import CodexView
from pi_table.simulator import codex_scene, word_scene
from pi_table.simulator.glow import mix
from pi_table.simulator.layout import (
    GAP,
    HEIGHT,
    MARGIN,
    NIGHT,
    PAD_HEIGHT,
    PAD_Y,
    PALE,
    SOFT,
    WIDTH,
    WOOD,
)


def table_scene(view: AnyView | None, lights: LightFrame, lang: Lang) -> Scene:
    """The whole table; the target of a cell or a pad is its place (0 … 26)."""
    scene, of_place = _scene_of(view), of_places(lights)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, HEIGHT, WOOD),
        Text(MARGIN, 14, WIDTH - 2 * MARGIN, 44, scene.status(view), 24, PALE, "centre"),
    ]
    shapes += scene.cells(view, of_place)
    pads = (
        (END_TURN, say("end the turn"), MARGIN),
        (HOURGLASS, say("hourglass"), WIDTH // 2 + GAP // 2),
    )
    for place, name, x in pads:
        shapes += _pad(place, name, x, of_place[place])
    return in_language(tuple(shapes), lang)


class _SceneOfFamily(Protocol):
    """How the games of one family look: a module that has these functions."""

    def status(self, view: Any, /) -> Words:
        """What the table would say if it could speak."""

    def cells(self, view: Any, lights: Sequence[int], /) -> Iterable[Shape]:
        """The 25 cells, lit and with what lies on them; ``lights`` has a colour for each place."""


def _scene_of(view: AnyView | None) -> _SceneOfFamily:
    """The family of the game that is played; a table before its first game looks like the word
    games'."""
    return codex_scene if isinstance(view, CodexView) else word_scene


def _pad(place: int, name: Words, x: int, light: int) -> list[Shape]:
    width = (WIDTH - 2 * MARGIN - GAP) // 2
    shining = mix(0x2A2018, light, 0.9 if light else 0.0)
    return [
        Rect(x, PAD_Y, width, PAD_HEIGHT, shining, radius=16, target=place),
        Rect(x + 5, PAD_Y + 5, width - 10, PAD_HEIGHT - 10, NIGHT, radius=12),
        Text(x, PAD_Y, width, PAD_HEIGHT, name, 20, PALE if light else SOFT, "centre"),
    ]
