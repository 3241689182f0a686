"""The power budget holds, for the cap that the firmware holds, and each of its checks can fail."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from hardware import leads
from hardware.boards.kinds import KINDS
from hardware.figures import fact, read, values
from hardware.network import Network, worst_currents, worst_loss
from hardware.parts import read as parts
from hardware.places import centre, chain, fed, wiring
from hardware.power import FILE, Budget, cap, faults, square_millimetres
from pi_table.common.config import load
from pi_table.common.geometry import LED_COUNT, PLACE_COUNT
from pi_table.devices.wire import codec, commands
from pi_table.devices.wire.messages import State
from pi_table.devices.wire.messages import read as read_message
from pi_table.simulator.emulated import EmulatedTable

FIGURES = values(read(FILE))


def budget(amperes: float = 2.0, **other: float) -> Budget:
    return Budget({**FIGURES, **other}, amperes)


def test_the_budget_of_the_table_holds() -> None:
    assert [*faults(Budget())] == []


def test_the_firmware_holds_the_cap_that_the_budget_begins_with() -> None:
    white = commands.lights((0xFFFFFF,) * LED_COUNT, range(PLACE_COUNT))
    with EmulatedTable("emulated") as table:  # with the settings that a new controller has
        table.run(150_000)
        for number, command in enumerate(white, 1):
            table.write(codec.frame(commands.write(command, number)))
        table.run(300_000)
        told = [read_message(each) for each in codec.Deframer().feed(table.read())]
        drawn = table.stats["current_worst_ma"] / 1000
    assert isinstance(told[-1], State)
    assert told[-1].starving
    reckoned = Budget()
    print(f"all white: {drawn:.3f} A drawn, {reckoned.cap:.3f} A reckoned with", end=" ")
    assert 0.98 * reckoned.cap < drawn <= reckoned.cap < reckoned.all_white


def test_the_pi_holds_the_same_cap_where_it_drives_the_lights() -> None:
    assert load().lights.max_milliamps == round(1000 * cap())


def test_a_fact_that_the_firmware_does_not_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "facts.txt"
    file.write_text("DEFAULT_TOUCH 7\n")
    with pytest.raises(ValueError, match="has no DEFAULT_MA"):
        fact("DEFAULT_MA", file)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (budget(2.5), "3.30 A is more than 80 % of the fuse's 4 A: it would open in a game"),
        (budget(6.5), "The worst case of 7.30 A is more than the supply's 6 A"),
        (budget(supply_amps=3.0), "The supply's 3 A are 7 % more than the worst case of 2.80 A"),
        (budget(chain_awg=28), "A light gets 4.2"),
        (budget(contact=0.04), r"0.4\d V are lost. Thicker wire or more feeds are needed"),
        (budget(fuse_amps=3.15), "2.80 A is more than 80 % of the fuse's 3.15 A"),
        (budget(fuse_amps=6.3), "A fuse of 6.3 A opens at 13.2 A, and the supply gives 9.6 A"),
        (budget(mosfet_ohms=0.06), r"0.4\d V are lost"),
        (budget(fuse_amps=10.0), "The fuse of 10 A lets a wire burn that bears 7 A"),
        (budget(contact_amps=1.5), r"no cap at all a contact carries 1.\d+ A, and bears 1.5 A"),
        (budget(contact=0.05), "Without the feed of end-turn a light gets 3."),
    ],
)
def test_what_does_not_hold_is_said(wrong: Budget, why: str) -> None:
    assert [each for each in faults(wrong) if re.search(why, each)], [*faults(wrong)]


def test_the_parts_that_are_bought_are_those_that_were_reckoned_with() -> None:
    of: Mapping[str, str] = {part.id: part.key_figures for part in parts()}
    assert f"{FIGURES['supply_volts']:g} V, {FIGURES['supply_amps']:g} A" in of["supply"]
    for lead in leads.sold():
        assert f"AWG {FIGURES['chain_awg']:g}, {FIGURES['contact_amps']:g} A" in of[lead]
    assert f"T {FIGURES['fuse_amps']:g} A" in of["fuse"]
    assert KINDS["fuse-holder"].value == f"T {FIGURES['fuse_amps']:g} A"
    assert {part.id: part.quantity for part in parts()}["ws2812b"] == LED_COUNT


# What it is reckoned with


def test_the_strip_comes_to_each_place_once_and_is_fed_where_a_row_begins() -> None:
    order = chain(wiring())
    assert len(order) == 27
    assert sum(order.values()) == LED_COUNT
    assert fed([*order]) == ["A1", "E2", "A3", "E4", "A5", "end-turn"]


def test_a_place_lies_where_the_pitch_has_it() -> None:
    assert centre("C3") == (0, 0)
    assert centre("A1") == (-200, 160)
    assert centre("hourglass") == (100, -240)


def test_a_wire_of_gauge_22_has_a_third_of_a_square_millimetre() -> None:
    assert square_millimetres(22) == pytest.approx(0.326, abs=0.001)


def test_a_cable_has_the_resistance_of_the_lead_that_is_bought() -> None:
    """From tile to tile: two wires of 203 mm, two contacts at each, and the tile's copper."""
    way = 0.203 * FIGURES["copper"] / square_millimetres(22)
    ohms = 2 * (way + 2 * FIGURES["contact"] + FIGURES["tile_copper"])
    assert Budget().network.links[:6] == pytest.approx([ohms] * 6)


def test_a_chain_loses_what_ohm_says() -> None:
    """Two tiles behind one feed of 1 Ω, 2 Ω apart; 1 A may be drawn by either, 1.5 A by both."""
    network = Network(("near", "far"), (2.0,), {"near": 1.0})
    assert [pytest.approx(row) for row in network.losses()] == [[1, 1], [1, 3]]
    assert worst_loss(network.losses(), [0, 0], [1, 1], 1.5) == pytest.approx(1 * 3 + 0.5 * 1)
    worst = worst_currents(network, [0, 0], [1, 1], 1.5)
    assert worst == pytest.approx({"near": 1.5, "near>": 1})


def test_a_chain_that_is_fed_at_both_ends_shares_what_it_carries() -> None:
    network = Network(("a", "b", "c"), (1.0, 1.0), {"a": 1.0, "c": 1.0})
    worst = worst_currents(network, [0, 0, 0], [0, 1, 0], 1.0)
    assert worst == pytest.approx({"a": 0.5, "c": 0.5, "a>": 0.5, "b>": 0.5})
    alone = worst_currents(network.without("a"), [0, 0, 0], [0, 1, 0], 1.0)
    assert alone == pytest.approx({"c": 1, "a>": 0, "b>": 1})


@pytest.mark.parametrize(
    "text",
    [
        'size = { value = 1, unit = "m", mark = "P" }',
        'size = { value = 1, unit = "m", mark = "SP", why = "It is." }',
        'size = { value = 1, unit = "m", mark = "P", why = "" }',
        'size = { value = "1", unit = "m", mark = "P", why = "It is." }',
        'size = { value = -1, unit = "m", mark = "P", why = "It is." }',
        "size = 1",
    ],
)
def test_a_figure_without_a_mark_or_a_reason_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "figures.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match="size"):
        read(file)


def test_the_pi_and_its_screen_have_a_supply_of_their_own() -> None:
    own = {load.what for load in Budget().loads if load.own}
    assert own == {"Raspberry Pi 5", "screen", "touch chips"}
    assert Budget().supply_currents == pytest.approx((0.58, 2.80))
