"""The null driver for a table without a loudspeaker, or without LED and button."""

import asyncio
from collections.abc import Callable

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import Clip, Lamp


class NoDevice:
    """A `Sounder` and `Panel` without a device."""

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        on_trouble(None)

    def play(self, clip: Clip) -> None:
        """Do nothing."""

    def watch(self, on_held: Callable[[], None]) -> None:
        """Do nothing."""

    def shine(self, lamp: Lamp) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> NoDevice:
    return NoDevice()
