"""What is written and drawn stands out from what is behind it: measured from painted pixels, over
every screen, with each palette and with high contrast."""

import functools
from functools import partial

import pygame
import pytest
from every_screen import LOOKS as EVERY_LOOK
from every_screen import ROOMIEST, look, scenes

from pi_table.colour.contrast import contrast
from pi_table.colour.palettes import Palette
from pi_table.console import style
from pi_table.console.look import Look, shown
from pi_table.console.painter import picture
from pi_table.console.shapes import Circle, Line, Polygon, Rect, Scene, Shape, Text
from pi_table.house import House

TEXT, SYMBOL = 4.5, 3.0
PLACES = 4
LOOKS = {
    **{str(palette): look(House(palette=palette)) for palette in Palette},
    "high contrast": look(House(high_contrast=True)),
    "high contrast, red-green": look(House(high_contrast=True, palette=Palette.RED_GREEN)),
}


@pytest.mark.parametrize("name", LOOKS)
def test_texts_and_symbols_stand_out(name: str) -> None:
    texts, symbols = measured(LOOKS[name])
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
    roomiest = EVERY_LOOK[ROOMIEST]
    for each in (shown(each, roomiest) for each in scenes(roomiest)):
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
            painted = picture(shown(each, drawn), (drawn.width, drawn.height))
            found = seen(painted, shape, own, behind)
            of_kind = texts if isinstance(shape, Text) else symbols
            of_kind[pair] = max(found, of_kind.get(pair, 0.0))
    return texts, symbols


def drawn_at(shape: Text | Circle | Polygon | Line) -> bool:
    """Is there anything to see? What has the colour of the ground is a gap in something else."""
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
