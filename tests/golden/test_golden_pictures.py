"""A few screens look as they did when somebody last looked at them."""

import pygame
import pytest
from golden_pictures import FOLDER, MAX_STEPS, PICTURES, Difference, furthest, golden, home, write

from pi_table.screens.console.painter import picture
from pi_table.screens.console.shapes import Rect

KILOBYTES = 40


@pytest.mark.parametrize("name", PICTURES)
def test_a_screen_looks_as_its_golden_picture(name: str, request: pytest.FixtureRequest) -> None:
    painted = PICTURES[name]()
    if request.config.getoption("new_pictures"):
        write(name, painted)
    off = furthest(painted, golden(name))
    assert off.steps <= MAX_STEPS, (
        f"{name} has changed most at ({off.x}, {off.y}). If that is meant, write it anew by "
        "`make pictures`, and look at it."
    )


def test_there_are_no_other_pictures_and_all_are_small() -> None:
    kept = [*FOLDER.glob("*.png")]
    assert {path.stem for path in kept} == {*PICTURES}
    assert all(path.stat().st_size < KILOBYTES * 1024 for path in kept)


def painted(*rects: Rect) -> pygame.Surface:
    return picture(rects, (256, 64))


PALE = 0xF2F2EE
GROUND, SIGN, FACE = Rect(0, 0, 256, 64, 0x202428), Rect(90, 20, 22, 22, PALE), (0, 0, 96, 40)
SEEN = [
    ("nothing", None, None, False),
    ("a sign that is gone", SIGN, None, True),
    ("a sign a few pixels to the side", SIGN, Rect(94, 20, 22, 22, PALE), False),
    ("a sign elsewhere", SIGN, Rect(90, 30, 22, 22, PALE), True),
    ("a thin bar that is gone", Rect(8, 21, 180, 3, PALE), None, True),
    ("a bar that has become shorter", Rect(8, 21, 180, 3, PALE), Rect(8, 21, 120, 3, PALE), True),
    ("a face of another colour", Rect(*FACE, 0x3A4048), Rect(*FACE, 0x7A1020), True),
    ("a rim of another grey", Rect(8, 8, 9, 1, PALE), Rect(8, 8, 9, 1, 0xB0B0B0), False),
]


@pytest.mark.parametrize(
    ("one", "other", "is_seen"), [row[1:] for row in SEEN], ids=[row[0] for row in SEEN]
)
def test_what_makes_a_difference(one: Rect | None, other: Rect | None, is_seen: bool) -> None:
    both = (painted(*filter(None, (GROUND, each))) for each in (one, other))
    assert (furthest(*both).steps > MAX_STEPS) is is_seen


def test_the_place_of_a_difference_is_told() -> None:
    found = furthest(painted(GROUND, Rect(96, 24, 64, 8, 0xFFFFFF)), painted(GROUND))
    assert found == Difference(255 - 0x20, 96, 24)


def test_pictures_of_two_sizes_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="the other"):
        furthest(home(), painted(GROUND))
