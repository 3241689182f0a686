"""A table without a loudspeaker: nothing is heard, and nothing is wrong with that."""

import asyncio
from collections.abc import Callable

from pi_table.config import Config
from pi_table.hal.contracts import Clip, Sounder


class NoSounder:
    """A loudspeaker that there is not: nothing is ever played."""

    def switch_on(self, on_trouble: Callable[[str | None], None]) -> None:
        on_trouble(None)

    def play(self, clip: Clip) -> None:
        """There is nothing to play it."""

    def close(self) -> None:
        """There is nothing to let go of."""


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> Sounder:
    return NoSounder()
