"""Every screen can be read and touched, on screens of several sizes: nothing cut off, nothing over
one another, type and targets as large as they should be. What is written and drawn stands out from
what is behind it, as measured from painted pixels, with each palette and with high contrast."""

import functools
import itertools
from collections.abc import Collection
from functools import partial
from math import atan, degrees, hypot
from typing import Any

import pygame
import pytest
from every_screen import LOOKS, ROOMIEST, all_drawn, box_of, distinct_screens, look, scenes
from msgspec.structs import replace
from shipped_packs import shipped_pack

from pi_table.common.house_settings import House
from pi_table.common.palettes import Palette
from pi_table.games.words.pack import shipped_names
from pi_table.lab.seeing.srgb import contrast
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box
from pi_table.screens.console.look import Look, convert_scene
from pi_table.screens.console.model import Model
from pi_table.screens.console.painter import measure, picture
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Circle, Face, Line, Polygon, Rect, Scene, Shape, Text
from pi_table.screens.console.text_setting import MIN_WIDTH_SHARE, Setting, set_group

SEVEN_INCHES = ("800 × 480, 7 inches", "1024 × 600, 7 inches")
UNLIKELY = (
    *("WWWWWWWWWWWW", "MMMMMMMMMMMM", "wwwwwwwwwwww", "ÀÀÀÀÀÀÀÀÀÀÀÀ"),
    *("CHRYSANTHEMUM", "WATERMELONWOM", "INCOMPREHENSIBILITIES"),
)
"""A text with one of these in it may be smaller than others; nobody writes such a thing."""
LARGE = "800 × 480, large type"
LEAST_AND_USUAL = ("480 × 320, 3.5 inches", "800 × 480, 7 inches")


def looks(*names: str, quick: Collection[str] = LEAST_AND_USUAL) -> list[Any]:
    """A test's parameters: these looks, of which `make test` draws the ``quick`` ones."""
    return [
        pytest.param(name, marks=() if name in quick else pytest.mark.mutation) for name in names
    ]


# The tests of one look follow one another, so that few processes have to draw it.
every_look = pytest.mark.parametrize("name", looks(*LOOKS), scope="module")
on_seven_inches = pytest.mark.parametrize("name", looks(*SEVEN_INCHES), scope="module")


def texts(name: str) -> set[Text]:
    return all_drawn(name).texts


@functools.cache
def groups(name: str) -> list[list[tuple[Text, Setting]]]:
    """Every group of texts on the screens of a look, as it is set."""
    drawn = all_drawn(name).groups
    return [list(zip(each, set_group(each, measure), strict=True)) for each in drawn]


def as_set(name: str) -> list[tuple[Text, Setting]]:
    return [each for group in groups(name) for each in group]


def is_unlikely(text: Text) -> bool:
    return any(each in str(text.text) for each in UNLIKELY)


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
    cut = [text for text, setting in as_set(name) if setting.cut]
    # In large type two of the widest words that fit into a message do not fit into one sentence.
    assert [text.text for text in cut if name != LARGE or not is_unlikely(text)] == []


@every_look
def test_no_word_is_broken_and_no_line_is_squeezed_far(name: str) -> None:
    for text, setting in as_set(name):
        if not is_unlikely(text):
            assert " ".join(setting.lines).split() == str(text.text).split()
        assert setting.squeezed >= MIN_WIDTH_SHARE, text.text


@on_seven_inches
def test_all_texts_of_a_group_have_one_face_and_one_size(name: str) -> None:
    assert sum(len(group) > 1 for group in groups(name)) > 100
    for group in groups(name):
        styles = {(each.size, each.face) for text, each in group if not is_unlikely(text)}
        assert len(styles) <= 1, group


@pytest.mark.parametrize("pack", shipped_names())
def test_words_of_a_pack_fit_on_cells(pack: str) -> None:
    """A word of 11 letters or more may be smaller than the other words; none is broken."""
    place = next(text for text in texts(ROOMIEST) if text.group == "words")
    for word in shipped_pack(pack).words:
        (setting,) = set_group((replace(place, text=word.upper()),), measure)
        assert " ".join(setting.lines) == word.upper()
        assert setting.size >= (style.MIN_TYPE_SIZE if len(word) < 11 else 17), word


@on_seven_inches
def test_capitals_take_up_16_minutes_of_arc_from_60_centimetres(name: str) -> None:
    pixel = millimetres(LOOKS[name])
    used = {(setting.size, setting.face) for text, setting in as_set(name) if not is_unlikely(text)}
    for size, face in used:
        seen = 60 * degrees(atan(capitals(size, face) * pixel / style.FROM))
        assert seen >= 16, (size, face)


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
        ("480 × 320, 3.5 inches", 3.5, 4.4),
        ("800 × 480, 7 inches", 7.0, 9.0),
        pytest.param("1024 × 600, 7 inches", 7.0, 9.0, marks=pytest.mark.mutation),
        pytest.param("800 × 480, large type", 7.0, 8.1, marks=pytest.mark.mutation),
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


@every_look
def test_choices_do_not_move_when_a_sentence_appears(name: str) -> None:
    for model, now in one_of_each_arrangement():
        model = replace(model, layout=LOOKS[name].layout, caption=None)
        quiet, told = (targets(replace(model, notice=each), now) for each in (None, "Not now."))
        assert quiet == told, model.screens


@functools.cache
def one_of_each_arrangement() -> list[tuple[Model, float]]:
    """One screen for each way in which texts and areas lie, of all that differ in words or colours
    alone."""
    found: dict[tuple[Box, ...], tuple[Model, float]] = {}
    for drawn, screen in distinct_screens().items():
        arrangement = tuple(box_of(each) for each in drawn if isinstance(each, Rect | Text))
        found.setdefault(arrangement, screen)
    return [*found.values()]


def targets(model: Model, now: float) -> list[tuple[Box, object]]:
    rects = (shape for shape in scene(model, now) if isinstance(shape, Rect))
    return [(box_of(rect), rect.target) for rect in rects if rect.target is not None]


def overlap(one: Box, other: Box) -> bool:
    """True if they share more than an edge, which may fall between two pixels."""
    across = one.x + 0.5 < other.x + other.w and other.x + 0.5 < one.x + one.w
    return across and one.y + 0.5 < other.y + other.h and other.y + 0.5 < one.y + one.h


# Contrast

TEXT, SYMBOL = 4.5, 3.0
HIGHEST = "high contrast, red-green"
PLACES = 4
PALETTES = {
    **{str(palette): look(House(palette=palette)) for palette in Palette},
    "high contrast": look(House(high_contrast=True)),
    HIGHEST: look(House(high_contrast=True, palette=Palette.RED_GREEN)),
}


@pytest.mark.parametrize("name", looks(*PALETTES, quick=("standard", HIGHEST)))
def test_texts_and_symbols_stand_out(name: str) -> None:
    texts, symbols = measured(PALETTES[name])
    assert len(texts) > 12
    assert len(symbols) > 12
    assert {pair: found for pair, found in texts.items() if found < TEXT} == {}
    assert {pair: found for pair, found in symbols.items() if found < SYMBOL} == {}


Pair = tuple[int, int, str]
"""A colour, what it stands on, and the type of its shape."""


@functools.cache
def representatives() -> dict[Pair, list[tuple[Scene, Shape]]]:
    """For each colour on each ground, a few places where it is: at one, something else may lie over
    it."""
    found: dict[Pair, list[tuple[Scene, Shape]]] = {}
    roomiest = LOOKS[ROOMIEST]
    for each in (convert_scene(each, roomiest) for each in scenes(roomiest)):
        for place, shape in enumerate(each):
            if isinstance(shape, Text | Circle | Polygon | Line) and drawn_at(shape):
                pair = (ink(shape), ground(each[:place], shape), type(shape).__name__)
                places = found.setdefault(pair, [])
                if len(places) < PLACES and all(shape != other for _, other in places):
                    places.append((each, shape))
    return found


def measured(drawn: Look) -> tuple[dict[Pair, float], dict[Pair, float]]:
    """The contrast of texts and of symbols, by their colour and what they stand on."""
    texts: dict[Pair, float] = {}
    symbols: dict[Pair, float] = {}
    for pair, places in representatives().items():
        own, behind = (drawn.colours.get(each, each) for each in pair[:2])
        for each, shape in places:
            assert isinstance(shape, Text | Circle | Polygon | Line)
            painted = picture(convert_scene(each, drawn), (drawn.width, drawn.height))
            found = seen(painted, shape, own, behind)
            of_kind = texts if isinstance(shape, Text) else symbols
            of_kind[pair] = max(found, of_kind.get(pair, 0.0))
    return texts, symbols


def drawn_at(shape: Text | Circle | Polygon | Line) -> bool:
    """True if something is visible. A shape in the ground's colour is a gap in something else."""
    return bool(shape.text) if isinstance(shape, Text) else ink(shape) != style.GROUND


def seen(
    painted: pygame.Surface, shape: Text | Circle | Polygon | Line, own: int, behind: int
) -> float:
    """The contrast between the two colours in and around a shape that were painted nearest to its
    ``own`` and to what is ``behind`` it."""
    box = around(shape).inflate(8, 8) if not isinstance(shape, Text) else around(shape)
    box = box.clip(painted.get_rect())
    pixels = pygame.image.tobytes(painted.subsurface(box), "RGB")
    colours = {pixels[at : at + 3] for at in range(0, len(pixels), 3)}
    found = [int.from_bytes(each) for each in colours]
    nearest = (min(found, key=partial(apart, to)) for to in (own, behind))
    return contrast(*nearest)


def apart(one: int, other: int) -> int:
    return sum(((one >> shift & 0xFF) - (other >> shift & 0xFF)) ** 2 for shift in (16, 8, 0))


def around(shape: Shape) -> pygame.Rect:
    if isinstance(shape, Text | Rect):
        return pygame.Rect(int(shape.x), int(shape.y), int(shape.w), int(shape.h))
    if isinstance(shape, Circle):
        r = shape.r
        return pygame.Rect(int(shape.x - r), int(shape.y - r), int(2 * r), int(2 * r))
    xs, ys = zip(*shape.points, strict=True)
    return pygame.Rect(int(min(xs)), int(min(ys)), int(max(xs) - min(xs)), int(max(ys) - min(ys)))


def ink(shape: Shape) -> int:
    if isinstance(shape, Text | Line):
        return shape.colour
    assert isinstance(shape, Circle | Polygon)
    line = shape.line if isinstance(shape, Circle) else None
    found = shape.fill if line is None else line
    assert found is not None
    return found


def ground(below: Scene, shape: Shape) -> int:
    """The colour of the topmost filled area under the middle of a shape."""
    assert isinstance(shape, Text | Circle | Polygon | Line)
    x, y = around(shape).center
    for other in reversed(below):
        if (
            isinstance(other, Rect | Polygon)
            and other.fill is not None
            and around(other).collidepoint(x, y)
        ):
            return other.fill
    raise AssertionError("a text on nothing")
