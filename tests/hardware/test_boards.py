"""The boards as committed agree with wiring, parts and lengths; planted faults are found and named.

None of it takes KiCad: where its symbols are asked for, those in the committed sheets answer.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware import parts
from hardware.boards import bom, check, symbols, wires
from hardware.boards.board import Board
from hardware.boards.carrier_board import carrier
from hardware.boards.electrode_board import electrode
from hardware.boards.router import VIA, NoWayError, Pad, route
from hardware.boards.sexpr import child, children, dump, parse, plain
from hardware.boards.tile_board import tile
from hardware.dimensions import MM

FOLDER = Path(wires.__file__).parent
MAKERS = {"tile": tile, "electrode": electrode, "carrier": carrier}
ROWS = wires.rows_of()
TEXTS = {name: (FOLDER / name / f"{name}.kicad_pcb").read_text("utf-8") for name in MAKERS}
LISTED = {part.id for part in parts.read()}
FED = 6
"""Tiles that have a feed, and so the plug J4."""
GUARDS = sum(row["kind"] == "rim" for row in ROWS)
"""Their tails end in a plug of that kind too."""


@pytest.fixture(autouse=True)
def symbols_of_the_sheets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets the symbols that the committed sheets hold stand for KiCad's libraries."""
    held = {
        plain(symbol[1]): symbol
        for name in MAKERS
        for symbol in children(
            child(parse((FOLDER / name / f"{name}.kicad_sch").read_text("utf-8")), "lib_symbols"),
            "symbol",
        )
    }
    monkeypatch.setattr(symbols, "symbol", held.__getitem__)
    symbols.pins.cache_clear()
    yield
    symbols.pins.cache_clear()


def board(name: str, rows: list[dict[str, str]] | None = None) -> Board:
    return MAKERS[name](ROWS if rows is None else rows)


def changed(kind: str, name: str, /, **fields: str) -> list[dict[str, str]]:
    """The rows of wiring.csv, one of them otherwise."""
    rows = [dict(row) for row in ROWS]
    next(row for row in rows if (row["kind"], row["name"]) == (kind, name)).update(fields)
    return rows


def wire_faults(name: str, rows: list[dict[str, str]] = ROWS, text: str = "") -> list[str]:
    wired = wires.nets(board(name, rows), rows)
    return [*check.wire_faults(name, "board", check.board_nets(text or TEXTS[name]), wired)]


@pytest.mark.parametrize("name", MAKERS)
def test_a_board_is_wired_as_the_wiring_says(name: str) -> None:
    assert wire_faults(name) == []


@pytest.mark.parametrize("name", MAKERS)
def test_a_board_is_as_large_and_its_parts_lie_as_the_lengths_say(name: str) -> None:
    assert [*check.place_faults(name, TEXTS[name])] == []


@pytest.mark.parametrize("name", MAKERS)
def test_each_part_of_a_board_is_in_the_parts_list(name: str) -> None:
    assert [*check.part_faults(name, TEXTS[name], LISTED)] == []


def test_the_parts_list_has_as_many_as_the_boards_bear() -> None:
    """Of 27 tiles two lack half of their lights and capacitors, and all but six the feed's plug.
    Each
    guard's tail has the plug of an electrode."""
    cell, hub = check.counts(TEXTS["tile"]), check.counts(TEXTS["carrier"])
    needed = Counter({part: 27 * count for part, count in cell.items()}) + hub
    needed -= Counter({"ws2812b": 4, "capacitor-100n-0805": 4, "xh-header-4": 27 - FED})
    needed["xh-header-2"] += GUARDS
    needed["electrode-board"] = 27
    for part in parts.read():
        if part.id in needed:
            assert part.quantity == needed[part.id], part.id
    assert needed.keys() <= LISTED


@pytest.mark.parametrize("name", MAKERS)
def test_the_list_for_a_fabricator_has_each_part_of_the_board_once(name: str) -> None:
    made = (FOLDER / name / "bom.csv").read_text("utf-8")
    assert made == bom.text(board(name), parts.read()), "Make it anew: make -C hardware"
    rows = [*csv.DictReader(made.splitlines())]
    refs = [ref for row in rows for ref in row["Designator"].split(",")]
    assert sorted(refs) == sorted(part.ref for part in board(name).parts if part.id)


@pytest.mark.parametrize("name", ["tile", "carrier"])
def test_a_fabricator_gets_the_positions_of_what_it_places_alone(name: str) -> None:
    listed, positions = (
        [*csv.DictReader((FOLDER / name / file).read_text("utf-8").splitlines())]
        for file in ("bom.csv", "positions.csv")
    )
    placed = [row["Designator"] for row in listed if row["Placed by"] == bom.FABRICATOR]
    refs = [ref for row in placed for ref in row.split(",")]
    assert sorted(refs) == sorted(row["Designator"] for row in positions)
    assert {row["Layer"] for row in positions} <= {"top"}, "one side is cheaper than two"


def test_no_maker_places_a_part_that_lies_flat() -> None:
    by_hand = {
        row["Part"]
        for name in ("tile", "carrier")
        for row in csv.DictReader((FOLDER / name / "bom.csv").read_text("utf-8").splitlines())
        if row["Placed by"] == bom.MAKER
    }
    assert not [
        kind for kind in by_hand if re.match(r"ws2812b|capacitor.*-\d{4}$|esd|tvs|mosfet", kind)
    ]


# Planted faults


def test_a_part_off_its_pitch_is_found() -> None:
    text = TEXTS["tile"].replace("(at 142 68 90)", "(at 142.5 68 90)")
    assert text != TEXTS["tile"]
    (fault,) = check.place_faults("tile", text)
    assert fault.startswith("D2 of the tile lies 0.50 mm off its place")


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("tile", "(start 53 63)", "(start 54 63)", "The tile is (93.0, 74.0) mm large"),
        ("carrier", "(start 51 51)", "(start 51 50)", "The carrier is (98.0, 99.0) mm large"),
        ("electrode", "(size 75 51)", "(size 72 51)", "The electrode's copper of (72.0, 51.0)"),
        ("carrier", "(at 55 55)", "(at 56 55)", "H1 of the carrier lies 1.00 mm off"),
        ("tile", "(at 69 88.5 ", "(at 64 88.5 ", "J1 of the tile stands over the edge"),
        ("tile", "(size 8 8)", "(size 6 6)", "TP1 of the tile is 6 mm wide"),
    ],
)
def test_a_length_that_is_another_is_found(name: str, old: str, new: str, said: str) -> None:
    text = TEXTS[name].replace(old, new)
    assert text != TEXTS[name]
    assert any(fault.startswith(said) for fault in check.place_faults(name, text))


def test_a_pad_that_is_joined_to_nothing_is_found() -> None:
    net = next(
        line for line in TEXTS["tile"].splitlines() if '"light-2"' in line and "\t\t\t" in line
    )
    text = TEXTS["tile"].replace(net + "\n", "", 1)
    (fault,) = wire_faults("tile", text=text)
    assert fault.startswith("Net light-2 of the tile: ")
    assert fault.endswith("is on it in wiring.csv, and not in the board.")


@pytest.mark.parametrize(
    ("kind", "name", "fields", "faults"),
    [
        ("pad", "D1", {"plug": "J3.12"}, 2),
        ("controller", "touch-data", {"plug": "J2.12"}, 2),
        ("rim", "near", {"channel": "8"}, 2),
        ("controller", "lights", {"plug": "J3.9"}, 2),
        ("carrier", "lights-5V", {"name": "lights-up"}, 2),
        ("tile", "electrode", {"pin": "TP1.1 J3.1"}, 1),
        ("electrode", "electrode", {"pin": "E1.pad"}, 1),
    ],
)
def test_a_wiring_that_is_not_the_boards_is_found(
    kind: str, name: str, fields: dict[str, str], faults: int
) -> None:
    rows = changed(kind, name, **fields)
    which = kind if kind in MAKERS else "carrier"
    assert len(wire_faults(which, rows)) == faults


def test_a_net_that_only_the_wiring_has_is_found() -> None:
    extra = dict.fromkeys(ROWS[0], "") | {"kind": "carrier", "name": "spare", "pin": "M1.3Vo"}
    assert wire_faults("carrier", [*ROWS, extra]) == [
        "wiring.csv has a net spare of the carrier, which its board has not."
    ]


@pytest.mark.parametrize(
    ("kind", "name", "fields", "said"),
    [
        ("pad", "D1", {"plug": "J1.3"}, "J1.3 of the carrier is on C1 and on D1"),
        ("pad", "D1", {"plug": "J1.13"}, "the carrier has no pin J1.13"),
        ("carrier", "supply", {"pin": "J6.1 F9.1"}, "the carrier has no pin F9.1"),
        ("tile", "light-in", {"pin": "J1.2 D1.DATA"}, "the tile has no pin D1.DATA"),
    ],
)
def test_a_wiring_that_no_board_can_have_is_refused(
    kind: str, name: str, fields: dict[str, str], said: str
) -> None:
    with pytest.raises(wires.WiringError, match=said):
        wire_faults("tile" if kind == "tile" else "carrier", changed(kind, name, **fields))


def test_lights_in_another_order_than_the_tile_has_them_are_refused() -> None:
    rows = changed("cell-led", "far-left", lights="1")
    next(row for row in rows if row["name"] == "far-right")["lights"] = "0"
    with pytest.raises(wires.WiringError, match="the cell-led rows say far-right, far-left"):
        tile(rows)


def test_a_part_that_the_list_lacks_is_found() -> None:
    assert [*check.part_faults("carrier", TEXTS["carrier"], LISTED - {"mosfet-p"})] == [
        "parts.csv has no mosfet-p, which is Q1 of the carrier."
    ]


# What the boards are made with


def test_an_expression_is_written_as_it_was_read() -> None:
    text = '(a "say \\"so\\"" 1.5\n\t(b c)\n\t(d\n\t\t(e "")\n\t)\n)'
    assert dump(parse(text)) == text
    with pytest.raises(ValueError, match="not one closed bracket"):
        parse("(a (b)")


def pad(net: str, x: float, y: float, *layers: int) -> Pad:
    return Pad(net, layers or (0,), (x, y), (0.5, 0.5))


def test_the_router_goes_round_what_is_in_its_way_and_does_so_again() -> None:
    wall = Pad("wall", (0, 1), (0.0, 1.0), (0.5, 4.0))
    pads = [pad("a", -5, 0), pad("a", 5, 0), wall]
    tracks, vias = route(20, 20, 0.5, pads, ([], []), ("a",))
    assert vias == []
    assert any(y <= -3.5 for track in tracks for _, y in track.points), "round the wall's near end"
    assert route(20, 20, 0.5, pads, ([], []), ("a",)) == (tracks, vias)


def test_the_router_changes_sides_where_it_has_to() -> None:
    pads = [pad("a", -5, 0), pad("a", 5, 0), Pad("wall", (0,), (0.0, 0.0), (0.5, 10.0))]
    tracks, vias = route(20, 20, 0.5, pads, ([], []), ("a",))
    assert len(vias) == 2
    assert {track.layer for track in tracks} == {"F.Cu", "B.Cu"}


def test_the_router_sets_no_via_into_a_pad_that_is_soldered_flat() -> None:
    pads = [pad("a", -5, 0, 0), pad("a", 5, 0, 1)]
    _, vias = route(20, 20, 0.5, pads, ([], []), ("a",))
    assert len(vias) == 1
    assert min(each.gap(*vias[0].place) for each in pads) >= VIA / 2


@pytest.mark.parametrize("name", MAKERS)
def test_no_drill_file_is_without_a_hole(name: str) -> None:
    drills = [*(FOLDER / name / "gerbers").glob("*.drl")]
    assert drills
    for drill in drills:
        assert re.search(r"^X[-\d.]+Y[-\d.]+$", drill.read_text("utf-8"), re.MULTILINE), drill.name


def test_the_router_says_which_net_finds_no_way() -> None:
    pads = [pad("a", -5, 0), pad("a", 5, 0), Pad("wall", (0, 1), (0.0, 0.0), (0.5, 10.0))]
    with pytest.raises(NoWayError, match="no way for a"):
        route(20, 20, 0.5, pads, ([], []), ("a",), tries=2)


def test_the_hole_below_the_spring_takes_its_peg() -> None:
    land = (FOLDER / "library/pi-table.pretty/Contact_Spring.kicad_mod").read_text("utf-8")
    assert f"(drill {MM['peg_hole']:g})" in land
    assert '(layers "*.Cu" "*.Mask")' in land, "bare on both sides"
