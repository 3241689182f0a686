"""The parts list can be bought from, and the README shows it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from enclosure.fasteners import JOINTS
from hardware.boards.check import counts
from hardware.dimensions import MM
from hardware.parts import COLUMNS, PartsError, Supply, cost, read, summary
from hardware.places import chain, fed, wiring

SPRING = 'spring,spring,"5 mm, 2 N",27,<1,Mill,S75,Kiln,75,'


def listed(folder: Path, *rows: str) -> Path:
    file = folder / "parts.csv"
    file.write_text("\n".join([",".join(COLUMNS), *rows, ""]), encoding="utf-8")
    return file


def test_the_list_of_the_table_can_be_bought() -> None:
    parts = read()
    assert {"tile-board", "electrode-board", "carrier-board", "pi-5", "screen", "supply"} <= {
        part.id for part in parts
    }
    low, high = cost(parts)
    assert 0 < low < high


def test_what_a_table_takes_is_summed_up(tmp_path: Path) -> None:
    parts = read(listed(tmp_path, SPRING, "cord,cord,4 mm,1,20-60,any maker,ISO 3302-1,,,"))
    assert cost(parts) == pytest.approx((22.7, 87))
    assert [*summary(parts)] == [
        "2 kinds of parts, in the middle 43 €, 23 to 87 € (P).",
        "How the 2 can be bought:",
        "",
        "- two sellers' numbers: 1.",
        "- any maker's, by a standard: 1 (cord).",
    ]


@pytest.mark.parametrize(
    ("sources", "supply"),
    [
        ("Mill,A,Kiln,B", Supply.TWO),
        ("any maker,ISO 4762 M3,,", Supply.STANDARD),
        ("any maker,ISO/ASTM 52903-1 PETG,,", Supply.STANDARD),
        ("any maker,ISO 4762 M3,Mill,A", Supply.STANDARD),
        ("any fabricator,boards/tile,,", Supply.FILES),
    ],
)
def test_a_part_of_a_standard_needs_no_second_seller(
    tmp_path: Path, sources: str, supply: Supply
) -> None:
    (part,) = read(listed(tmp_path, f"screw,screw,M3,1,<1,{sources},"))
    assert part.supply is supply


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (SPRING, "spring stands twice"),
        ("needle" + SPRING[6:], "needle and spring are both Mill S75"),
        ("nano,a Nano,5 V,1,5-20,,,,,", "nano needs two sellers' numbers, or 'any maker'"),
        ("nano,a Nano,5 V,1,5-20,Mill,A,,,", "nano needs two sellers' numbers, or 'any maker'"),
        ("Nano,a Nano,5 V,1,5-20,,,,,", "'Nano' is no id"),
        ("nano,a Nano,,1,5-20,,,,,", "lacks what it is, or its key figures"),
        ("nano,a Nano,5 V,1,cheap,,,,,", "no price class"),
        ("nano,a Nano,5 V,one,5-20,,,,,", "'one' for a quantity"),
        ("nano,a Nano,5 V,-1,5-20,,,,,", "'-1' for a quantity"),
        ("nano,a Nano,5 V,0,5-20,,,,,", "no table takes nano"),
        ("nano,a Nano,5 V,1,5-20,Mill,,,,", "a source without a number"),
        ("nano,a Nano,5 V,1,5-20,Mill,A,Mill,B,", "both sources of nano are the same"),
        ("nano,a Nano,5 V,1,5-20,any maker,as sold,,,", "'as sold' is no standard"),
        ("nano,a Nano,5 V,1,5-20,any fabricator,boards,,,", "'boards' has no gerbers"),
        ("nano,a Nano,5 V, 16 MHz,1,5-20,,,,,", "it has not 10 fields"),
        ("nano,a Nano,5 V,1,5-20", "it has not 10 fields"),
    ],
)
def test_a_row_that_cannot_be_bought_is_refused(tmp_path: Path, row: str, why: str) -> None:
    with pytest.raises(PartsError, match=why):
        read(listed(tmp_path, SPRING, row))


def test_a_list_with_other_columns_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "parts.csv"
    file.write_text("id,what\nnano,Nano\n", encoding="utf-8")
    with pytest.raises(PartsError, match="its columns have to be id, what"):
        read(file)


def test_as_many_are_bought_as_the_boards_bear() -> None:
    """27 tiles, of which two leave two lights with their capacitors out, and 21 the plug of a feed.
    Each guard's tail ends in a plug of the electrodes' kind."""
    files = Path(__file__).parents[2] / "hardware" / "boards"
    tile, carrier = (
        counts((files / name / f"{name}.kicad_pcb").read_text("utf-8"))
        for name in ("tile", "carrier")
    )
    wanted = {name: 27 * number for name, number in tile.items()}
    wanted["ws2812b"] -= 2 * 2
    wanted["capacitor-100n-0805"] -= 2 * 2
    wanted["xh-header-4"] -= 27 - len(fed([*chain(wiring())]))
    wanted["xh-header-2"] += sum(row["kind"] == "rim" for row in wiring())
    for name, number in carrier.items():
        wanted[name] = wanted.get(name, 0) + number
    bought = {part.id: part.quantity for part in read()}
    assert {name: bought[name] for name in wanted} == wanted


def test_there_is_foil_for_the_guards_in_the_lengths_that_are_told() -> None:
    foil = next(part for part in read() if part.id == "guard-foil")
    across = 5 * MM["pitch_across"] + 2 * (MM["guard_gap"] + MM["guard_width"])
    down = 6 * MM["pitch_down"]
    assert f"far and near {across:g} mm, left and right {down:g} mm" in foil.note
    assert 2 * (across + down) / 1000 <= foil.quantity


def test_the_spring_has_the_lengths_that_it_is_reckoned_with() -> None:
    spring = next(part for part in read() if part.id == "contact-spring")
    lengths = (f"{MM[f'spring_{name}']:g}" for name in ("wire", "across", "length"))
    assert spring.sources == (("any maker", f"EN 15800 {' × '.join(lengths)}"),)


def test_there_are_screws_inserts_and_nuts_for_every_joint_of_the_box() -> None:
    wanted: Counter[str] = Counter()
    for joint in JOINTS:
        kind = "screw-m3-countersunk" if "countersunk" in joint.screw else "screw-m3"
        kinds = {"M2.5": "screw-m2-5", "ST2.9": "screw-tapping"}
        wanted[kinds.get(joint.screw.split()[0], kind)] += joint.count
        if joint.into:
            size = joint.screw.split()[0].lower().replace(".", "-")
            wanted[f"{joint.into}-{size}"] += joint.count
    bought = {part.id: part.quantity for part in read()}
    assert {*wanted} == {name for name in bought if re.match("screw-(m|ta|w)|insert|nut", name)}
    assert [name for name in wanted if bought[name] < wanted[name]] == []
