"""The thread that puts frames on a strip, with a strip that fails and one that hangs."""

import logging
from threading import Event

import pytest
from patience import PATIENCE

from pi_table.common.errors import DeviceError
from pi_table.common.geometry import LED_COUNT
from pi_table.common.light_layout import preset
from pi_table.devices.hal import strip_lights
from pi_table.devices.hal.strip_lights import StripLights

RED, DARK = (0xFF0000,) * LED_COUNT, (0,) * LED_COUNT


class Strip:
    """A strip that fails as often as it is told, and keeps what it took."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails
        self.put_so_far: list[tuple[int, ...]] = []
        self.took = Event()
        self.failed = Event()
        self.free = Event()
        self.free.set()
        self.closed = 0

    def put(self, pulses: tuple[int, ...]) -> None:
        assert self.free.wait(PATIENCE)
        if self.fails:
            self.fails -= 1
            self.failed.set()
            raise DeviceError("The strip is ill.")
        self.put_so_far.append(pulses)
        self.took.set()

    def close(self) -> None:
        self.closed += 1


def test_a_frame_that_was_not_taken_is_tried_again_by_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(strip_lights, "RETRY_SECONDS", 0.001)
    strip = Strip(fails=3)
    with caplog.at_level(logging.INFO):
        lights = StripLights(strip, 6500, preset("tiles"))
        lights.show(RED)
        assert strip.took.wait(PATIENCE)
        lights.close()
    assert strip.put_so_far == [RED, DARK]
    assert caplog.messages == ["The strip is ill.", "The lights are back."]


def test_a_newer_frame_takes_the_place_of_one_that_was_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strip_lights, "RETRY_SECONDS", 2 * PATIENCE)
    strip = Strip(fails=1)
    lights = StripLights(strip, 6500, preset("tiles"))
    lights.show(DARK)
    assert strip.failed.wait(PATIENCE)
    lights.show(RED)
    assert strip.took.wait(PATIENCE)
    assert strip.put_so_far == [RED]
    lights.close()


def test_a_strip_that_hangs_does_not_hold_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip_lights, "ENDING_SECONDS", 0.01)
    strip = Strip()
    strip.free.clear()
    lights = StripLights(strip, 6500, preset("tiles"))
    for _ in range(100):
        lights.show(RED)
    lights.close()
    assert strip.closed == 0
    strip.free.set()
    lights._thread.join(PATIENCE)
    assert strip.put_so_far[-1] == DARK
    assert strip.closed == 1


def test_a_strip_is_released_though_it_does_not_go_dark() -> None:
    strip = Strip(fails=1)
    lights = StripLights(strip, 6500, preset("tiles"))
    lights.close()
    lights.close()
    assert strip.put_so_far == []
    assert strip.closed == 1
