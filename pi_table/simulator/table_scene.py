"""The table as its operatives see it: cards on lit cells, two pads, and a line that says what is
going on. It is drawn from the public view and the lights alone.
"""

from typing import Final

from pi_table.console.shapes import Rect, Scene, Shape, Text
from pi_table.console.signs import COLOURS, sign
from pi_table.geometry import CELL_COUNT, CELLS, END_TURN, HOURGLASS, SIDE
from pi_table.hal.contracts import LightFrame
from pi_table.rules.views import PublicView, known
from pi_table.simulator.glow import glow, mix
from pi_table.simulator.status import status

WIDTH: Final = 640
HEIGHT: Final = 720

WOOD: Final = 0x17110C
CARD: Final = 0xE9DFC8
NIGHT: Final = 0x2A241D
INK: Final = 0x15120E
PALE: Final = 0xF4EEE0
SOFT: Final = 0x9A8F7E

MARGIN: Final = 20
TOP: Final = 70
GAP: Final = 8
CELL_WIDTH: Final = 114
CELL_HEIGHT: Final = 104
EDGE: Final = 8
PAD_HEIGHT: Final = 60
PAD_Y: Final = TOP + SIDE * (CELL_HEIGHT + GAP) + 6


def table_scene(view: PublicView | None, lights: LightFrame) -> Scene:
    """The whole table; the target of a cell or a pad is its place (0 … 26)."""
    shapes: list[Shape] = [Rect(0, 0, WIDTH, HEIGHT, WOOD)]
    said = "No game has begun: choose one on the hidden screen." if view is None else status(view)
    shapes.append(Text(MARGIN, 14, WIDTH - 2 * MARGIN, 44, said, 24, PALE, "centre"))
    for cell in range(CELL_COUNT):
        shapes += _cell(cell, view, lights[cell])
    pads = ((END_TURN, "end the turn", MARGIN), (HOURGLASS, "hourglass", WIDTH // 2 + GAP // 2))
    for place, name, x in pads:
        shapes += _pad(place, name, x, lights[place])
    return tuple(shapes)


def middle(place: int) -> tuple[int, int]:
    """The middle of a cell or a pad in the scene, in pixels."""
    if place < CELL_COUNT:
        x, y = _corner(place)
        return x + CELL_WIDTH // 2, y + CELL_HEIGHT // 2
    return (WIDTH // 4 if place == END_TURN else 3 * WIDTH // 4), PAD_Y + PAD_HEIGHT // 2


def _corner(cell: int) -> tuple[int, int]:
    row, column = divmod(cell, SIDE)
    return MARGIN + column * (CELL_WIDTH + GAP) - 2, TOP + row * (CELL_HEIGHT + GAP)


def _cell(cell: int, view: PublicView | None, light: int) -> list[Shape]:
    x, y = _corner(cell)
    shining = glow(light)
    identity = None if view is None else known(view, cell)
    word = None if view is None else view.cells[CELLS[cell]].word
    shapes: list[Shape] = [Rect(x, y, CELL_WIDTH, CELL_HEIGHT, shining, radius=14, target=cell)]
    inside = (x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE)
    if identity is None:
        card = mix(mix(NIGHT, CARD, 0.5), shining, 0.25)
        ink, name_ink = INK, mix(card, INK, 0.6)
    else:
        card = mix(COLOURS[identity].deep, shining, 0.15)
        ink = name_ink = PALE
    shapes.append(Rect(*inside, card, radius=8))
    shapes.append(Text(x + 14, y + 10, 40, 16, CELLS[cell], 14, name_ink, least=14))
    if identity is not None:
        shapes += sign(identity, x + CELL_WIDTH / 2, y + 36, 15)
    if word is not None:
        top = y + 34 if identity is None else y + 58
        shapes.append(
            Text(x + EDGE + 3, top, CELL_WIDTH - 2 * EDGE - 6, 34, word, 20, ink, "centre", 12)
        )
    return shapes


def _pad(place: int, name: str, x: int, light: int) -> list[Shape]:
    width = (WIDTH - 2 * MARGIN - GAP) // 2
    shining = mix(0x2A2018, glow(light), 0.9 if light else 0.0)
    return [
        Rect(x, PAD_Y, width, PAD_HEIGHT, shining, radius=16, target=place),
        Rect(x + 5, PAD_Y + 5, width - 10, PAD_HEIGHT - 10, NIGHT, radius=12),
        Text(x, PAD_Y, width, PAD_HEIGHT, name, 20, PALE if light else SOFT, "centre"),
    ]
