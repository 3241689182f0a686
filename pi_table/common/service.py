"""Run an asyncio program as a systemd service until SIGTERM or SIGINT.

The engine, the web pages and the bridge run in this way. After either signal the program shuts down
cleanly. It sends READY, WATCHDOG and STOPPING to systemd.
"""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from pi_table.common.notify import keep_telling, notify

log = logging.getLogger("pi_table")


async def run_service(run: Callable[[asyncio.Event, Callable[[], None]], Awaitable[None]]) -> None:
    """Run ``run(stop, ready)``. ``run`` must call ``ready`` when it can serve, and must return
    after a signal has set ``stop``.

    An unexpected error in one connection is logged, and ends no other connection. ``run`` may
    replace the exception handler that does this.
    """
    stop = asyncio.Event()

    def on_stop_signal() -> None:
        notify("STOPPING=1")
        stop.set()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_connection_error)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_stop_signal)

    def ready() -> None:
        notify("READY=1")
        keep_telling(loop.call_later)

    await run(stop, ready)


def _log_connection_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log the type of an unexpected error. Its message is left out, because it may contain a
    secret."""
    error = context.get("exception")
    log.error("A connection failed: %s.", type(error).__name__ if error else "a fault")
