"""A console without an encoder and buttons: its keyboard, mouse or touch screen drives it."""

from collections.abc import Callable

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import ConsoleInputs, Input


class NoInputs:
    """Inputs that there are not: nothing is ever reported."""

    def start(self, on_input: Callable[[Input], None]) -> None:
        """There is nothing to listen to."""

    def close(self) -> None:
        """There is nothing to let go of."""


def open_driver(config: Config) -> ConsoleInputs:
    return NoInputs()
