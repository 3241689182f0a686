"""What should stand on the hidden screen: the console's own painter paints the same scene here."""

import sys
from functools import cache
from pathlib import Path
from typing import Final

import pygame

from pi_table.console.painter import picture

TESTS: Final = Path(__file__).parents[1]
sys.path += [str(TESTS / "console"), str(TESTS / "golden")]

from golden_pictures import MOST, furthest  # noqa: E402
from playing import Desk, RulesTable  # noqa: E402

SIZE: Final = (800, 480)
"""Of the emulated display."""


@cache
def first_screen() -> pygame.Surface:
    """Nothing is played, and nobody has pressed anything."""
    painted = picture(Desk(RulesTable()).scene, SIZE)
    plain = pygame.Surface(SIZE, 0, 24)
    plain.blit(painted, (0, 0))
    return plain


def is_first_screen(seen: pygame.Surface) -> bool:
    """Is it that, but for how another build of the libraries smooths letters?"""
    return seen.get_size() == SIZE and furthest(seen, first_screen()).steps <= MOST
