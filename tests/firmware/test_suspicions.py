"""Suspicions: a finger is one from its first value on, and noise is hardly ever."""

from itertools import pairwise

import pytest

from pi_table.common.geometry import PLACES
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.simulator.emulated import Build, EmulatedTable
from pi_table.simulator.virtual_controller import VirtualController

SECONDS = 30.0
MOST = 6
"""Maximum number of suspicions on the whole table in `SECONDS` of noise."""
NOISE = (
    *("noise 1", "noise 1.5", "noise 2", "hum 3 50", "hum 5 49.5", "hum 8 49.5", "hum 6 60"),
    *("bursts 9 120 300", "bursts 20 120 300", "bursts 30 50 1000", "warmth 12 4"),
    *("common 20 150000 200", "tdma 20"),
)


@pytest.mark.parametrize("noise", NOISE)
def test_noise_does_not_make_the_lights_flicker(noise: str) -> None:
    for seed in (1, 2):
        suspected: list[frozenset[int]] = [frozenset()]

        def feel(frame: TouchFrame, suspected: list[frozenset[int]] = suspected) -> None:
            suspected.append(frame.perhaps)

        with EmulatedTable("host", seed=seed) as table:
            controller = VirtualController(table)
            controller.start(feel)
            table.tell(noise)
            while controller.now < SECONDS:
                controller.advance(SECONDS)
        begun = (len(now - before) for before, now in pairwise(suspected))
        assert sum(begun) <= MOST


@pytest.mark.parametrize("build", ["host", "pi"])
def test_each_place_is_suspected_before_it_is_touched(build: Build) -> None:
    frames: list[tuple[float, TouchFrame]] = []
    with EmulatedTable(build) as table:
        controller = VirtualController(table)
        controller.start(lambda frame: frames.append((controller.now, frame)))
        for place in range(len(PLACES)):
            frames.clear()
            pressed = controller.now
            controller.touch(place)
            while not controller.frame.touched:
                controller.advance(pressed + 1.0)
            alone = frozenset({place})
            assert {frame.perhaps | frame.touched for _, frame in frames} <= {alone, frozenset()}
            suspected_at = min(at for at, frame in frames if frame.perhaps)
            assert 0.004 < frames[-1][0] - suspected_at < 0.02
            controller.release(place)
            controller.advance(controller.now + 1.0)
            while controller.frame.touched:
                controller.advance(controller.now + 1.0)
