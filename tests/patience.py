"""Timeouts of the tests, and functions that wait."""

import asyncio
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 180.0
"""Seconds after which something that ought to come counts as missing. They are far more than it
takes, for on a busy machine every step may be late."""


def serve_until(loop: asyncio.AbstractEventLoop, condition: Callable[[], bool]) -> None:
    """Run the loop until the condition holds; raise TimeoutError if it never does. The other end
    may be a program with a clock of its own."""

    async def served() -> None:
        while not condition():
            await asyncio.sleep(0.001)

    loop.run_until_complete(asyncio.wait_for(served(), PATIENCE))
