"""Identities are told apart by their outlines, even blurred and small; and by their colours."""

import itertools

import pytest
from PIL import Image, ImageFilter

from pi_table.common.palettes import Palette
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.colours import MADE_FOR
from pi_table.lab.seeing.difference import least_distance
from pi_table.lab.seeing.lights import MIN_DISTANCE
from pi_table.lab.seeing.srgb import contrast
from pi_table.lab.seeing.vision import Vision
from pi_table.screens.console import style
from pi_table.screens.console.painter import pixels
from pi_table.screens.console.schemes import PALETTES, colours_of, identity_colours
from pi_table.screens.console.shapes import Circle, Scene
from pi_table.screens.console.symbols import sign

SIDE = 28
ACROSS = 20
"""Pixels of a sign from edge to edge."""
BLUR = 2
"""Pixels by which it is out of focus."""
MIN_DIFFERENCE = 0.35

Silhouette = list[list[float]]


def silhouette(shapes: Scene) -> Silhouette:
    """A sign without its colour, out of focus: 0 … 1 a pixel."""
    size = (SIDE, SIDE)
    painted = Image.frombytes("RGB", size, pixels(shapes, size, size))
    red, _, _ = painted.filter(ImageFilter.BoxBlur(BLUR)).split()
    row_by_row = red.tobytes()
    return [[row_by_row[y * SIDE + x] / 255 for x in range(SIDE)] for y in range(SIDE)]


def apart(one: Silhouette, other: Silhouette) -> float:
    """Return the area that only one covers, as a share (0 … 1) of the area of both.

    The signs are shifted to where they overlap best.
    """
    inside = range(2, SIDE - 2)
    shares = []
    for dx, dy in itertools.product(range(-2, 3), repeat=2):
        pairs = [(one[y][x], other[y + dy][x + dx]) for y in inside for x in inside]
        shares.append(sum(abs(a - b) for a, b in pairs) / sum(max(a, b) for a, b in pairs))
    return min(shares)


def outline(identity: Identity) -> Silhouette:
    return silhouette(sign(identity, SIDE / 2, SIDE / 2, ACROSS / 2, 0xFFFFFF))


@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(Identity, 2)])
def test_any_two_signs_differ_in_outline(one: Identity, other: Identity) -> None:
    assert apart(outline(one), outline(other)) >= MIN_DIFFERENCE


def test_hollow_or_filled_would_not_be_enough() -> None:
    """So it was: a bystander was a ring, red is a disc; filled up they are one."""
    disc, smaller = (silhouette((Circle(14, 14, r, 0xFFFFFF),)) for r in (10, 9))
    assert apart(disc, smaller) < MIN_DIFFERENCE
    assert apart(disc, disc) == 0.0


@pytest.mark.parametrize("palette", Palette)
def test_colours_of_identities_are_far_apart_for_the_eyes_a_palette_is_for(
    palette: Palette,
) -> None:
    for what, colours in identity_colours(palette).items():
        for vision in MADE_FOR[palette]:
            assert least_distance(colours, vision).distance >= MIN_DISTANCE, (what, vision)


def test_the_standard_palette_is_for_everybody() -> None:
    assert MADE_FOR[Palette.STANDARD] == tuple(Vision)


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("high", [False, True])
def test_words_and_signs_can_be_read_on_the_ground_of_every_identity(
    palette: Palette, high: bool
) -> None:
    colours = colours_of(palette, high)
    ink = colours.get(style.INK, style.INK)
    of_palette = identity_colours(palette)
    for name, fill in of_palette["grounds"].items():
        assert contrast(fill, ink) >= 4.5, name
        assert contrast(fill, of_palette["signs"][name]) >= 3.0, name


def test_no_colour_of_the_style_has_two_names() -> None:
    """A palette puts others in their place, one for one."""
    named = [value for name, value in vars(style).items() if is_colour(name)]
    assert len(named) == len({*named}) > 15
    for palette in PALETTES.values():
        assert {*palette} <= {*named}


def is_colour(name: str) -> bool:
    return name.isupper() and name.split("_")[0] in (
        *("GROUND", "SURFACE", "RAISED", "EDGE", "INK", "SOFT", "FAINT", "ACCENT", "ON"),
        *("RED", "BLUE", "SAND", "WHITE", "BLACK"),
    )
