"""Runs what goes on for ever as a program of systemd's, until it is told to stop.

Engine, pages and bridge have this in common: SIGTERM and SIGINT end them in order, and systemd
hears that they are ready, that they are alive, and that they stop.
"""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from pi_table.common.notify import keep_telling, notify

log = logging.getLogger("pi_table")


async def until_told(run: Callable[[asyncio.Event, Callable[[], None]], Awaitable[None]]) -> None:
    """Run ``run(stop, ready)``, which ends once ``stop`` is set, and calls ``ready`` when it does
    what it is there for. What goes wrong in one of its connections ends no other: ``run`` may set
    another exception handler of the loop."""
    stop = asyncio.Event()

    def asked_to_stop() -> None:
        notify("STOPPING=1")
        stop.set()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_the_others_go_on)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked_to_stop)

    def ready() -> None:
        notify("READY=1")
        keep_telling(loop.call_later)

    await run(stop, ready)


def _the_others_go_on(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Something that nobody foresaw, in one connection. No repr of it: that may hold a secret."""
    error = context.get("exception")
    log.error("A connection failed: %s.", type(error).__name__ if error else "a fault")
