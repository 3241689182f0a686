"""The files that say where each light of the string is."""

from itertools import pairwise
from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.common.geometry import (
    CELL_COUNT,
    END_TURN,
    HOURGLASS,
    LED_COUNT,
    PLACE_COUNT,
    PLACES,
    STRIP,
    leds_of,
    place_named,
)
from pi_table.common.light_layout import (
    MAX_BYTES,
    MAX_LIGHTS,
    PRESETS,
    LightLayout,
    parse_layout,
    preset,
    read_layout,
)

ONE_EACH = "\n".join(PLACES)


def parsed(*lines: str) -> LightLayout:
    """Return the layout of these lines, followed by one light for each place."""
    return parse_layout("\n".join((*lines, ONE_EACH)), "my.txt")


def leds(place: str, *at: int) -> tuple[int, ...]:
    number = place_named(place)
    assert number is not None
    return tuple(leds_of(number)[each] for each in at)


def test_the_tiles_have_one_light_for_each_led() -> None:
    assert preset("tiles") == LightLayout(tuple((led,) for led in STRIP), "GRB")


def test_the_ready_wired_string_has_one_light_for_each_place_and_its_rest_is_dark() -> None:
    layout = preset("string-100")
    assert layout.light_count == 50
    lit = [layout.place_of(light) for light in range(50)]
    assert lit[CELL_COUNT:] == [None, HOURGLASS, None, END_TURN, *[None] * 21]
    places = [place for place in lit if place is not None]
    assert sorted(places) == [*range(PLACE_COUNT)]
    for before, after in pairwise(places[:CELL_COUNT]):
        assert abs(before - after) in (1, 5)  # neighbours: there is no more wire than 100 mm
    for place in range(PLACE_COUNT):
        (light,) = layout.lights_of(place)
        assert layout.lights[light] == tuple(leds_of(place))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("C3", leds("C3", 0, 1, 2, 3)),
        ("C3 far-left", leds("C3", 0)),
        ("C3 far-right", leds("C3", 1)),
        ("C3 near-right", leds("C3", 2)),
        ("C3 near-left", leds("C3", 3)),
        ("C3 far", leds("C3", 0, 1)),
        ("C3 right", leds("C3", 1, 2)),
        ("C3 near", leds("C3", 2, 3)),
        ("C3 left", leds("C3", 0, 3)),
        ("end-turn", leds("end-turn", 0, 1)),
        ("hourglass left", leds("hourglass", 0)),
        ("hourglass right", leds("hourglass", 1)),
        ("-", ()),
        ("\t C3 \t far  # the first", leds("C3", 0, 1)),
    ],
)
def test_a_line_names_the_leds_that_its_light_stands_for(line: str, shown: tuple[int, ...]) -> None:
    assert parsed(line).lights[0] == shown


def test_comments_and_empty_lines_are_no_lights() -> None:
    assert parsed("# mine", "", "  ", "order RGB  # red first", "") == LightLayout(
        tuple(tuple(leds_of(place)) for place in range(PLACE_COUNT)), "RGB"
    )


def test_the_order_of_the_colours_is_grb_unless_the_file_says_otherwise() -> None:
    assert parsed().order == "GRB"
    assert [parsed(f"order {each}").order for each in ("RGB", "BRG")] == ["RGB", "BRG"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("order grb",), "my.txt, line 1: 'grb' is no order of the colours: write GRB"),
        (("order",), "line 1: '' is no order"),
        (("order RGB", "order RGB"), "line 2: the order of the colours is named once"),
        (("A1", "order RGB"), "line 2: the order of the colours is named once, before the first"),
        (("", "a1"), "line 2: 'a1' is no place: write A1 to E5, end-turn or hourglass, or -"),
        (("A1 far-lft",), "line 1: 'far-lft' is no part of A1: did you mean 'far-left'?"),
        (("A1 far left",), "line 1: 'far left' is no part of A1"),
        (("end-turn far",), "line 1: 'far' is no part of end-turn"),
        (("- A1",), "line 1: '-' is no place"),
        (("A1\vfar",), "line 1: 'A1\\\\x0bfar' is no place"),
        (("B2",) * 8, "line 15: B2 has more than 8 lights: write - for those"),
        (("-",) * (MAX_LIGHTS - 26), "line 257: the string has more than 256 lights"),
    ],
)
def test_an_error_is_named_with_its_line_and_what_to_do(lines: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        parsed(*lines)


def test_eight_lights_of_a_place_and_256_of_a_string_are_not_too_many() -> None:
    assert len(parsed(*["B2"] * 7).lights_of(6)) == 8
    assert parsed(*["-"] * (MAX_LIGHTS - 27)).light_count == MAX_LIGHTS


def test_a_place_without_a_light_is_refused() -> None:
    text = ONE_EACH.replace("C3\n", "-\n")
    with pytest.raises(InputError, match=r"my\.txt has no light for C3: add a line with C3"):
        parse_layout(text, "my.txt")


def test_a_corner_that_no_light_shows_is_refused() -> None:
    """What the lights say at such a corner could not be seen by anybody."""
    text = ONE_EACH.replace("C3\n", "C3 far\nC3 near-right\n")
    with pytest.raises(InputError, match="has no light that shows C3 near-left: name it on a line"):
        parse_layout(text, "my.txt")
    text = ONE_EACH.replace("hourglass", "hourglass left")
    with pytest.raises(InputError, match="has no light that shows hourglass right"):
        parse_layout(text, "my.txt")


def test_a_preset_is_read_by_its_name_and_a_file_by_its_path(tmp_path: Path) -> None:
    for name in PRESETS:
        assert read_layout(name) == preset(name)
    path = tmp_path / "mine.txt"
    path.write_bytes(b"\xef\xbb\xbf" + ONE_EACH.replace("\n", "\r\n").encode())
    assert read_layout(str(path)) == parsed()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tile", "did you mean 'tiles'"),
        ("mine.txt", "choose one of: tiles, string-100. For a file of your own, write its whole"),
        ("/nowhere/mine.txt", "The layout of the lights /nowhere/mine.txt cannot be read: No such"),
    ],
)
def test_a_name_that_is_no_layout_is_refused(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_layout(name)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match="has more than 32,768 bytes"):
        read_layout(str(path))


def test_every_led_is_shown_by_each_preset() -> None:
    for name in PRESETS:
        assert {led for shown in preset(name).lights for led in shown} == set(range(LED_COUNT))
