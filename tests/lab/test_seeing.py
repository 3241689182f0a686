"""The commands that show the table through other eyes."""

import re
from pathlib import Path

import pygame
import pytest

from pi_table.cli import main
from pi_table.common.palettes import Palette
from pi_table.devices.hal.led_curve import colour_of_pulses, pulses_of_colour
from pi_table.devices.lights.colours import PALETTES
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.colours import MADE_FOR, table
from pi_table.lab.seeing.lights import DIMMED, MIN_DISTANCE, MOTIONS, pairs
from pi_table.lab.seeing.one_light import (
    MIN_SWING,
    moves_apart,
    one_light,
    one_light_pairs,
    swing,
)
from pi_table.lab.seeing.srgb import luminance
from pi_table.lab.seeing.team_lights import GROUNDS, PLAYED
from pi_table.lab.seeing.vision import Vision, simulate_vision

RED = 0xF01008


@pytest.fixture
def red(tmp_path: Path) -> Path:
    surface = pygame.Surface((8, 4), 0, 24)
    surface.fill((RED >> 16, RED >> 8 & 0xFF, RED & 0xFF))
    pygame.image.save(surface, tmp_path / "red.png")
    return tmp_path / "red.png"


def pixel(path: Path) -> int:
    r, g, b, _ = pygame.image.load(path).get_at((4, 2))
    return r << 16 | g << 8 | b


def test_each_picture_is_shown_to_three_kinds_of_eyes_and_in_a_dim_bar(
    red: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["eyes", str(red), "--out", str(out)]) == 0
    found = {path.name: pixel(path) for path in out.iterdir()}
    assert found.pop("red.dim-bar.png") < RED // 2
    assert found == {
        f"red.{vision}.png": simulate_vision(RED, vision)
        for vision in Vision
        if vision is not Vision.NORMAL
    }
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_file_that_is_no_picture_is_told_and_nothing_is_written(
    tmp_path: Path, red: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.png").write_text("no picture")
    out = tmp_path / "out"
    assert main(["eyes", str(red), str(tmp_path / "text.png"), "--out", str(out)]) == 2
    assert "text.png cannot be read as a picture" in capsys.readouterr().err
    assert not out.exists()


def test_the_table_has_a_line_for_everything_that_is_coloured() -> None:
    lines = [line.split()[:3] for line in table().splitlines()]
    for palette in ("standard", "red-green", "blue-yellow"):
        for what in ("grounds", "signs", "covered"):
            assert ["console", palette, what] in lines
        for what in ("full", "dimmed"):
            assert ["lights", palette, what] in lines


def test_the_table_has_a_line_for_every_ground_and_scene_of_the_teams() -> None:
    lines = table().splitlines()
    for name in (*GROUNDS, *(what.value for what in PLAYED)):
        for palette in ("standard", "red-green", "blue-yellow"):
            for light in ("full", "dimmed"):
                (line,) = [
                    each for each in lines if each.startswith(f"{name:<20}{palette:<13}{light}")
                ]
                assert len(re.findall(r"\d+ \(\d+, \d+\)", line)) == len(Vision)


def test_nothing_on_the_console_is_too_near_for_the_eyes_of_its_palette() -> None:
    console = [line for line in table().splitlines() if line.startswith("console")]
    assert len(console) == 9
    assert not [line for line in console if "(!)" in line]


def test_a_light_that_is_too_near_for_the_eyes_of_its_palette_is_no_fault_but_is_marked() -> None:
    lights = [line for line in table().splitlines() if line.startswith("lights")]
    marked = [line.split()[:3] for line in lights if line.endswith("(~)")]
    assert marked == [["lights", "standard", "dimmed"]]


@pytest.mark.parametrize("palette", Palette)
def test_one_light_a_cell_tells_identities_apart_by_colour_in_full_light(palette: Palette) -> None:
    found = [*one_light_pairs(palette, Vision.NORMAL, 1.0)]
    assert len(found) == 11  # red and blue are in both kinds of games, and are one pair
    assert min(pair.colours for pair in found) >= MIN_DISTANCE


def test_one_light_shows_the_mean_of_the_corners_and_moves_with_it() -> None:
    own = PALETTES[Palette.STANDARD]
    red = colour_of_pulses(pulses_of_colour(own.red))
    assert one_light(Identity.RED, Palette.STANDARD, 0.0, still=True) == red
    bystander = one_light(Identity.BYSTANDER, Palette.STANDARD, 0.0)
    assert 0 < luminance(bystander) < 0.6 * luminance(own.harmless)


@pytest.mark.parametrize("palette", Palette)
def test_one_light_shows_each_motion(palette: Palette) -> None:
    for identity, motion in MOTIONS.items():
        if motion == "rests":
            assert swing(identity, palette) == 0.0
        else:
            assert swing(identity, palette) >= MIN_SWING, identity


@pytest.mark.parametrize("palette", Palette)
def test_one_light_whose_colours_are_near_is_told_by_its_motion(palette: Palette) -> None:
    for vision in MADE_FOR[palette]:
        for share in (1.0, DIMMED):
            for pair in one_light_pairs(palette, vision, share):
                assert pair.colours >= MIN_DISTANCE or moves_apart(pair, palette), pair
    assert not [line for line in table().splitlines() if line.endswith(" (!)")]


def test_the_table_says_how_far_one_light_a_cell_carries() -> None:
    lines = table().splitlines()
    for palette in Palette:
        for light in ("full", "dimmed"):
            (line,) = [
                each
                for each in lines
                if each.startswith(f"{palette:<13}{light:<8}")
                and "," in each
                and "shapes" not in each
            ]
            assert len(re.findall(r"\d+\.\d \w+, \w+", line)) == len(Vision)
        (line,) = [each for each in lines if each.startswith(f"{palette:<13}red 0.")]
        assert line.count(",") == len(Identity) - 1


@pytest.mark.parametrize("vision", Vision)
@pytest.mark.parametrize("palette", Palette)
def test_lights_whose_colours_are_near_move_otherwise_or_differ_in_shape(
    palette: Palette, vision: Vision
) -> None:
    for pair in pairs(palette, vision):
        if 0.0 < pair.colours < MIN_DISTANCE:  # a decoy shines as a bystander does
            assert MOTIONS[pair.one] != MOTIONS[pair.other] or pair.shapes >= 0.4, pair
