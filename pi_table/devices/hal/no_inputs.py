"""The null driver for a console without encoder and buttons: people use its keyboard, mouse or
touch screen."""

from collections.abc import Callable

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import ConsoleInputs, Input


class NoInputs:
    def start(self, on_input: Callable[[Input], None]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def open_driver(config: Config) -> ConsoleInputs:
    return NoInputs()
