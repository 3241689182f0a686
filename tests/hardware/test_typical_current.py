"""The current of the lights in games is that of the power budget."""

import pytest

from hardware.power import Budget
from pi_table.common.light_layout import preset
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.strip import CHANNEL_MA, IDLE_MA, pulses_of
from pi_table.lab.clips import CLIPS, Clip
from pi_table.lab.gallery import moments

FRAMES_PER_SECOND = 10
NO_CAP = 10**6


def amperes(frame: LightFrame, most_ma: int = NO_CAP) -> float:
    pulses = pulses_of(frame, most_ma, preset("tiles"))
    lit = sum(sum(pulse.to_bytes(3, "big")) for pulse in pulses)
    return (lit * CHANNEL_MA / 255 + IDLE_MA * len(pulses)) / 1000


def frames(clip: Clip) -> list[LightFrame]:
    """Return the frames of light while the clip runs."""
    return [device.shown for _, _, device in moments(clip, FRAMES_PER_SECOND)]


def test_white_draws_what_the_budget_says_of_it_and_a_cap_holds() -> None:
    white = (0xFFFFFF,) * sum(Budget().chain.values())
    assert amperes(white) == pytest.approx(Budget().all_white)
    assert amperes(white, 2000) <= Budget().cap


@pytest.mark.torture
def test_a_game_draws_what_the_budget_takes_for_typical_and_the_cap_bites_in_few_clips() -> None:
    courses = {clip.name: [amperes(frame) for frame in frames(clip)] for clip in CLIPS}
    means = [sum(course) / len(course) for course in courses.values()]
    beyond = {name: max(course) for name, course in courses.items() if max(course) > Budget().cap}
    print(f"mean {sum(means) / len(means):.2f} A, {min(means):.2f} to {max(means):.2f}; {beyond}")
    typical = Budget().figures["lights_typical"]
    assert sum(means) / len(means) == pytest.approx(typical, abs=0.05)
    assert max(means) < Budget().cap
    assert len(beyond) <= 6
