"""The status LED and the switch-off button, on the mock pins that gpiozero ships with."""

import asyncio
from statistics import median

import pytest
from gpiozero.pins.mock import MockFactory

from pi_table.common.config import load
from pi_table.common.errors import DeviceError
from pi_table.devices.hal.contracts import Lamp
from pi_table.devices.hal.gpiozero_panel import BLINKS, BOUNCE_SECONDS, GpiozeroPanel
from pi_table.devices.hal.registry import open_hardware

pytestmark = pytest.mark.paced

LED, BUTTON = 25, 3


def test_an_led_blinks_as_long_on_as_off(
    pins: MockFactory, loop: asyncio.AbstractEventLoop
) -> None:
    panel = GpiozeroPanel(LED, BUTTON, 2.0, loop, pins)
    panel.shine(Lamp.FAST)
    states = pins.pin(LED).states

    async def blinked() -> None:
        while len(states) < 12:
            await asyncio.sleep(BLINKS[Lamp.FAST])

    loop.run_until_complete(asyncio.wait_for(blinked(), 60.0))
    panel.close()
    after = [state.timestamp for state in states[2:]]  # each since the one before
    assert median(after) == pytest.approx(BLINKS[Lamp.FAST], rel=0.4)


def test_no_led_flashes_more_than_three_times_a_second() -> None:
    assert min(BLINKS.values()) * 2 > 1 / 3
    assert BLINKS[Lamp.SLOW] > 2 * BLINKS[Lamp.FAST]


def test_told_the_same_again_and_again_an_led_blinks_on(
    pins: MockFactory, loop: asyncio.AbstractEventLoop
) -> None:
    panel = GpiozeroPanel(LED, BUTTON, 2.0, loop, pins)
    for _ in range(20):
        panel.shine(Lamp.FAST)
        loop.run_until_complete(asyncio.sleep(BLINKS[Lamp.FAST] / 4))
    panel.close()
    assert len(pins.pin(LED).states) >= 4


def test_the_button_is_pulled_up_and_debounced_and_held_as_long_as_is_configured(
    pins: MockFactory, loop: asyncio.AbstractEventLoop
) -> None:
    panel = GpiozeroPanel(LED, BUTTON, 2.5, loop, pins)
    assert pins.pin(BUTTON).pull == "up"
    assert pins.pin(BUTTON).bounce == BOUNCE_SECONDS
    assert panel._button.hold_time == 2.5
    assert pins.pin(LED).function == "output"
    panel.close()


@pytest.mark.parametrize("button", [99, LED])
def test_pins_that_cannot_be_used_are_named_and_all_are_let_go(
    pins: MockFactory, loop: asyncio.AbstractEventLoop, button: int
) -> None:
    with pytest.raises(DeviceError, match=rf"25 and {button}.*\[panel\].*\[gpio\]"):
        GpiozeroPanel(LED, button, 2.0, loop, pins)
    GpiozeroPanel(LED, BUTTON, 2.0, loop, pins).close()


def test_what_a_thread_reports_after_the_end_is_not_told(
    pins: MockFactory, loop: asyncio.AbstractEventLoop
) -> None:
    panel = GpiozeroPanel(LED, BUTTON, 2.0, loop, pins)
    said: list[str] = []
    panel.watch(lambda: said.append("held"))
    panel._report_hold()  # the thread has found it held, and the loop has not turned yet
    panel.close()
    loop.run_until_complete(asyncio.sleep(0))
    assert said == []


def test_another_pin_library_is_never_taken_in_place_of_lgpio(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    for chip in ("", "gpiochip0"):
        used = load(changes={"panel": {"driver": "gpiozero"}, "gpio": {"chip": chip}})
        with pytest.raises(DeviceError, match="lgpio"):
            open_hardware(used, loop)
