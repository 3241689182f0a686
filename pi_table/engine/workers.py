"""Where the orders to the disk are carried out: at once, or on threads beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Protocol

from pi_table.engine.desk.orders import CheckBackup
from pi_table.engine.inputs import Result
from pi_table.engine.keeper import Keeper
from pi_table.engine.outputs import AtDesk, Order, Restore, Write
from pi_table.scheduling import follow

Hear = Callable[[Result], None]
"""A function that is given what came of an order."""


class Workers(Protocol):
    """Carries out orders in their order: those that write, and beside them those that read."""

    def give(self, order: Order, hear: Hear) -> None:
        """Have an order carried out, and give ``hear`` what came of it, if anything answers."""

    def close(self) -> None:
        """Finish what was given, and let go of the journal. May be called again."""


class AtOnce:
    """Carries out each order while the caller waits: for virtual time, in which nothing goes on."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    def give(self, order: Order, hear: Hear) -> None:
        result = self._keeper.carry_out(order)
        if result is not None:
            hear(result)

    def close(self) -> None:
        self._keeper.close()


class OnThreads:
    """Carries out what writes on one thread, the checks of backups on a second, and all else on a
    third, and tells the event loop. A check waits for another process, and nobody waits for it."""

    def __init__(self, keeper: Keeper, loop: asyncio.AbstractEventLoop) -> None:
        self._keeper = keeper
        self._loop = loop
        self._writer = ThreadPoolExecutor(1, "journal", follow)
        self._reader = ThreadPoolExecutor(1, "record", follow)
        self._checker = ThreadPoolExecutor(1, "check")

    def give(self, order: Order, hear: Hear) -> None:
        match order:
            case AtDesk(order=CheckBackup()):
                thread = self._checker
            case _:
                thread = self._writer if isinstance(order, Write) else self._reader
        # A restore changes what the other thread reads and writes, too.
        first = self._reader.submit(_nothing) if isinstance(order, Restore) else None
        thread.submit(self._carry_out, order, hear, first).add_done_callback(self._look_after)

    def _carry_out(self, order: Order, hear: Hear, first: Future[None] | None = None) -> None:
        if first is not None:
            first.result()
        result = self._keeper.carry_out(order)
        if result is not None:
            self._loop.call_soon_threadsafe(partial(hear, result))

    def _look_after(self, done: Future[None]) -> None:
        """Let a mistake of the program be seen: else the table would wait for an answer for
        ever."""
        mistake = None if done.cancelled() else done.exception()
        if mistake is not None:
            self._loop.call_soon_threadsafe(
                self._loop.call_exception_handler,
                {"message": "An order could not be carried out.", "exception": mistake},
            )

    def close(self) -> None:
        self._keeper.stop_check()
        self._checker.shutdown(wait=True, cancel_futures=True)
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._keeper.close()


def _nothing() -> None:
    """What is done when everything before it is done."""
