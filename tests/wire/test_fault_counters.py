"""Counts of wire errors continue, whichever end starts again."""

from typing import Any

import pytest
from msgspec.structs import replace

from pi_table.devices.hal.contracts import Counts
from pi_table.devices.wire.fault_counters import FaultCounters
from pi_table.devices.wire.messages import Hello, Origin, RestartCause, Start, State

NEVER, SILENT, BROWN_OUT, OVER_CURRENT = RestartCause
HELLO = Hello((0, 4, 0), 7, Start.POWER, frozenset({0, 1, 2}), 104, Origin.STORED)
STATE = State(
    boot=7,
    sequence=10,
    uptime_ms=1000,
    applied=0,
    chips=frozenset({0, 1, 2}),
    water=False,
    rim=False,
    dark=False,
    starving=False,
    touched=frozenset(),
    heavy=frozenset(),
    deaf=frozenset(),
    noisy=frozenset(),
    counters=(0,) * 27,
    restarts=(NEVER, SILENT, NEVER),
    restarted=250,
    dropped=255,
    lost=3,
    current_ma=100,
    check=0,
)


def counted(*happened: Hello | State) -> dict[str, int]:
    """Return the counts after these messages, without zeros."""
    counters = FaultCounters()
    before: State | None = None
    for each in happened:
        if isinstance(each, Hello):
            counters.on_hello(each)
            before = None
        else:
            counters.on_state(each, follows=before is not None)
            before = each
    Counts(**counters.counts)  # each has a name there
    return {name: count for name, count in counters.counts.items() if count}


def after(state: State = STATE, **changed: Any) -> State:
    return replace(state, sequence=(state.sequence + 1) % 65536, **changed)


def test_what_was_before_the_first_state_does_not_count() -> None:
    assert counted(HELLO, STATE, after()) == {}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"dropped": 1}, {"commands_damaged": 2}),  # it wraps
        ({"lost": 5}, {"bytes_lost": 2}),
        ({"starving": True}, {"lights_capped": 1}),
        ({"restarted": 251, "restarts": (NEVER, SILENT, OVER_CURRENT)}, {"over": 1}),
        ({"restarted": 252, "restarts": (BROWN_OUT, SILENT, OVER_CURRENT)}, {"brown+over": 1}),
        ({"restarted": 251}, {"silent again": 1}),
    ],
)
def test_what_a_state_tells_is_counted(changed: dict[str, Any], expected: dict[str, int]) -> None:
    as_counts = {
        "over": {"chip_restarts": 1, "chips_over_current": 1},
        "brown+over": {"chip_restarts": 2, "chips_brown_out": 1, "chips_over_current": 1},
        "silent again": {"chip_restarts": 1, "chips_silent": 1},
    }
    (name,) = expected
    found = counted(HELLO, STATE, after(**changed), after(after(**changed)))
    assert found == as_counts.get(name, expected)


def test_a_chip_that_is_back_is_counted_by_its_own_cause() -> None:
    """The cause is known while the chip is away, so it does not change when the chip is back."""
    away = after(chips=frozenset({0, 1}), restarts=(NEVER, SILENT, OVER_CURRENT))
    assert counted(HELLO, STATE, away, after(away)) == {}
    back = after(away, chips=STATE.chips, restarted=251)
    assert counted(HELLO, STATE, away, back) == {"chip_restarts": 1, "chips_over_current": 1}


def test_a_chip_that_stays_away_is_not_counted_for_another_that_is_back() -> None:
    away = after(chips=frozenset({0}), restarts=(NEVER, BROWN_OUT, SILENT))
    back = after(
        away,
        chips=frozenset({0, 1}),
        restarts=(NEVER, BROWN_OUT, OVER_CURRENT),
        restarted=251,
    )
    assert counted(HELLO, STATE, away, back) == {"chip_restarts": 1, "chips_brown_out": 1}


def test_lights_that_stay_dimmed_count_once_and_again_when_they_are_dimmed_anew() -> None:
    dimmed, calm = after(starving=True), after(starving=False)
    states = [
        replace(each, sequence=11 + at) for at, each in enumerate((dimmed, dimmed, calm, dimmed))
    ]
    assert counted(HELLO, STATE, *states) == {"lights_capped": 2}


def test_states_that_are_missing_are_counted_over_the_end_of_the_numbers() -> None:
    last = replace(STATE, sequence=65534)
    assert counted(HELLO, last, replace(STATE, sequence=2)) == {"frames_missing": 3}


def test_what_was_said_while_the_link_was_lost_is_not_missing() -> None:
    counters = FaultCounters()
    counters.on_hello(HELLO)
    counters.on_state(STATE, follows=False)
    counters.on_lost()
    counters.on_hello(HELLO)
    counters.on_state(replace(STATE, sequence=500, lost=4), follows=False)
    assert {**counters.counts, "frames_missing": 0} == {
        **dict.fromkeys(("frames_missing", "commands_damaged", "lights_capped"), 0),
        "link_lost": 1,
        "bytes_lost": 1,
        "chip_restarts": 0,
    }


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (Start.POWER, {}),
        (Start.RESET_LINE, {}),
        (Start.WATCHDOG, {"watchdog_starts": 1}),
        (Start.BROWN_OUT, {"brown_outs": 1}),
    ],
)
def test_a_controller_that_starts_anew_is_counted_and_counts_from_none(
    start: Start, more: dict[str, int]
) -> None:
    anew = replace(HELLO, boot=8, start=start)
    first = replace(STATE, boot=8, sequence=0, dropped=0, lost=2, restarted=1)
    assert counted(HELLO, STATE, anew, first, anew) == {
        "controller_starts": 1,
        "bytes_lost": 2,
        "chip_restarts": 1,
        "chips_silent": 1,
        **more,
    }


def test_a_port_that_goes_is_counted() -> None:
    counters = FaultCounters()
    counters.on_unplugged()
    assert counters.counts == {"unplugged": 1}
