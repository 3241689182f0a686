"""A table whose case has neither LED nor button: nothing shines, nothing is ever reported."""

import asyncio
from collections.abc import Callable

from pi_table.config import Config
from pi_table.hal.contracts import Lamp, Panel


class NoPanel:
    """A panel that there is not."""

    def watch(self, on_held: Callable[[], None]) -> None:
        """There is no button to be held."""

    def shine(self, lamp: Lamp) -> None:
        """There is nothing to shine."""

    def close(self) -> None:
        """There is nothing to let go of."""


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Panel:
    return NoPanel()
