"""The identity of a found cell is shown by colour, by shape and by motion."""

from itertools import combinations

import pytest
from pictures import flashes

from pi_table.common.palettes import Palette
from pi_table.devices.lights.colours import PALETTES
from pi_table.devices.lights.identities import corners
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.lights import DIMMED, MIN_DISTANCE, MOTIONS, Pair, pairs, shapes_apart
from pi_table.lab.seeing.one_light import one_light
from pi_table.lab.seeing.srgb import luminance
from pi_table.lab.seeing.vision import Vision

EYES = [(palette, vision) for palette in Palette for vision in Vision]
OF_ONE_COLOUR = (
    {Identity.BYSTANDER, Identity.DECOY},
    {Identity.ASSASSIN, Identity.NUKE},
)
"""They are never in one game."""
MADE_FOR = {
    Palette.STANDARD: {Vision.NORMAL},
    Palette.RED_GREEN: {Vision.NORMAL, Vision.PROTANOPIA, Vision.DEUTERANOPIA},
    Palette.BLUE_YELLOW: {Vision.NORMAL, Vision.TRITANOPIA},
}
"""The eyes to which each palette tells everything by its colours alone."""
STEP = 0.02


def in_one_game(pair: Pair) -> bool:
    return {pair.one, pair.other} not in OF_ONE_COLOUR


@pytest.mark.parametrize("palette", Palette)
def test_to_the_eyes_that_a_palette_is_made_for_its_colours_alone_are_enough(
    palette: Palette,
) -> None:
    for vision in MADE_FOR[palette]:
        for pair in filter(in_one_game, pairs(palette, vision)):
            assert pair.colours >= MIN_DISTANCE, (vision, pair)


@pytest.mark.parametrize(("palette", "vision"), EYES)
def test_where_colours_are_not_enough_shapes_and_motions_differ(
    palette: Palette, vision: Vision
) -> None:
    for pair in pairs(palette, vision):
        if pair.colours < MIN_DISTANCE:
            assert MOTIONS[pair.one] != MOTIONS[pair.other] or pair.shapes > 0.9, pair
            if vision in MADE_FOR[palette] or palette is Palette.STANDARD:
                assert pair.shapes > 0.3, pair


@pytest.mark.parametrize("palette", Palette)
def test_the_shapes_of_what_one_game_can_show_differ_in_grey_or_else_the_colours_do(
    palette: Palette,
) -> None:
    for one, other in combinations(Identity, 2):
        faces = [corners(each, PALETTES[palette], 0.0, still=True) for each in (one, other)]
        if shapes_apart(*faces) < 0.25:
            assert {one, other} == {Identity.BLUE, Identity.ASSASSIN}
            assert palette is Palette.BLUE_YELLOW  # for which its colours are made


def test_shapes_are_measured() -> None:
    assert shapes_apart((0xFFFFFF,) * 4, (0x101010,) * 4) == 0.0
    assert shapes_apart((0xFFFFFF,) * 4, (0xFFFFFF, 0, 0xFFFFFF, 0xFFFFFF)) == 1.0


@pytest.mark.parametrize("palette", Palette)
def test_each_moves_as_it_is_said_to(palette: Palette) -> None:
    colours = PALETTES[palette]
    for identity, motion in MOTIONS.items():
        film = [corners(identity, colours, at * STEP) for at in range(400)]
        levels = [[luminance(light) for light in face] for face in film]
        alike = all(max(each) - min(each) < 0.001 for each in levels)
        opposite = all(each[0] == each[2] and each[1] == each[3] for each in levels)
        assert motion == {
            (1, True, True): "rests",  # which would be one colour, and so is no shape of any
            (1, False, False): "rests",
            (2, False, True): "beats",
        }.get(
            (len({*film}), alike, opposite),
            "breathes" if alike else "turns" if opposite else "runs",
        )


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("identity", Identity)
def test_no_cell_ever_goes_dark_or_jumps_but_for_the_assassins_beat(
    palette: Palette, identity: Identity
) -> None:
    colours = PALETTES[palette]
    film = [corners(identity, colours, at * STEP) for at in range(400)]
    levels = [sum(map(luminance, face)) / 4 for face in film]
    still = sum(map(luminance, corners(identity, colours, 0.0, still=True))) / 4
    assert min(levels) > 0.33 * still
    assert max(levels) < 2.5 * still


def test_what_is_measured_is_seen_in_both() -> None:
    shares = {pair.share for pair in pairs(Palette.STANDARD, Vision.NORMAL)}
    assert shares == {1.0, DIMMED}


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("identity", Identity)
def test_no_light_of_a_cell_that_was_found_flashes_more_than_three_times_a_second(
    palette: Palette, identity: Identity
) -> None:
    film = [corners(identity, PALETTES[palette], at * STEP) for at in range(400)]
    for corner in range(4):
        assert flashes([luminance(face[corner]) for face in film]) <= 3


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("identity", Identity)
def test_the_only_light_of_a_cell_does_not_flash_either(
    palette: Palette, identity: Identity
) -> None:
    film = [one_light(identity, palette, at * STEP) for at in range(400)]
    assert flashes([luminance(each) for each in film]) <= 3
