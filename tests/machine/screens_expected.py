"""Expected screens of the console, drawn here by its own painter."""

import sys
from functools import cache, partial
from pathlib import Path
from typing import Final

import pygame
from hidden_screen import until_seen
from played import PlayedTable

from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import Phase
from pi_table.screens.console import style
from pi_table.screens.console.painter import picture
from pi_table.screens.console.shapes import Rect

TESTS: Final = Path(__file__).parents[1]
sys.path += [str(TESTS / "console"), str(TESTS / "golden")]

from golden_pictures import MAX_STEPS, furthest  # noqa: E402
from playing import KEY, Desk, RulesTable  # noqa: E402

SIZE: Final = (800, 480)
"""Of the emulated display."""


SPARE: Final = 12
"""Pixels: the code of another address may be so much wider."""
PRESSES: Final = 10
"""More than lie between the first screen and a clue."""


def _painted(desk: Desk) -> pygame.Surface:
    plain = pygame.Surface(SIZE, 0, 24)
    plain.blit(picture(desk.scene, SIZE), (0, 0))
    return plain


@cache
def _code_for_phones() -> pygame.Rect:
    """The place of the code on the first screen. The code has the address of the machine."""
    scene = Desk(RulesTable(words=False).serve()).scene
    (ground,) = (
        shape
        for shape in scene
        if isinstance(shape, Rect) and shape.fill == style.INK and shape.w == shape.h
    )
    return pygame.Rect(ground.x, ground.y, ground.w, ground.h).inflate(SPARE, SPARE)


@cache
def to_the_first_clue() -> tuple[tuple[pygame.Surface, ...], ...]:
    """The screens from the first one to the one after a clue, each a press of Enter further: as
    they are where red starts, and as they are where blue does."""
    ways = []
    for key in (KEY, KEY.translate(str.maketrans("rb", "br"))):
        desk = Desk(RulesTable(words=False, key=key).serve())
        screens = [_painted(desk)]
        while (state := desk.table.state) is None or state.board.phase is not Phase.GUESS:
            assert len(screens) <= PRESSES
            screens.append(_painted(desk.happen(Input.PRESS)))
        ways.append(screens)
    return tuple(zip(*ways, strict=True))


def is_one_of(screens: tuple[pygame.Surface, ...], seen: pygame.Surface) -> bool:
    """True if it is one of these, apart from the smoothing of letters in another build of the
    libraries."""
    return seen.get_size() == SIZE and any(
        furthest(seen, one).steps <= MAX_STEPS for one in screens
    )


def is_first_screen(seen: pygame.Surface) -> bool:
    """True if it is the first screen: no game is in play, and nobody has pressed anything."""
    if seen.get_size() != SIZE:
        return False
    first = [each.copy() for each in (*to_the_first_clue()[0], seen)]
    for each in first:
        each.fill(0, _code_for_phones())
    return is_one_of(tuple(first[:-1]), first[-1])


def give_the_first_clue(table: PlayedTable, seconds: float = 240.0) -> None:
    """Begin a game at the hidden screen and give a clue, each press when its screen is seen there,
    until the screen after the clue is."""
    until_seen(table, is_first_screen, seconds)
    for screens in to_the_first_clue()[1:]:
        table.machine.press("ret")
        until_seen(table, partial(is_one_of, screens), seconds)
    table.until(lambda: table.stands.phase == "guess")
