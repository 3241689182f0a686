"""`hardware/wiring.csv` is the only truth: what is made from it, and what must agree with it."""

import re
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pi_table.common import config
from pi_table.common.geometry import CELLS, LED_COUNT, LEDS_OF_CELL, PLACES, leds_of

ROOT = Path(__file__).parents[2]
WIRING = ROOT / "hardware" / "wiring.csv"
GENERATOR: dict[str, Any] = runpy.run_path(str(ROOT / "firmware" / "wiring.py"))


def rows() -> list[dict[str, str]]:
    found: list[dict[str, str]] = GENERATOR["rows_of"](WIRING)
    return found


def numbers(macro: str, header: str) -> list[int]:
    (text,) = re.findall(rf"^#define {macro} (.*)$", header, re.M)
    return [int(number) for number in re.findall(r"\d+", text)]


def test_the_firmware_has_every_electrode_where_the_table_says() -> None:
    pads = numbers("WIRING_PADS", GENERATOR["header"](rows()))
    named = [*PLACES, "far", "left", "right", "near"]
    for row in rows():
        if row["kind"] in ("pad", "rim"):
            electrode = 12 * (int(row["chip"], 16) - 0x5A) + int(row["channel"])
            assert pads[electrode] == named.index(row["name"])
    assert sorted(pad for pad in pads if pad != 255) == list(range(31))


def test_the_firmware_has_every_light_where_the_table_says() -> None:
    header = GENERATOR["header"](rows())
    lights = numbers("WIRING_LIGHTS", header)
    for row in rows():
        if row["kind"] == "pad":
            first, last = map(int, row["lights"].split("-"))
            assert {*lights[first : last + 1]} == {*leds_of(PLACES.index(row["name"]))}
    assert sorted(lights) == [*range(LED_COUNT)]
    assert numbers("WIRING_LIGHT_COUNT", header) == [LED_COUNT]


def corner(kind: str, name: str) -> int:
    """Which light of a place's run of the strip the table gives to this LED of it."""
    (light,) = (int(row["lights"]) for row in rows() if (row["kind"], row["name"]) == (kind, name))
    return light


def test_in_each_cell_the_strip_goes_round_as_the_table_says() -> None:
    lights = numbers("WIRING_LIGHTS", GENERATOR["header"](rows()))
    for kind, names in (
        ("cell-led", ["far-left", "far-right", "near-right", "near-left"]),
        ("pad-led", ["left", "right"]),
    ):
        for row in rows():
            if row["kind"] == "pad" and (row["name"] in CELLS) == (kind == "cell-led"):
                first = int(row["lights"].split("-")[0])
                leds = leds_of(PLACES.index(row["name"]))
                for led, name in zip(leds, names, strict=True):
                    assert lights[first + corner(kind, name)] == led


def test_a_strip_that_goes_round_the_other_way_is_told_the_other_way() -> None:
    changed = rows()
    for row in changed:
        if row["kind"] == "cell-led":
            row["lights"] = str((4 - int(row["lights"])) % 4)
    lights = numbers("WIRING_LIGHTS", GENERATOR["header"](changed))
    assert lights[:8] == [0, 3, 2, 1, 4, 7, 6, 5]
    assert lights[100:] == [100, 101, 102, 103]


def test_the_strip_runs_to_and_fro_without_a_jump() -> None:
    """A strip that is laid in rows: one place and the next are neighbours."""
    lights = numbers("WIRING_LIGHTS", GENERATOR["header"](rows()))
    cells = [led // LEDS_OF_CELL for led in lights if led // LEDS_OF_CELL < len(CELLS)]
    for one, next_ in pairwise(cells):
        across, along = abs(one % 5 - next_ % 5), abs(one // 5 - next_ // 5)
        assert across + along <= 1


def test_the_console_is_wired_to_the_pins_that_the_configuration_has() -> None:
    console = config.load().console
    pins = {row["name"]: row["pin"] for row in rows() if row["kind"] == "pi"}
    assert {*pins} == {"encoder_a", "encoder_b", "press", "back", "peek"}
    for name, pin in pins.items():
        assert f"GPIO{getattr(console, name)}" == pin


def test_the_case_is_wired_to_the_pins_that_the_configuration_has() -> None:
    panel = config.load().panel
    pins = {row["name"]: row["pin"] for row in rows() if row["kind"] == "panel"}
    assert {*pins} == {"status_led", "switch_off"}
    assert f"GPIO{panel.status_led}" == pins["status_led"]
    # GPIO3, with which a Pi can be started, is the touch chips' clock where it reads them.
    assert panel.switch_off == 3
    assert "GPIO3" in {row["pin"] for row in rows() if row["kind"] == "controller"}


def test_every_row_is_of_a_kind_that_is_known() -> None:
    kinds = {"pad", "cell-led", "pad-led", "rim", "nano", "pi", "controller", "panel", "amplifier"}
    boards = {"tile", "electrode", "guard", "carrier"}
    assert {row["kind"] for row in rows()} == kinds | boards


@pytest.mark.parametrize(
    ("name", "column", "wrong"),
    [
        ("B1", "name", "Z9"),
        ("B1", "name", "A1"),
        ("B1", "channel", "0"),
        ("B1", "channel", "12"),
        ("B1", "chip", "0x5D"),
        ("B1", "lights", "0-3"),
        ("B1", "lights", "4-6"),
        ("B1", "lights", "4-8"),
        ("end-turn", "lights", "100-103"),
        ("far-left", "lights", "1"),
        ("far-left", "lights", "4"),
        ("far-left", "name", "top"),
        ("far-left", "kind", "pad-led"),
        ("right", "lights", "0"),
        ("lights", "pin", "B3"),
        ("far", "kind", "pad"),
    ],
)
def test_a_table_that_cannot_be_built_is_refused(name: str, column: str, wrong: str) -> None:
    changed = rows()
    next(row for row in changed if row["name"] == name)[column] = wrong
    with pytest.raises(GENERATOR["WiringError"]):
        GENERATOR["header"](changed)
