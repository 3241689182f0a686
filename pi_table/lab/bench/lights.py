"""Measures the processor time of moving lights: frames of 104 LEDs, computed as in a real table."""

from collections.abc import Iterator
from itertools import islice
from time import process_time
from typing import Final

from pi_table.common.geometry import LED_COUNT
from pi_table.devices.lights.light import FRAME_SECONDS, light
from pi_table.devices.lights.picture import Picture
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.clips import CLIPS, Clip
from pi_table.lab.gallery import moments

FRAMES: Final = 2000
LONG_CHAIN_LEDS: Final = 1000
MOMENTS_A_SECOND: Final = 5
BRIEF: Final = {"frames": 400}


def measure(frames: int = FRAMES) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench lights`."""
    costs = {clip.name: _cost(_picture(clip), clip.start, frames) for clip in CLIPS}
    dearest = max(costs, key=lambda name: costs[name])
    usual = sorted(costs.values())[len(costs) // 2]
    percent = 100 * costs[dearest] / FRAME_SECONDS
    more = percent * LONG_CHAIN_LEDS / LED_COUNT
    of = {"unit": "% of a core", "scene": dearest}
    usual_us = round(usual * 1e6, 1)
    yield {"name": "lights/usual_frame", "value": usual_us, "unit": "µs", "scenes": len(costs)}
    yield {"name": "lights/core", "value": round(percent, 2), **of, "leds": LED_COUNT}
    yield {"name": "lights/core_of_1000_leds", "value": round(more, 2), **of}


def _picture(clip: Clip) -> Picture:
    """Return the picture in the middle of a clip."""
    count = round(clip.seconds * MOMENTS_A_SECOND)
    for _, stage, _ in islice(moments(clip, MOMENTS_A_SECOND), count // 2, None):
        return stage.picture
    raise AssertionError("a clip has a middle")


def _cost(picture: Picture, start: float, frames: int) -> float:
    """Return the processor time in seconds for each frame."""
    began = process_time()
    for number in range(frames):
        light(picture, start + number % 200 * FRAME_SECONDS)
    return (process_time() - began) / frames
