"""Bought modules: their facts are whole, boards and wires agree with them, planted faults are told.

The old carrier's breakout, drawn from a revision before 2021, is among the faults.
"""

import re
from pathlib import Path

import pytest
from test_boards import ROWS, changed, symbols_of_the_sheets  # noqa: F401

from hardware import modules
from hardware.boards import symbols
from hardware.boards.carrier_board import carrier
from hardware.boards.tile_board import tile
from hardware.modules import ModulesError, footprint_of, read

FACTS = read()
TEXT = modules.FILE.read_text("utf-8")
BREAKOUT = FACTS.modules["mpr121-breakout"]
FOOTPRINT = footprint_of(BREAKOUT.symbol)


def planted(old: str, new: str) -> modules.Facts:
    """The facts, with something else in their text."""
    assert old in TEXT
    return read(TEXT.replace(old, new))


def wired(kind: str, name: str, pin: str) -> list[str]:
    """What is told of the carrier with other ends of a net."""
    rows = changed(kind, name, pin=pin)
    return [*modules.voltage_faults(FACTS, carrier(rows), rows)]


def test_the_table_has_no_fault() -> None:
    assert [*modules.faults()] == []


def test_a_breakout_whose_bus_is_mirrored_does_not_fit() -> None:
    """As that of before 2021: it would get its supply at ADDR."""
    text = re.sub(r"\(at (-?)([\d.]+) 7\.62\) \(size", _mirrored, FOOTPRINT)
    found = [*modules.footprint_faults(BREAKOUT, text)]
    assert len(found) == 6, "the middle one alone stays"
    assert [fault for fault in found if "has VIN 15.24 mm from its place" in fault]
    assert [fault for fault in found if "has ADDR 15.24 mm from its place" in fault]


OLD = {
    "+5V": "VIN",
    "GND": "GND M1.ADDR",
    "touch-data": "SDA",
    "touch-clock": "SCL",
    "touch-changed": "INT",
}
"""What the carrier of revision A had at the names of the three breakouts."""


def test_the_carrier_of_revision_a_is_refused() -> None:
    """Its sockets are those of the breakout before 2021: it gives today's 5 V at ADDR, and its bus
    is of 5 V."""
    text = re.sub(r"\(at (-?)([\d.]+) 7\.62\) \(size", _mirrored, FOOTPRINT)
    order = ("VIN", "3Vo", "GND", "ADDR", "SDA", "SCL", "INT")
    number = {name: f"{at}" for at, name in enumerate(order, 1)}
    rows = [row for row in ROWS if row["name"] not in (*OLD, "+3V3", "0x5B-3V3")]
    blank = dict.fromkeys(ROWS[0], "") | {"kind": "carrier"}
    for net, ends in OLD.items():
        first, *more = ends.split()
        pins = [f"M{chip}.{number[first]}" for chip in (1, 2, 3)]
        pins += [each.replace("ADDR", number["ADDR"]) for each in more]
        rows.append(blank | {"name": net, "pin": " ".join(pins)})
    facts = planted("touch-data = { volts = 3.4 }", "touch-data = { volts = 5.25 }")
    found = [*modules.voltage_faults(facts, carrier(rows), rows, lambda _: text)]
    assert len([*modules.footprint_faults(BREAKOUT, text)]) == 6
    for chip in (1, 2, 3):
        assert f"M{chip}.ADDR bears 3.6 V, and the net +5V has up to 5.25 V." in found
        assert f"M{chip}.GND bears 0 V, and the net touch-data has up to 5.25 V." in found
        assert f"M{chip}.VIN bears" not in " ".join(found)


def _mirrored(found: re.Match[str]) -> str:
    return f"(at {'' if found[1] else '-'}{found[2]} 7.62) (size"


def test_a_pin_that_the_footprint_lacks_is_told() -> None:
    facts = planted("INT = { at", "RST = { at = [0, 0], volts = 3.6 }\nINT = { at")
    module = facts.modules["mpr121-breakout"]
    (found,) = modules.footprint_faults(module, FOOTPRINT)
    assert found == "mpr121-breakout: the footprint lacks the module's pin RST."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[33.02, 19.05]", "[35, 19.05]", "35 x 19.05 mm, and its footprint has 33.02 x 19.05 mm"),
        ("[33.02, 19.05]", "[33.02, 17]", "and the plan of the table of one evening has 34 x 20"),
        ("[17.78, 19.05]", "[17.78, 24]", "24 mm, and its place in the box has 27.4 x 19.4 mm"),
        ("[17.78, 19.05]", "[10, 10]", "10 x 10 mm, and its place in the box has 27.4 x 19.4 mm"),
    ],
)
def test_a_board_of_another_size_is_told(old: str, new: str, said: str) -> None:
    assert any(said in fault for fault in modules.place_faults(planted(old, new)))


def test_a_footprint_without_an_outline_is_refused() -> None:
    with pytest.raises(ModulesError, match=r"no outline on F\.Fab"):
        modules.outline_of(FOOTPRINT.replace("F.Fab", "F.Cu"))


def test_5_volts_on_a_pin_for_3_are_told() -> None:
    rows = [dict(row) for row in ROWS]
    for row in rows:
        if (row["kind"], row["name"]) == ("carrier", "GND"):
            row["pin"] = row["pin"].replace(" M1.ADDR", "")
        if (row["kind"], row["name"]) == ("carrier", "+5V"):
            row["pin"] += " M1.ADDR"
    assert [*modules.voltage_faults(FACTS, carrier(rows), rows)] == [
        "M1.ADDR bears 3.6 V, and the net +5V has up to 5.25 V."
    ]


@pytest.mark.parametrize(
    ("name", "pin", "said"),
    [
        ("0x5B-3V3", "M2.3Vo M2.ADDR M3.3Vo", "M2.3Vo and M3.3Vo both give voltage"),
        ("+3V3", "J4.1 M1.VIN M2.VIN M3.VIN M1.3Vo", "J4.1 and M1.3Vo both give voltage"),
    ],
)
def test_two_givers_on_one_net_are_told(name: str, pin: str, said: str) -> None:
    assert any(said in fault for fault in wired("carrier", name, pin))


def test_a_rail_that_is_fed_through_a_diode_is_told() -> None:
    """As the lights once hung on the Nano's diode while their supply was off."""
    rows = [dict(row) for row in ROWS]
    for row in rows:
        if (row["kind"], row["name"]) == ("carrier", "GND"):
            row["pin"] = row["pin"].replace(" D2.2", "")
        if (row["kind"], row["name"]) == ("carrier", "lights-out"):
            row["pin"] = row["pin"].replace(" D2.1", "")
        if (row["kind"], row["name"]) == ("carrier", "+5V"):
            row["pin"] += " D2.1"
        if (row["kind"], row["name"]) == ("carrier", "+3V3"):
            row["pin"] += " D2.2"
    assert [*modules.rail_faults(FACTS, carrier(rows), rows)] == [
        "D2 of the carrier lies between the supplies +3V3 and +5V."
    ]


def test_a_bus_of_5_volts_is_too_much_for_chips_and_for_the_pi() -> None:
    facts = planted("touch-changed = { volts = 3.4 }", "touch-changed = { volts = 5.25 }")
    found = [*modules.voltage_faults(facts, carrier(ROWS), ROWS)]
    assert found == [
        f"M{number}.INT bears 3.6 V, and the net touch-changed has up to 5.25 V."
        for number in (1, 2, 3)
    ]
    (at_the_pi,) = modules.wire_faults(facts, ROWS)
    assert at_the_pi == "GPIO26 bears 3.4 V, and its net touch-changed has up to 5.25 V."


def test_a_net_of_unknown_voltage_is_told() -> None:
    facts = planted("touch-clock = { volts = 3.4 }\n", "")
    found = [*modules.voltage_faults(facts, carrier(ROWS), ROWS)]
    assert found == ["modules.toml does not say how many volts the net touch-clock has."]


def test_a_wire_to_a_pin_that_a_module_has_not_is_told() -> None:
    rows = changed("amplifier", "LRC", name="WS")
    assert [*modules.wire_faults(FACTS, rows)] == [
        "wiring.csv leads to WS of the amplifier, which has no such pin."
    ]


def test_a_bought_board_without_facts_is_told(tmp_path: Path) -> None:
    parts = tmp_path / "parts.csv"
    parts.write_text("id,what\nclock,clock breakout\nmpr121-breakout,MPR121 breakout\n")
    assert [*modules.list_faults(FACTS, [parts])] == [
        "modules.toml has no clock, a bought board of parts.csv."
    ]


def test_plugs_that_fit_each_other_and_carry_something_else_are_told() -> None:
    """As a feed and an electrode's lead once did: 5 V met a touch chip."""
    board = tile(ROWS)
    parts = tuple(
        part if part.ref != "J4" else type(part)(**{**vars(part), "kind": "xh-header-2"})
        for part in board.parts
    )
    mixed = type(board)(**{**vars(board), "parts": parts})
    rows = changed("tile", "GND", pin="J1.3 J2.3 J4.2")
    assert [*modules.plug_faults([mixed], rows)] == [
        "J4 of the tile and J3 of the tile fit each other, and pin 1 is +5V at one and an "
        "electrode at the other."
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        TEXT.replace("seen = 2026-11-28", 'seen = "yesterday"', 1),
        TEXT.replace("source = ", "heard = ", 1),
        TEXT.replace("revision = ", "version = ", 1),
        TEXT.replace("size = ", "weight = ", 1),
    ],
)
def test_a_module_without_its_source_is_refused(wrong: str) -> None:
    with pytest.raises(ModulesError, match="mpr121-breakout lacks its revision, its source"):
        read(wrong)


def test_every_module_on_a_board_is_held_by_a_symbol_of_this_project() -> None:
    held = {part.symbol for part in carrier(ROWS).parts}
    for module in FACTS.modules.values():
        assert not module.symbol or module.symbol in held
        assert not module.symbol or symbols.pins(module.symbol)


@pytest.mark.parametrize("check", [name for name in vars(modules) if name.endswith("_faults")])
def test_no_check_is_forgotten(monkeypatch: pytest.MonkeyPatch, check: str) -> None:
    monkeypatch.setattr(modules, check, lambda *_: iter(["found"]))
    assert "found" in [*modules.faults()]
