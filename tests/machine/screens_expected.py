"""Expected screens of the console, drawn here by its own painter."""

import sys
from functools import cache, partial
from pathlib import Path
from typing import Final

import pygame
from hidden_screen import seen, until_seen
from machine import TooLongError
from played import PlayedTable

from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import Phase
from pi_table.protocols.ipc.messages import Presence
from pi_table.screens.console import style
from pi_table.screens.console.painter import picture
from pi_table.screens.console.shapes import Rect, Scene

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
WOKEN_SECONDS: Final = 30.0
"""A press that came to nothing for so long has only woken the table."""


def _painted(desk: Desk) -> pygame.Surface:
    plain = pygame.Surface(SIZE, 0, 24)
    plain.blit(picture(desk.scene, SIZE), (0, 0))
    return plain


def _code(scene: Scene) -> pygame.Rect:
    """The place of the code on a screen. The code has the address of the machine."""
    (ground,) = (
        shape
        for shape in scene
        if isinstance(shape, Rect) and shape.fill == style.INK and shape.w == shape.h
    )
    return pygame.Rect(ground.x, ground.y, ground.w, ground.h).inflate(SPARE, SPARE)


@cache
def _before_any_press(presence: Presence) -> tuple[pygame.Surface, pygame.Rect]:
    """The screen while no game is in play, and the place of its code."""
    desk = Desk(RulesTable(words=False).serve())
    desk.table.presence = presence
    desk.hear()
    return _painted(desk), _code(desk.scene)


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


def _is_without_a_game(presence: Presence, seen: pygame.Surface) -> bool:
    if seen.get_size() != SIZE:
        return False
    expected, code = _before_any_press(presence)
    without_code = [each.copy() for each in (expected, seen)]
    for each in without_code:
        each.fill(0, code)
    return is_one_of((without_code[0],), without_code[1])


is_first_screen = partial(_is_without_a_game, Presence.PLAYING)
"""True if it is the first screen: no game is in play, and nobody has pressed anything."""
is_invitation = partial(_is_without_a_game, Presence.IDLE)
"""True if the table sleeps, and asks whether anybody would like to play."""


def until_first_screen(table: PlayedTable, seconds: float = 240.0) -> float:
    """Wait until the first screen is there; the seconds from power-on to the first picture.

    A table sleeps when nobody has used it for a minute. On a slow machine that minute is over
    before the console draws: then it is woken, by a press.
    """
    took = until_seen(table, lambda now: is_first_screen(now) or is_invitation(now), seconds)
    if is_invitation(seen(table.machine)):
        table.machine.press("ret")
        until_seen(table, is_first_screen, seconds)
    return took


def give_the_first_clue(table: PlayedTable, seconds: float = 240.0) -> None:
    """Begin a game at the hidden screen and give a clue, each press when its screen is seen there,
    until the screen after the clue is."""
    expected = to_the_first_clue()[1:]  # painting takes a while, and the table sleeps in a minute
    until_first_screen(table, seconds)
    for screens in expected:
        table.machine.press("ret")
        try:
            until_seen(table, partial(is_one_of, screens), WOKEN_SECONDS)
        except TooLongError:  # it had just fallen asleep: the press has only woken it
            table.machine.press("ret")
            until_seen(table, partial(is_one_of, screens), seconds)
    table.until(lambda: table.stands.phase == "guess")
