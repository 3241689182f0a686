"""Every screen can be read and touched, on screens of several sizes: nothing cut off, nothing over
one another, type and targets as large as they should be."""

import itertools
from math import atan, degrees, hypot

import pygame
import pytest
from every_screen import LOOKS, all_drawn, box_of

from pi_table.console import style
from pi_table.console.layout import Box
from pi_table.console.look import Look
from pi_table.console.painter import measure, picture
from pi_table.console.shapes import Face, Text
from pi_table.console.text_setting import Setting, set_text

SEVEN_INCHES = ("800 × 480, 7 inches", "1024 × 600, 7 inches")
UNLIKELY = ("WWWWWWWWWWWW", "MMMMMMMMMMMM", "wwwwwwwwwwww", "ÀÀÀÀÀÀÀÀÀÀÀÀ")
"""A text with one of these in it may be smaller than others; nobody writes such a thing."""
# The tests of one look follow one another, so that few processes have to draw it.
every_look = pytest.mark.parametrize("name", LOOKS, scope="module")
on_seven_inches = pytest.mark.parametrize("name", SEVEN_INCHES, scope="module")


def texts(name: str) -> set[Text]:
    return all_drawn(name).texts


def as_set(text: Text) -> Setting:
    return set_text(text, measure)


def millimetres(look: Look, inches: float = 7.0) -> float:
    """The size of a pixel."""
    return inches * 25.4 / hypot(look.width, look.height)


def capitals(size: int, face: Face) -> int:
    """The height in pixels of a painted capital."""
    text = Text(0, 0, 200, 200, "H", size, 0xFFFFFF, "centre", size, face)
    painted = picture((text,), (200, 200))
    ink = pygame.mask.from_threshold(painted, (255, 255, 255), (128, 128, 128, 255))
    return ink.get_bounding_rects()[0].h


@every_look
def test_nothing_that_is_written_is_cut_off(name: str) -> None:
    assert len(texts(name)) > 2000
    assert [text.text for text in texts(name) if as_set(text).cut] == []


@on_seven_inches
def test_capitals_take_up_16_minutes_of_arc_from_60_centimetres(name: str) -> None:
    pixel = millimetres(LOOKS[name])
    used = {
        (setting.size, setting.face)
        for text in texts(name)
        if not any(each in str(text.text) for each in UNLIKELY)
        for setting in [as_set(text)]
    }
    for size, face in used:
        seen = 60 * degrees(atan(capitals(size, face) * pixel / style.FROM))
        assert seen >= 16, (size, face)


@on_seven_inches
def test_words_on_cells_take_up_20(name: str) -> None:
    look = LOOKS[name]
    words = {text for text in texts(name) if is_word_on_a_cell(text, look)}
    assert len(words) > 25
    for size, face in {(as_set(text).size, as_set(text).face) for text in words}:
        seen = 60 * degrees(atan(capitals(size, face) * millimetres(look) / style.FROM))
        assert seen >= 20, (size, face)


def is_word_on_a_cell(text: Text, look: Look) -> bool:
    cell = look.layout.cell(0)
    in_the_grid = text.x < look.layout.panel_x * look.scale
    return in_the_grid and text.face is Face.NARROW and abs(text.w - (cell.w - 6) * look.scale) < 1


@every_look
def test_texts_do_not_lie_over_one_another(name: str) -> None:
    for written in all_drawn(name).written:
        for one, other in itertools.combinations(written, 2):
            assert not overlap(box_of(one), box_of(other)), (one, other)


@every_look
def test_everything_lies_on_the_screen(name: str) -> None:
    look = LOOKS[name]
    for shape in all_drawn(name).boxes:
        assert shape.x >= 0
        assert shape.y >= 0
        assert shape.x + shape.w <= look.width
        assert shape.y + shape.h <= look.height


@pytest.mark.parametrize(
    ("name", "inches", "least"),
    [
        *((each, 7.0, 9.0) for each in SEVEN_INCHES),
        ("800 × 480, large type", 7.0, 8.1),
        ("480 × 320, 3.5 inches", 3.5, 4.4),
    ],
)
def test_what_can_be_tapped_is_as_large_as_a_fingertip(
    name: str, inches: float, least: float
) -> None:
    pixel = millimetres(LOOKS[name], inches)
    targets = {box for each in all_drawn(name).targets for box in each}
    assert min(min(box.w, box.h) for box in targets) * pixel >= least


@every_look
def test_what_can_be_tapped_is_apart(name: str) -> None:
    for targets in all_drawn(name).targets:
        for one, other in itertools.combinations(targets, 2):
            assert not overlap(one, other), (one, other)


def overlap(one: Box, other: Box) -> bool:
    """Do they share more than an edge, which may fall between two pixels?"""
    across = one.x + 0.5 < other.x + other.w and other.x + 0.5 < one.x + one.w
    return across and one.y + 0.5 < other.y + other.h and other.y + 0.5 < one.y + one.h
