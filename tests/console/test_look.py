"""The console's adaptation to a screen and to a house."""

from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest
from every_screen import look
from msgspec.structs import replace
from playing import RulesTable

from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.common.palettes import Palette
from pi_table.screens.console import painter, style
from pi_table.screens.console.app import typeface_notice
from pi_table.screens.console.console import Console
from pi_table.screens.console.look import Look, convert_scene
from pi_table.screens.console.painter import TYPEFACES, missing_typefaces, picture
from pi_table.screens.console.shapes import Circle, Face, Line, Polygon, Rect, Scene, Text


@pytest.mark.parametrize(("w", "h"), [(800, 480), (1024, 600), (1280, 720)])
def test_a_unit_is_as_large_on_every_screen_of_seven_inches(w: int, h: int) -> None:
    pixel = 7 * 25.4 / hypot(w, h)
    assert look(width=w, height=h).scale * pixel == pytest.approx(style.UNIT)


def test_large_type_is_a_fifth_larger() -> None:
    assert look(House(text_size="large")).scale == pytest.approx(1.2 * look().scale)


@pytest.mark.parametrize(
    ("w", "h", "inches"),
    [(320, 240, 2.0), (480, 320, 3.5), (800, 480, 50.0), (3840, 2160, 50.0), (3840, 240, 2.0)],
)
def test_every_screen_has_room_for_every_page_and_is_filled(w: int, h: int, inches: float) -> None:
    layout = look(width=w, height=h, inches=inches).layout
    assert layout.width >= 640
    assert layout.height >= 240
    assert layout.width / layout.height == pytest.approx(w / h, rel=0.01)


def test_a_screen_that_stands_upright_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="480 × 800 pixels is upright"):
        look(width=480, height=800)


@pytest.mark.parametrize("wrong", [{"width": 0}, {"height": 99_999}, {"inches": 0.0}])
def test_an_absurd_size_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="is not valid"):
        look(None, **wrong)


def test_what_lies_side_by_side_still_does_on_other_pixels() -> None:
    scene: Scene = tuple(Rect(10 + 7 * n, 0, 7, 5, 0xFFFFFF) for n in range(40))
    rects = [each for each in convert_scene(scene, Look(scale=1.27)) if isinstance(each, Rect)]
    assert all(one.x + one.w == other.x for one, other in pairwise(rects))


def test_every_colour_of_a_scene_is_that_of_the_palette() -> None:
    red, other = style.RED, 0x123456
    scene: Scene = (
        Rect(0, 0, 9, 9, red, red),
        Circle(5, 5, 5, red, red),
        Polygon(((0, 0), (9, 0), (0, 9)), red),
        Line(((0, 0), (9, 9)), red, 3),
        Text(0, 0, 9, 9, "A", 20, red),
    )
    assert repr(red) not in repr(convert_scene(scene, Look(colours={red: other})))


def test_the_console_looks_as_the_house_wants_it_as_soon_as_that_changes() -> None:
    console = Console(lambda request: None, look=look)
    message = RulesTable().begin().message()
    console.happen(message, 0.0)
    usual = console.scene(0.0)
    console.happen(replace(message, house=House(text_size="large", palette=Palette.RED_GREEN)), 0.0)
    assert console.model.layout == look(House(text_size="large")).layout
    assert console.scene(0.0) != usual


def test_a_picture_gets_the_colours_of_the_house_where_nothing_else_changes() -> None:
    console = Console(lambda request: None, look=look)
    message = RulesTable().begin().message()
    console.happen(message, 0.0)
    usual = console.scene(0.0)
    console.happen(replace(message, house=House(palette=Palette.RED_GREEN)), 0.0)
    assert len(console.scene(0.0)) == len(usual)
    assert console.scene(0.0) != usual


def test_a_picture_that_cannot_have_changed_is_not_made_again() -> None:
    console = Console(lambda request: None)
    console.happen(RulesTable().begin().message(), 0.0)
    assert console.scene(0.0) is console.scene(5.0)
    console.happen(RulesTable(timer="clock").begin().message(), 5.0)
    assert console.scene(5.0) is not console.scene(8.0)


def test_a_clock_that_shows_the_same_makes_no_new_picture() -> None:
    console = Console(lambda request: None)
    console.happen(RulesTable(timer="clock").begin().message(), 0.0)
    seen = [console.scene(quarter / 4) for quarter in range(40)]
    same = [one is other for one, other in pairwise(seen)]
    assert same == [one == other for one, other in pairwise(seen)]
    assert 5 < sum(same) < len(same)


def test_the_typefaces_are_there_with_their_licences() -> None:
    assert missing_typefaces() == ()
    folder = next(path for path, _ in TYPEFACES.values()).parent
    for path, _ in TYPEFACES.values():
        licence = folder / f"OFL-{path.stem.partition('-')[0]}.txt"
        assert "SIL OPEN FONT LICENSE" in licence.read_text("utf-8")


def test_a_missing_typeface_is_told_and_everything_is_still_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lost = tmp_path / "Lost.ttf"
    monkeypatch.setitem(TYPEFACES, Face.BOLD, (lost, 0.668))
    painter.forget()
    try:
        written = picture((Text(0, 0, 90, 40, "HI", 30, 0xFFFFFF, face=Face.BOLD),), (90, 40))
        assert any(written.get_at((x, 20))[0] > 200 for x in range(90))
        assert "A typeface is missing" in str(typeface_notice())
        assert "Lost.ttf cannot be read" in capfd.readouterr().err
    finally:
        painter.forget()
