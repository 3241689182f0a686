"""A table without a loudspeaker, or whose case has neither LED nor button: nothing is heard or
shines, nothing is ever reported, and nothing is wrong with that."""

import asyncio
from collections.abc import Callable

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import Clip, Lamp


class NoDevice:
    """A `Sounder` and a `Panel` that there are not."""

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        on_trouble(None)

    def play(self, clip: Clip) -> None:
        """There is nothing to play it."""

    def watch(self, on_held: Callable[[], None]) -> None:
        """There is no button to be held."""

    def shine(self, lamp: Lamp) -> None:
        """There is nothing to shine."""

    def close(self) -> None:
        """There is nothing to let go of."""


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> NoDevice:
    return NoDevice()
