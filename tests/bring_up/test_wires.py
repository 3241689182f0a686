"""The wires in the program are those of `hardware/wiring.csv`."""

import csv
from pathlib import Path

import pytest

from hardware.dimensions import MM
from hardware.electrode_design import Design
from pi_table.common.geometry import PLACES
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up.wiring import (
    CHAIN,
    CHAIN_IN,
    CHAIN_OUT,
    CORNERS,
    ELECTRODES,
    LEAD,
    SIDES,
    address,
    are_neighbours,
    strip_of,
)
from pi_table.maintenance.bring_up.wiring_faults import OVERLAY_MM, thickness

HARDWARE = Path(__file__).parents[2] / "hardware"
with (HARDWARE / "wiring.csv").open(encoding="utf-8") as file:
    ROWS = [*csv.DictReader(file)]
WIRED = {row["name"]: row for row in ROWS if row["kind"] in ("pad", "rim")}


def test_every_pad_hangs_where_the_table_of_wires_says() -> None:
    assert {*WIRED} == {*PADS}
    for name, electrode in zip(PADS, ELECTRODES, strict=True):
        row = WIRED[name]
        assert (address(electrode.chip), str(electrode.channel)) == (row["chip"], row["channel"])
        assert electrode.plug == row["plug"]


def test_the_chain_goes_through_the_places_as_the_table_of_wires_says() -> None:
    for place, name in enumerate(PLACES):
        first, last = map(int, WIRED[name]["lights"].split("-"))
        assert strip_of(place) == range(first, last + 1)
    assert [PLACES[place] for place in CHAIN] == sorted(
        PLACES, key=lambda name: int(WIRED[name]["lights"].split("-")[0])
    )


def test_the_lights_of_a_place_have_their_names_in_the_order_of_the_strip() -> None:
    for kind, names in (("cell-led", CORNERS), ("pad-led", SIDES)):
        rows = [row for row in ROWS if row["kind"] == kind]
        rows.sort(key=lambda row: int(row["lights"]))
        assert tuple(row["name"].replace("-", " ") for row in rows) == names


@pytest.mark.parametrize(
    ("first", "second", "are"),
    [
        ("A1", "B1", True),
        ("A1", "A2", True),
        ("E1", "A2", True),  # their channels are 4 and 5 of one chip
        ("A1", "B2", False),
        ("E2", "A3", False),
        ("far", "left", True),
        ("near", "hourglass", True),
        ("near", "right", False),
    ],
)
def test_who_lies_beside_whom(first: str, second: str, are: bool) -> None:
    one, other = PADS.index(first), PADS.index(second)
    assert are_neighbours(one, other) is are
    assert are_neighbours(other, one) is are


def test_the_overlay_is_as_thick_as_the_table_is_drawn_for() -> None:
    assert MM["overlay_thickness"] == OVERLAY_MM


@pytest.mark.parametrize("millimetres", [2.0, 3.0, 4.0, 5.0, 6.0, 8.0])
def test_the_thickness_that_counts_suggest_is_that_by_which_the_electrodes_are_reckoned(
    millimetres: float,
) -> None:
    design = Design()
    counts = design.touch_counts(design.farthest, overlay=millimetres)
    assert thickness(counts) == pytest.approx(millimetres, abs=0.3)


def test_the_plugs_of_a_tile_are_those_of_the_table_of_wires() -> None:
    ends = {row["name"]: row["pin"].split() for row in ROWS if row["kind"] == "tile"}
    assert f"{CHAIN_IN}.2" in ends["light-in"]
    assert f"{CHAIN_OUT}.2" in ends["light-out"]
    assert f"{LEAD}.1" in ends["electrode"]
