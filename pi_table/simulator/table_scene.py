"""The table as its operatives see it: cards on lit cells, two pads, and a line that says what is
going on. It is drawn from the public view and the lights alone.
"""

from msgspec import UNSET

from pi_table.console.shapes import Rect, Scene, Shape, Text, in_language
from pi_table.console.symbols import COLOURS, sign
from pi_table.console.word_games.grid import NUKE_CELL, nuke_text
from pi_table.geometry import CELL_COUNT, CELLS, END_TURN, HOURGLASS
from pi_table.hal.contracts import LightFrame
from pi_table.ipc.messages import AnyView
from pi_table.language import Lang, Words, say
from pi_table.rules.codex.views import CodexView
from pi_table.rules.word_games.key import Identity
from pi_table.rules.word_games.views import NukeView, PublicView, known
from pi_table.simulator import codex_scene
from pi_table.simulator.glow import glow, mix
from pi_table.simulator.layout import (
    CARD,
    CELL_HEIGHT,
    CELL_WIDTH,
    EDGE,
    GAP,
    HEIGHT,
    INK,
    MARGIN,
    NIGHT,
    PAD_HEIGHT,
    PAD_Y,
    PALE,
    SOFT,
    WIDTH,
    WOOD,
    corner,
)
from pi_table.simulator.status import status


def table_scene(view: AnyView | None, lights: LightFrame, lang: Lang) -> Scene:
    """The whole table; the target of a cell or a pad is its place (0 … 26)."""
    match view:
        case None:
            said: Words = say("No game has begun: choose one on the hidden screen.")
        case PublicView():
            said = status(view)
        case CodexView():
            said = codex_scene.status(view)
    shapes: list[Shape] = [
        Rect(0, 0, WIDTH, HEIGHT, WOOD),
        Text(MARGIN, 14, WIDTH - 2 * MARGIN, 44, said, 24, PALE, "centre"),
    ]
    if isinstance(view, CodexView):
        shapes += codex_scene.cells(view, lights)
    else:
        for cell in range(CELL_COUNT):
            if view is not None and view.nuke is not UNSET and cell == NUKE_CELL:
                shapes += _nuke(view.nuke, lights[cell])
            else:
                shapes += _cell(cell, view, lights[cell])
    pads = (
        (END_TURN, say("end the turn"), MARGIN),
        (HOURGLASS, say("hourglass"), WIDTH // 2 + GAP // 2),
    )
    for place, name, x in pads:
        shapes += _pad(place, name, x, lights[place])
    return in_language(tuple(shapes), lang)


def _cell(cell: int, view: PublicView | None, light: int) -> list[Shape]:
    x, y = corner(cell)
    shining = glow(light)
    identity = None if view is None else known(view, cell)
    word = None if view is None else view.cells[CELLS[cell]].word
    shapes: list[Shape] = [Rect(x, y, CELL_WIDTH, CELL_HEIGHT, shining, radius=14, target=cell)]
    inside = (x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE)
    if view is not None and view.placed is not UNSET and CELLS[cell] not in view.placed:
        card, ink, name_ink = NIGHT, PALE, SOFT  # its card is still to be laid
    elif identity is None:
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


def _nuke(nuke: NukeView, light: int) -> list[Shape]:
    """The cell without a card, which shows how the nuke stands."""
    x, y = corner(NUKE_CELL)
    return [
        Rect(x, y, CELL_WIDTH, CELL_HEIGHT, glow(light), radius=14, target=NUKE_CELL),
        Rect(x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE, NIGHT, radius=8),
        *sign(Identity.NUKE, x + CELL_WIDTH / 2, y + 42, 20, PALE),
        Text(x + 12, y + 66, CELL_WIDTH - 24, 26, nuke_text(nuke), 17, PALE, "centre", 12),
    ]


def _pad(place: int, name: Words, x: int, light: int) -> list[Shape]:
    width = (WIDTH - 2 * MARGIN - GAP) // 2
    shining = mix(0x2A2018, glow(light), 0.9 if light else 0.0)
    return [
        Rect(x, PAD_Y, width, PAD_HEIGHT, shining, radius=16, target=place),
        Rect(x + 5, PAD_Y + 5, width - 10, PAD_HEIGHT - 10, NIGHT, radius=12),
        Text(x, PAD_Y, width, PAD_HEIGHT, name, 20, PALE if light else SOFT, "centre"),
    ]
