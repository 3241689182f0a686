"""The scenes of the golden pictures, and the comparison of two pictures.

A picture is kept as a PNG of few colours, which everybody can look at. Today's picture need not be
the same to the pixel: other builds of SDL and FreeType smooth letters in their own way, and set
them further apart or closer together. So the mean colours of blocks are compared. The blocks are
wide and flat: letters that are some pixels to the side stay within them. Pictures of pygame 2.6.1
(SDL 2.28) and pygame-ce 2.5.0 (SDL 2.30) were 20 steps of 255 away from those of pygame-ce 2.5.8
(SDL 2.32) at most. A missing sign, word or thin bar, or a face of another colour, is farther away
than `MAX_STEPS`. A single letter or digit is not: the tests of the scenes check those.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pygame
from codex_table import CodexTable, come_in, desk
from msgspec.structs import replace
from PIL import Image
from playing import IN_SERVICE, KEY, WORDS, Desk, RulesTable, choose

from pi_table.devices.hal.contracts import Input
from pi_table.devices.wire.settings import PAD_COUNT, PADS
from pi_table.maintenance.bring_up import heatmap
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality
from pi_table.protocols.ipc.service import Colour, How, Lit, Pads
from pi_table.screens.console import style
from pi_table.screens.console.console_events import Typed
from pi_table.screens.console.painter import picture
from pi_table.simulator import headless

FOLDER: Final = Path(__file__).parent
WIDE: Final = 64
HIGH: Final = 8
"""Of a block, in pixels; blocks overlap by half."""
MAX_STEPS: Final = 30
"""Largest distance between the mean of a block and the golden one, in steps of any of its three
colours."""
COLOURS: Final = 128
"""Of a picture that is kept, at most."""


# What they show


def _console(at: Desk) -> pygame.Surface:
    return picture(at.scene, (style.WIDTH, style.HEIGHT))


def home() -> pygame.Surface:
    """Blue's turn to give a clue, some cells covered, a third of the clock gone."""
    table = RulesTable(timer="clock").begin().do("red-spymaster", "clue", word="flight", number=2)
    for cell in ("A1", "D1", "C1"):
        table.do("red-operatives", "guess", cell=cell)
    table.tick(40.0)
    return _console(Desk(table))


def games() -> pygame.Surface:
    """The games that can be chosen, the second of them selected."""
    return _console(choose(Desk(RulesTable().begin()), "New game…").happen(Input.RIGHT))


def clue_entry() -> pygame.Surface:
    """A word that is being typed."""
    return _console(Desk(RulesTable().begin()).happen(Input.PRESS, *map(Typed, "flig")))


def key() -> pygame.Surface:
    """The key, while somebody peeks, with some cells covered."""
    table = RulesTable().begin().do("red-spymaster", "clue", word="flight", number=3)
    for cell in ("A1", "D1", "B1"):
        table.do("red-operatives", "guess", cell=cell)
    return _console(Desk(table).happen(Input.PEEK))


def hands() -> pygame.Surface:
    """Blue chooses the card that it lays; three cards lie."""
    table = RulesTable(profile="deep-undercover", hands=True).begin()
    for team, cell in (("red", "B2"), ("blue", "D4"), ("red", "A5")):
        table.do(f"{team}-operatives", "place", cell=cell)
    return _console(Desk(table).happen(Input.RIGHT, Input.RIGHT))


def codex_public() -> pygame.Surface:
    """A game of Codex between two visits."""
    table = CodexTable()
    table.visits({"act": "send", "to": "agent-2", "facts": ["role"]})
    return _console(desk(table))


def codex_peek() -> pygame.Surface:
    """An agent reads who they are."""
    return _console(choose(come_in(desk(CodexTable())), "Who you are").happen(Input.PEEK))


def _tried(page: str, **told: object) -> pygame.Surface:
    """A page of service, of a table that tells this."""
    desk = choose(Desk(RulesTable()), "More…", "Operator…", "Service: try every part", page)
    desk.table.service = replace(IN_SERVICE, **told)  # type: ignore[arg-type]
    return _console(desk.hear())


def service_touch() -> pygame.Surface:
    """A finger on C3, a place that is deaf, one that is masked, one that is noisy."""
    loads: list[int | None] = [0] * PAD_COUNT
    loads[PADS.index("C3")], loads[PADS.index("C2")], loads[PADS.index("A5")] = 16, 5, None
    pads = Pads(
        deltas=tuple(loads),
        most=tuple(load or 0 for load in loads),
        thresholds=(7,) * PAD_COUNT,
        touched=frozenset({PADS.index("C3")}),
        deaf=frozenset({PADS.index("A5"), PADS.index("E2")}),
        noisy=frozenset({PADS.index("B4")}),
    )
    return _tried("Touch: what each place feels", pads=pads)


def service_lights() -> pygame.Surface:
    """One light of the strip is lit in green."""
    lit = Lit(How.ONE, 41, Colour.GREEN)
    return _tried("Lights, one by one", lit=lit, capped=False, current_ma=118)


_SCENARIO: Final = (
    '{{"game": {{"profile": "codenames", "key": "{key}", "words": [{words}]}}}}',
    '{{"at": 1, "act": {{"seat": "red-spymaster", "act": "clue", "word": "flight", "number": 3}}}}',
    '{{"at": 2, "touch": "A1"}}',
    '{{"at": 2.5, "release": "A1"}}',
    '{{"at": 4, "touch": "D1"}}',
    '{{"at": 4.5, "release": "D1"}}',
    '{{"at": 10, "touch": "C3"}}',
    '{{"at": 10.2, "picture": "table.png", "of": "table"}}',
    '{{"at": 10.3, "release": "C3"}}',
)


def simulator_table() -> pygame.Surface:
    """Two agents of red are found, and a third cell fills with light under a finger."""
    words = ", ".join(f'"{word}"' for word in WORDS)
    lines = [line.format(key=KEY, words=words) for line in _SCENARIO]
    with tempfile.TemporaryDirectory() as folder:
        headless.run(lines, Path(folder))
        return _plain(pygame.image.load(Path(folder) / "table.png"))


_HANDS: Final = (
    '{{"game": {{"profile": "deep-undercover", "key": "{key}", "hands": '
    '{{"red": [{red}], "blue": [{blue}]}}}}}}',
    '{{"at": 1, "console": "turn+1"}}',
    '{{"at": 2, "touch": "B2"}}',
    '{{"at": 2.5, "release": "B2"}}',
    '{{"at": 4, "console": "turn+1"}}',
    '{{"at": 12, "picture": "table.png", "of": "table"}}',
)


def simulator_hands() -> pygame.Surface:
    """Both hands beside the grid; Blue has chosen its second card."""
    words = [f'"{word.lower()}"' for word in WORDS]
    fields = {"key": KEY, "red": ", ".join(words[:13]), "blue": ", ".join(words[13:])}
    with tempfile.TemporaryDirectory() as folder:
        headless.run([line.format(**fields) for line in _HANDS], Path(folder))
        return _plain(pygame.image.load(Path(folder) / "table.png"))


def heat_map() -> pygame.Surface:
    """A calibration: more counts from pad to pad, one weak, one not tried."""
    found = {
        pad: Judgement(pad, Quality.FINE, 6.0 + pad, 2.0 + pad / 4) for pad in range(PAD_COUNT)
    }
    found[PADS.index("B3")] = Judgement(PADS.index("B3"), Quality.WEAK, 3.0, 1.5)
    del found[PADS.index("E5")]
    scene = heatmap.as_scene(found, "Calibration")
    return picture(scene, (heatmap.WIDTH, heatmap.HEIGHT))


PICTURES: Final[dict[str, Callable[[], pygame.Surface]]] = {
    "console-home": home,
    "console-games": games,
    "console-clue-entry": clue_entry,
    "console-key": key,
    "console-hands": hands,
    "codex-public": codex_public,
    "codex-peek": codex_peek,
    "service-touch": service_touch,
    "service-lights": service_lights,
    "simulator-table": simulator_table,
    "simulator-hands": simulator_hands,
    "heat-map": heat_map,
}


# How two are compared


class Difference(NamedTuple):
    """The distance of a block's means, and its place."""

    steps: int
    x: int
    y: int


def golden(name: str) -> pygame.Surface:
    return _plain(pygame.image.load(FOLDER / f"{name}.png"))


def _plain(surface: pygame.Surface) -> pygame.Surface:
    """The same with red, green and blue for each pixel; without a display nothing converts."""
    plain = pygame.Surface(surface.get_size(), 0, 24)
    plain.blit(surface, (0, 0))
    return plain


def furthest(one: pygame.Surface, other: pygame.Surface) -> Difference:
    """Where two pictures of one size differ most. Raises ValueError where the sizes differ."""
    if one.get_size() != other.get_size():
        raise ValueError(f"One is {one.get_size()}, the other {other.get_size()}.")
    return max(_differences(one, other))


def _differences(one: pygame.Surface, other: pygame.Surface) -> Iterator[Difference]:
    width, height = one.get_size()
    for y in range(0, height - HIGH + 1, HIGH // 2):
        for x in range(0, width - WIDE + 1, WIDE // 2):
            block = (x, y, WIDE, HIGH)
            means = (pygame.transform.average_color(each, block) for each in (one, other))
            steps = max(abs(a - b) for a, b in zip(*means, strict=True))
            yield Difference(steps, x, y)


# How they are written


def write(name: str, surface: pygame.Surface) -> Path:
    """Keep a picture as the golden one, in `COLOURS` colours at most."""
    data = pygame.image.tobytes(surface, "RGB")
    path = FOLDER / f"{name}.png"
    few = Image.frombytes("RGB", surface.get_size(), data).quantize(
        COLOURS, dither=Image.Dither.NONE
    )
    few.save(path, optimize=True)
    return path
