"""The quality of a pad measured by a touch, and the thresholds that follow."""

import pytest

from pi_table.devices.wire.settings import (
    HEAVY_ABOVE_TOUCH,
    MAX_HEAVY_COUNTS,
    MAX_TOUCH_COUNTS,
    MIN_TOUCH_COUNTS,
    PAD_COUNT,
    PADS,
)
from pi_table.maintenance.bring_up.pad_quality import Quality, judge, propose
from pi_table.maintenance.bring_up.raw_touch import Quiet, Touch

B3, C3 = PADS.index("B3"), PADS.index("C3")


def touch(deltas: dict[int, float | None], noise: float = 2.0, lifted: bool = True) -> Touch:
    return Touch(
        (Quiet(700.0, noise),) * PAD_COUNT,
        tuple(deltas.get(pad, 0.0) for pad in range(PAD_COUNT)),
        begun=1.0,
        lifted=lifted,
    )


@pytest.mark.parametrize(
    ("recorded", "quality", "says"),
    [
        (touch({B3: 16}), Quality.FINE, "a finger of 16 counts over a noise of 2.0, SNR 8.0"),
        (touch({B3: 16, C3: 11}), Quality.FINE, "B3 is fine"),
        (touch({B3: 16, C3: 12}), Quality.JOINED, "C3 reacts alike (16 and 12 counts)"),
        (touch({B3: 12, C3: 16}), Quality.JOINED, "something joins B3 and C3"),
        (touch({B3: 10}), Quality.FINE, "SNR 5.0"),
        (touch({B3: 9.9}), Quality.WEAK, "SNR 5.0; below 5"),
        (touch({B3: 6}), Quality.WEAK, "larger foil"),
        (touch({B3: 16}, noise=4.0), Quality.WEAK, "SNR 4.0"),
        (touch({B3: 8, C3: 15}), Quality.MIXED_UP, "C3 reacted more (15 counts against 8)"),
        (touch({C3: 15}), Quality.MIXED_UP, "the wires of B3 and C3 are mixed up"),
        (touch({B3: -20, C3: 15}), Quality.MIXED_UP, "against 0"),
        (touch({}), Quality.NOTHING, "B3 shows nothing"),
        (touch({B3: 2}), Quality.NOTHING, "B3 shows nothing"),
        (touch({B3: None, C3: 15}), Quality.UNREADABLE, "B3 cannot be read"),
        (Touch((None,) * PAD_COUNT), Quality.UNREADABLE, "B3 cannot be read"),
        (touch({B3: 16}, lifted=False), Quality.STAYS, "B3 still feels something"),
    ],
)
def test_every_touch_is_judged_in_a_sentence(recorded: Touch, quality: Quality, says: str) -> None:
    judgement = judge(B3, recorded)
    assert judgement.quality is quality
    assert says in judgement.sentence()
    assert "B3" in judgement.sentence()


def test_the_pads_that_are_mixed_up_are_named_as_numbers_too() -> None:
    judgement = judge(B3, touch({B3: 8, C3: 15}))
    assert (judgement.pad, judgement.other, judgement.other_delta) == (B3, C3, 15)


@pytest.mark.parametrize(
    ("delta", "three"),
    [(16, (8, 4, 64)), (15, (8, 4, 60)), (8, (4, 2, 32)), (5, (4, 2, 20)), (100, (50, 25, 255))],
)
def test_the_thresholds_are_half_a_quarter_and_four_fingers(
    delta: float, three: tuple[int, int, int]
) -> None:
    proposed = propose(delta)
    assert (proposed.touch, proposed.release, proposed.heavy) == three


def test_whatever_a_finger_takes_the_controller_accepts_what_is_proposed() -> None:
    for tenths in range(10230):
        proposed = propose(tenths / 10)
        assert MIN_TOUCH_COUNTS <= proposed.touch <= MAX_TOUCH_COUNTS
        assert 1 <= proposed.release < proposed.touch
        assert proposed.touch + HEAVY_ABOVE_TOUCH <= proposed.heavy <= MAX_HEAVY_COUNTS
