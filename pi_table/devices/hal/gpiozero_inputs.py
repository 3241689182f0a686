"""The driver of the rotary encoder and the two buttons beside the spymasters' screen, on GPIO pins.

Every contact closes to ground; the Pi's own pull-ups hold the pins high. Pins are BCM numbers.
"""

from collections.abc import Callable
from contextlib import ExitStack
from threading import Lock
from typing import Final

from gpiozero import Button, Factory, RotaryEncoder

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.devices.hal.contracts import ConsoleInputs, Input
from pi_table.devices.hal.gpio_pins import open_pins

BOUNCE_SECONDS: Final = 0.02
"""Seconds for which a button must be stable before its change counts. The encoder needs no
debouncing, because a step requires its contacts to close and open in a certain order."""


class GpiozeroInputs:
    """The encoder and the buttons. ``press`` is the pin of the encoder's own switch; ``encoder_a``
    is the pin of the contact that closes first when the knob is turned clockwise.

    ``factory`` makes the pins; None means the pins of ``chip``, as in `open_pins`. Reports come
    from gpiozero's threads, one at a time. Raises DeviceError for pins that cannot be used.
    """

    def __init__(
        self,
        encoder_a: int,
        encoder_b: int,
        press: int,
        back: int,
        peek: int,
        factory: Factory | None = None,
        chip: str = "",
    ) -> None:
        self._one_at_a_time = Lock()
        self._opened = ExitStack()
        try:
            if factory is None:
                factory = open_pins(chip)
                self._opened.callback(factory.close)
            self._encoder = self._opened.enter_context(
                RotaryEncoder(encoder_a, encoder_b, pin_factory=factory)
            )
            self._buttons = {
                given: self._opened.enter_context(
                    Button(pin, bounce_time=BOUNCE_SECONDS, pin_factory=factory)
                )
                for given, pin in ((Input.PRESS, press), (Input.BACK, back), (Input.PEEK, peek))
            }
        except Exception as error:  # lgpio's own error type exists only with lgpio
            self.close()
            raise DeviceError(
                say(
                    "The encoder and buttons cannot be opened on the pins {encoder_a}, "
                    "{encoder_b}, {press}, {back} and {peek} ({error}). Check them in [console] "
                    'of the configuration, and chip in [gpio], or set inputs = "none" in '
                    "[console].",
                    encoder_a=encoder_a,
                    encoder_b=encoder_b,
                    press=press,
                    back=back,
                    peek=peek,
                    error=error,
                )
            ) from error

    def start(self, on_input: Callable[[Input], None]) -> None:
        def reporting(given: Input) -> Callable[[], None]:
            def report() -> None:
                with self._one_at_a_time:
                    on_input(given)

            return report

        self._encoder.when_rotated_clockwise = reporting(Input.RIGHT)
        self._encoder.when_rotated_counter_clockwise = reporting(Input.LEFT)
        for given, button in self._buttons.items():
            button.when_pressed = reporting(given)
        self._buttons[Input.PEEK].when_released = reporting(Input.UNPEEK)

    def close(self) -> None:
        self._opened.close()


def open_driver(config: Config) -> ConsoleInputs:
    pins = config.console
    return GpiozeroInputs(
        pins.encoder_a, pins.encoder_b, pins.press, pins.back, pins.peek, chip=config.gpio.chip
    )
