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


def _mirrored(found: re.Match[str]) -> str:
    return f"(at {'' if found[1] else '-'}{found[2]} 7.62) (size"


def test_a_pin_that_the_footprint_lacks_is_told() -> None:
    facts = planted("INT = { at", "RST = { at = [0, 0], volts = 3.6 }\nINT = { at")
    module = facts.modules["mpr121-breakout"]
    (found,) = modules.footprint_faults(module, FOOTPRINT)
    assert found == "mpr121-breakout: the footprint lacks the module's pin RST."


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
