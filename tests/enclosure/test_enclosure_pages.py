"""The parts of the enclosure that need no CAD: lengths, the rim's contents, the README and its
files."""

import math
import re
from pathlib import Path

import pytest

from enclosure import bulge, dimensions, levels, pages, places, spill
from enclosure.dimensions import MM

ENCLOSURE = Path(dimensions.__file__).parent
README = (ENCLOSURE / "README.md").read_text("utf-8")


def test_the_overlay_is_as_large_as_cells_guard_and_edge_ask_for() -> None:
    assert (2 * levels.RIGHT, levels.FAR - levels.NEAR) == (600, 580)


def test_no_length_stands_both_here_and_with_the_boards(tmp_path: Path) -> None:
    twice = tmp_path / "dimensions.toml"
    twice.write_text('[wall]\nmm = 2.0\nmark = "P"\nwhy = "Again."\n')
    with pytest.raises(ValueError, match=r"wall stands in hardware/dimensions\.toml already"):
        dimensions.read(twice)


def test_half_a_litre_stays_on_a_table_that_leans_by_a_degree() -> None:
    assert spill.volume_held(spill.LEAN) >= spill.HALF_LITRE


def test_a_rim_half_a_millimetre_lower_than_reckoned_would_not_hold_it() -> None:
    assert spill.volume_held(spill.LEAN, spill.least_height() - 0.5) < spill.HALF_LITRE


def test_what_a_level_table_holds_is_its_area_by_the_rim() -> None:
    assert spill.volume_held(0.0) == pytest.approx(588 * 568 * levels.RIM_HEIGHT)


def test_the_more_a_table_leans_the_less_stays_on_it() -> None:
    held = [spill.volume_held(lean / 10) for lean in range(60)]
    assert held == sorted(held, reverse=True)
    assert held[1] == pytest.approx(held[0] - 588 * 568 * 0.71, rel=0.01)  # half of 1.43 mm


def test_the_rims_screws_are_at_most_160_mm_apart() -> None:
    for screw in places.RIM_SCREWS:
        apart = sorted(math.dist(screw, other) for other in places.RIM_SCREWS)
        assert apart[2] <= 160.1, (screw, apart[1:4])
    assert len({*places.RIM_SCREWS}) == 18


def test_nothing_stands_where_something_else_is_screwed_to_the_base() -> None:
    holes = [
        *places.square(places.CARRIER, MM["carrier_hole"], MM["carrier_hole"]),
        *places.offset_points(places.PI, places.PI_SCREWS),
        *places.offset_points(places.SPEAKER, places.SPEAKER_SCREWS),
        *places.TIES,
    ]
    for foot in places.FEET:
        for hole in holes:
            apart = ((foot[0] - hole[0]) ** 2 + (foot[1] - hole[1]) ** 2) ** 0.5
            assert apart > MM["foot"] / 2 + MM["screw_head"] / 2, (foot, hole)


def test_the_readme_shows_what_the_programs_reckon() -> None:
    assert pages.update(README) == README, "python -m enclosure.pages"
    assert all(f"<!-- {name} -->" in README for name in pages.MADE)
    told = " ".join(README.split())
    rim, lean = f"{levels.RIM_HEIGHT:.1f} mm", f"{spill.LEAN:g}°"
    kept = [f"{spill.volume_held(each) / 1000:.0f} ml" for each in (spill.LEAN, 0.0, 2.0)]
    assert f"the rim of {rim} keeps half a litre on a table that leans by {lean}: {kept[0]}" in told
    assert f"{kept[1]} on a level one, {kept[2]} at 2°" in told
    strong, weak = map(bulge.force, bulge.COILS)
    assert f"presses with {weak:.2f} to {strong:.2f} N (C)" in told
    assert f"rises by {bulge.bulge(strong):.2f} mm at most" in told


def test_no_spring_lifts_the_overlay_that_its_weight_holds_down() -> None:
    lightest = bulge.weight() / len(places.TILES)
    assert bulge.bulge(lightest - 0.01) == 0
    assert bulge.bulge(lightest + 0.01) > 0


def test_a_spring_has_the_force_of_the_books() -> None:
    # 70,000 · 0.3⁴ / (8 · 4.7³ · 8) = 0.0853 N/mm, pressed by 3.8 mm.
    assert bulge.force(8) == pytest.approx(0.324, abs=0.001)


@pytest.mark.parametrize(
    ("wire", "why"),
    [
        (0.25, "A spring of 12 coils presses with 0.10 N alone."),
        (0.4, "Springs of 5 coils lift the middle by 5.6 mm."),
    ],
)
def test_springs_of_another_wire_press_too_little_or_too_much(wire: float, why: str) -> None:
    assert bulge.faults() == []
    assert bulge.faults(wire) == [why]


def test_a_plate_bends_as_the_tables_of_plates_have_it() -> None:
    # 348,000 mm² under 1 N more than it weighs: 0.00406 · q · a⁴ / 8416 N·mm, by hand.
    force = (bulge.weight() + 1) / len(places.TILES)
    assert bulge.bulge(force) == pytest.approx(0.168, abs=0.001)


@pytest.mark.parametrize("kind", ["stl", "dxf"])
def test_the_readme_names_every_part_that_is_made(kind: str) -> None:
    files = sorted((ENCLOSURE / "files" / kind).iterdir())
    assert files
    for file in files:
        assert f"`{file.stem}`" in README, file.name


def test_every_picture_is_shown_or_stands_for_a_place_of_its_own() -> None:
    shown = set(re.findall(r"\]\(files/pictures/([\w-]+\.png)\)", README))
    there = {file.name for file in (ENCLOSURE / "files" / "pictures").iterdir()}
    assert shown == there
