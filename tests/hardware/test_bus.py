"""The touch chips' bus is fast enough for 400 kHz, and each of its limits can fail."""

import re

import pytest

from hardware.bus import FILE, Bus, breakouts, faults
from hardware.evening_design import parts
from hardware.figures import read, values
from hardware.modules import GPIO_VOLTS
from pi_table.maintenance.bring_up.pi_controller_findings import FAST_HZ

FIGURES = values(read(FILE))


def bus(**other: float) -> Bus:
    return Bus({**FIGURES, **other})


def test_the_bus_of_the_table_holds() -> None:
    assert [*faults(Bus())] == []
    assert FAST_HZ == 400_000, "the limits are those of this speed"


def test_the_bus_of_the_table_of_one_evening_is_shorter() -> None:
    cables = [row for row in parts() if row["id"] in ("cable-pi", "cable-breakouts")]
    lengths = [int(re.findall(r"(\d+) mm,?", row["key_figures"])[0]) for row in cables]
    counts = [int(row["quantity"]) for row in cables]
    assert sum(map(int.__mul__, lengths, counts)) / 1000 < Bus().metres


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (Bus(metres=2), "A line has 465 pF; 400 are the most"),
        (Bus(metres=2), "A line rises within 340 ns; 300 are the most"),
        (Bus(breakouts=4), "A line has 408 pF"),
        (bus(pi_pull=1e9), "A line rises within 407 ns"),
        (bus(pi_pull=680), "A device sinks 7.04 mA; 6 are the most"),
        (bus(breakout_pull=47_000), "A line rises within 947 ns"),
        (bus(breakout_pull=4_700, pi_pull=900), "A device sinks 8"),
        (bus(transistor=60), "A line has 508 pF"),
    ],
)
def test_a_bus_that_is_too_slow_or_too_strong_is_told(wrong: Bus, why: str) -> None:
    assert [fault for fault in faults(wrong) if fault.startswith(why)], [*faults(wrong)]


def test_the_longest_wire_just_holds() -> None:
    reach = Bus().reach
    assert [*faults(Bus(metres=reach - 0.01))] == []
    assert [*faults(Bus(metres=reach + 0.01))] != []


def test_a_line_without_transistors_rises_as_the_standard_says() -> None:
    """0.8473 · R · C, from 30 to 70 %."""
    plain = bus(transistor_volts=0.0)
    assert plain.nanoseconds == pytest.approx(0.8473e-3 * plain.ohms * plain.picofarads, rel=1e-4)


def test_what_is_on_the_bus_is_what_the_wiring_and_the_modules_say() -> None:
    assert breakouts() == 3
    assert Bus().volts == GPIO_VOLTS
