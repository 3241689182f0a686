"""The driver of the status LED and the switch-off button on the table's case, on GPIO pins.

The LED is on while its pin is high. A pressed button connects its pin to ground; otherwise that
pin's pull-up holds it high. Pins are BCM numbers.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from gpiozero import LED, Button, Factory

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.devices.hal.contracts import Lamp, Panel
from pi_table.devices.hal.gpio_pins import open_pins

BOUNCE_SECONDS: Final = 0.02
"""Seconds for which the button's state must be stable before its change counts."""
BLINKS: Final = {Lamp.SLOW: 1.0, Lamp.FAST: 0.2}
"""Seconds for which the LED is on in a blink, by pattern. Then it is off equally long. More than
three flashes a second can harm people."""


class GpiozeroPanel:
    """The status LED and the switch-off button, which must be held for ``hold_seconds``.

    ``factory`` makes the pins; None means the pins of ``chip``, as in `open_pins`. Raises
    DeviceError for pins that cannot be used.
    """

    def __init__(
        self,
        status_led: int,
        switch_off: int,
        hold_seconds: float,
        loop: asyncio.AbstractEventLoop,
        factory: Factory | None = None,
        chip: str = "",
    ) -> None:
        self._loop = loop
        self._on_held: Callable[[], None] | None = None
        self._lamp = Lamp.DARK
        self._counts = False
        """True if the button has been up at some time since `watch` was called. A press counts only
        if this is True."""
        self._opened = ExitStack()
        try:
            if factory is None:
                factory = open_pins(chip)
                self._opened.callback(factory.close)
            self._led = self._opened.enter_context(LED(status_led, pin_factory=factory))
            self._button = self._opened.enter_context(
                Button(
                    switch_off,
                    bounce_time=BOUNCE_SECONDS,
                    hold_time=hold_seconds,
                    pin_factory=factory,
                )
            )
        except Exception as error:  # lgpio's own error type exists only with lgpio
            self._opened.close()
            raise DeviceError(
                say(
                    "The status LED and the switch-off button cannot be opened on the pins "
                    "{status_led} and {switch_off} ({error}). Check them in [panel] of the "
                    'configuration, and chip in [gpio], or set driver = "none" in [panel].',
                    status_led=status_led,
                    switch_off=switch_off,
                    error=error,
                )
            ) from error
        self._opened.callback(self._led.off)

    def watch(self, on_held: Callable[[], None]) -> None:
        self._on_held = on_held
        self._button.when_released = self._on_release
        self._button.when_held = self._report_hold
        self._counts = not self._button.is_pressed

    def shine(self, lamp: Lamp) -> None:
        if lamp is self._lamp or self._led.closed:
            return
        self._lamp = lamp
        if lamp in BLINKS:
            self._led.blink(BLINKS[lamp], BLINKS[lamp])
        elif lamp is Lamp.STEADY:
            self._led.on()
        else:
            self._led.off()

    def close(self) -> None:
        self._on_held = None
        self._opened.close()

    # On gpiozero's threads

    def _on_release(self) -> None:
        self._counts = True

    def _report_hold(self) -> None:
        if self._counts and self._on_held is not None:
            self._loop.call_soon_threadsafe(self._call_on_held)

    def _call_on_held(self) -> None:
        if self._on_held is not None:
            self._on_held()


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Panel:
    panel = config.panel
    return GpiozeroPanel(
        panel.status_led, panel.switch_off, panel.hold_seconds, loop, chip=config.gpio.chip
    )
