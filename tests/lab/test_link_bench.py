"""The benchmark of the link: the real program, the real firmware, and what lies between."""

from typing import Any

import pytest

from pi_table.lab.bench import link
from pi_table.lab.bench.contents import subject_of

pytestmark = pytest.mark.paced


def test_fingers_are_answered_through_the_firmware() -> None:
    measured: dict[str, Any] = {
        str(m["name"]): m for m in link.measure(touches=3, guesses=2, cost_seconds=0.1)
    }
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    glow, reveal = measured["link/touch_to_glow"], measured["link/hold_end_to_reveal"]
    of_the_pi = measured["link/pi/touch_to_glow"], measured["link/pi/hold_end_to_reveal"]
    for spread, times in ((glow, 3), (reveal, 2), (of_the_pi[0], 3), (of_the_pi[1], 2)):
        assert spread["times"] == times
        assert spread["unit"] == "ms"
        assert spread["value"] <= spread["p99"] <= spread["p99.9"] <= spread["max"]
    # How long the chip takes depends on where in its scan the finger comes; but a light cannot come
    # before a touch.
    assert glow["value"] > 0
    # Where the machine is busy, the emulator lags behind the clock by which the hold ends.
    assert reveal["value"] > -link.HOLD_MS
    for what in ("at_rest", "held"):
        assert measured[f"link/pi/core/{what}"]["value"] >= 0
        for bus in link.BUSES_HZ:
            assert 0 < measured[f"link/pi/bus/{what}/{bus // 1000}_khz"]["value"] < 100
    assert measured["link/bit_worst_ns"]["value"] <= 150
    assert measured["link/off_worst_us"]["value"] <= 60
    assert measured["link/overruns"]["value"] == 0
    for name, most in (("chip_brown_out", 1000), ("firmware_hang", 2000)):
        assert 0 < measured[f"link/recovery/{name}"]["value"] < most
