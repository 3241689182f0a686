"""Touches are watched by raw counts alone, whatever the thresholds are."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from pi_table.devices.wire.settings import PAD_COUNT, PADS
from pi_table.maintenance.bring_up.raw_touch import (
    Pace,
    Quiets,
    Reading,
    Stage,
    Touch,
    during,
    quiet,
    snr,
    watch,
)

STEP = 0.02
LEVEL = 700
B3, C3, NEAR = PADS.index("B3"), PADS.index("C3"), PADS.index("near")
PACE = Pace(rest=0.2, settle=0.2, hold=0.4, after=0.1, patience=5.0)
Load = Callable[[float], float | None]
"""Load of a pad at a time, in counts; None: it cannot be read."""


def finger(begin: float, end: float, counts: float = 16) -> Load:
    return lambda at: counts if begin <= at < end else 0.0


class Table:
    """Readings of pads that do nothing but what is given, a wobble of two counts besides, and what
    was to be done when."""

    def __init__(self, loads: dict[int, Load]) -> None:
        self._loads = loads
        self.at = 0.0
        self.readings = self._read()
        self.told: list[tuple[float, Stage]] = []

    def _read(self) -> Iterator[Reading]:
        while True:
            self.at += STEP
            wobble = round(self.at / STEP) % 3 - 1
            counts = []
            for pad in range(PAD_COUNT):
                load = self._loads[pad](self.at) if pad in self._loads else 0.0
                counts.append(None if load is None else round(LEVEL - load) + wobble)
            yield Reading(self.at, tuple(counts))

    def noise(self, seconds: float = 1.0) -> Quiets:
        return quiet(during(self.readings, seconds))

    def watch(self) -> Touch:
        def tell(stage: Stage) -> None:
            self.told.append((round(self.at, 2), stage))

        return watch(self.readings, self.noise(), PACE, tell)

    @property
    def stages(self) -> list[Stage]:
        return [stage for _, stage in self.told]


def test_a_touch_is_its_median_over_the_time_that_it_is_held() -> None:
    table = Table({B3: finger(2.0, 3.5), C3: finger(2.0, 3.5, 4.0)})
    touch = table.watch()
    assert table.stages == [Stage.REST, Stage.TOUCH, Stage.HOLD, Stage.LIFT]
    assert touch.begun is not None
    assert 2.0 <= touch.begun <= 2.0 + 2 * STEP
    assert touch.deltas[B3] == pytest.approx(16, abs=0.3)
    assert touch.deltas[C3] == pytest.approx(4, abs=0.3)
    assert touch.deltas[NEAR] == pytest.approx(0, abs=0.3)
    assert touch.strongest() == B3
    assert touch.lifted


def test_a_finger_that_comes_down_slowly_does_not_count_until_it_lies() -> None:
    def load(at: float) -> float:
        return 0.0 if at < 2 else min(20.0, 100 * (at - 2.0)) if at < 4 else 0.0

    touch = Table({B3: load}).watch()
    assert touch.deltas[B3] == pytest.approx(20, abs=0.3)


def test_how_a_finger_lands_is_no_part_of_its_delta() -> None:
    # Pressing harder all the time: at the middle of the hold it is at 10 + 20 × 0.4.
    touch = Table({B3: lambda at: 10 + 20 * (at - 2) if 2 <= at < 3 else 0.0}).watch()
    assert touch.deltas[B3] == pytest.approx(18, abs=0.8)


def test_the_course_of_a_touch_is_recorded_from_before_it_until_after_it() -> None:
    touch = Table({B3: finger(2.0, 3.5)}).watch()
    assert touch.begun is not None
    times = [at - touch.begun for at, _ in touch.course]
    loads = [loads[B3] or 0.0 for _, loads in touch.course]
    assert -0.35 < times[0] < -0.2
    assert all(later - sooner < 1.5 * STEP for sooner, later in pairwise(times))
    assert loads[0] < 2
    assert loads[-1] < 2
    assert times[-1] >= 1.5
    assert sum(load > 10 for load in loads) * STEP == 1.5


def test_where_no_finger_comes_patience_ends() -> None:
    table = Table({})
    touch = table.watch()
    assert table.stages == [Stage.REST, Stage.TOUCH]
    assert touch.begun is None
    assert touch.strongest() is None
    assert table.at < 1.0 + PACE.rest + PACE.patience + 0.2


def test_a_brush_is_waited_out() -> None:
    table = Table({B3: lambda at: 16 if 2 <= at < 2.1 or 4 <= at < 6 else 0.0})
    touch = table.watch()
    assert table.stages[-3:] == [Stage.TOUCH, Stage.HOLD, Stage.LIFT]
    assert touch.begun is not None
    assert touch.begun >= 4.0


def test_brushes_do_not_go_on_for_ever() -> None:
    table = Table({B3: lambda at: 16 if at > 2 and at % 1.0 < 0.1 else 0.0})
    assert table.watch().begun is None
    assert table.at < 1.0 + PACE.rest + PACE.patience + 2.0


def test_two_samples_of_interference_are_no_finger() -> None:
    touch = Table({B3: finger(2.0, 2.0 + 2 * STEP, 40)}).watch()
    assert touch.begun is None


def test_what_stays_is_told_as_not_lifted() -> None:
    table = Table({B3: finger(2.0, 1e9)})
    touch = table.watch()
    assert touch.deltas[B3] == pytest.approx(16, abs=0.3)
    assert not touch.lifted


def test_drift_is_no_finger() -> None:
    touch = Table({B3: lambda at: 1.5 * at}).watch()
    assert touch.begun is None


def test_a_drifted_level_is_what_a_finger_is_measured_from() -> None:
    touch = Table({B3: lambda at: at + (16 if 3.5 <= at < 5 else 0)}).watch()
    assert touch.deltas[B3] == pytest.approx(16, abs=3)


def test_a_hand_that_lay_there_before_is_not_missed_when_it_comes_again() -> None:
    # It lay there while the rest was measured; lifted, it must not leave the level too low.
    table = Table({B3: lambda at: 16 if at < 2 or 3 <= at < 5 else 0.0})
    touch = table.watch()
    assert touch.begun is not None
    assert touch.begun >= 3.0
    assert touch.deltas[B3] == pytest.approx(16, abs=0.3)


def test_a_pad_that_cannot_be_read_has_no_level() -> None:
    touch = Table({B3: lambda at: None, C3: finger(2.0, 3.5)}).watch()
    assert touch.quiet[B3] is None
    assert touch.deltas[B3] is None
    assert touch.strongest() == C3


def test_after_a_pad_has_failed_for_an_instant_its_level_is_measured_anew() -> None:
    def load(at: float) -> float | None:
        finger = 16 if 2 <= at < 3 or 4 <= at < 6 else 0
        return finger if at < 2.5 else None if at < 2.6 else finger + 10

    table = Table({B3: load})
    touch = table.watch()
    assert table.stages.count(Stage.REST) == 2
    assert touch.deltas[B3] == pytest.approx(16, abs=1)


def test_a_chip_that_restarts_at_rest_is_waited_for() -> None:
    touch = Table({B3: lambda at: None if 1.1 < at < 1.3 else finger(2.5, 4.0)(at)}).watch()
    assert touch.strongest() == B3
    gone = Table({C3: lambda at: None if at > 1.1 else 0.0, B3: finger(3.0, 4.5)}).watch()
    assert gone.quiet[C3] is None
    assert gone.strongest() == B3


def test_a_pad_that_is_mostly_read_has_a_noise_if_that_is_enough() -> None:
    readings = [
        Reading(at, (None if at % 3 == 0 else 700 + at % 2,) * PAD_COUNT) for at in range(9)
    ]
    assert quiet(readings)[B3] is None
    half = quiet(readings, 0.5)[B3]
    assert half is not None
    assert half.noise == pytest.approx(2)
    assert quiet(readings, 0.7)[B3] is None


def test_a_pad_that_fails_for_good_is_left_out() -> None:
    touch = Table({B3: lambda at: None if at > 2 else 0.0, C3: finger(2.8, 4.0)}).watch()
    assert touch.quiet[B3] is None
    assert touch.deltas[B3] is None
    assert touch.strongest() == C3


def test_noise_is_four_standard_deviations() -> None:
    readings = [Reading(0.0, (700 + wobble,) * PAD_COUNT) for wobble in (-1, 1, -1, 1)]
    one = quiet(readings)[B3]
    assert one is not None
    assert (one.level, one.noise) == (700, 4.0)


def test_noise_below_what_the_chip_resolves_does_not_flatter() -> None:
    assert snr(16, 0.0) == 16
    assert snr(16, 3.2) == 5


def test_nothing_read_is_no_rest() -> None:
    assert quiet([]) == (None,) * PAD_COUNT
