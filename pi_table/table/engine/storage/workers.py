"""Workers carry out orders: at once, or on threads beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from pi_table.common.language import say
from pi_table.common.realtime import follow_main_thread
from pi_table.table.engine.storage.order import Order, Thread
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.storage.storage import Storage

Hear = Callable[[Result], None]

MOMENT_SECONDS: Final = 0.003
"""Longest time for which the event loop waits for a result. A quick disk is done by then. A slow SD
card may take a hundred times as long: the fingers must not wait for that."""


class Workers(Protocol):
    """Carries out orders to the storage. Orders that write are done one after another. Orders that
    read may run meanwhile."""

    def give(self, order: Order, hear: Hear) -> None:
        """Carry out an order; call ``hear`` with its result, if it has one."""

    def result_of(self, order: Order) -> Result | None:
        """Wait for the result of the order that was given last, but no longer than
        `MOMENT_SECONDS`. Return it; None if there is none yet. ``hear`` gets it all the same."""

    def close(self) -> None:
        """Finish the pending orders and close the journal. May be called again."""


class AtOnce:
    """Carries out each order while the caller waits. Used with virtual time, where nothing else can
    run."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._newest: tuple[Order, Result | None] | None = None

    def give(self, order: Order, hear: Hear) -> None:
        result = order.carry_out(self._storage)
        self._newest = order, result
        if result is not None:
            hear(result)

    def result_of(self, order: Order) -> Result | None:
        newest, result = self._newest or (None, None)
        return result if newest is order else None

    def close(self) -> None:
        self._storage.close()


class OnThreads:
    """Runs each order on its `Thread`, and passes its result to the event loop. The check of a
    backup waits for another process, so it has a thread of its own."""

    def __init__(self, storage: Storage, loop: asyncio.AbstractEventLoop) -> None:
        self._storage = storage
        self._loop = loop
        self._newest = Future[Result | None]()
        self._threads = {
            Thread.WRITER: ThreadPoolExecutor(1, Thread.WRITER.value, follow_main_thread),
            Thread.READER: ThreadPoolExecutor(1, Thread.READER.value, follow_main_thread),
            Thread.CHECKER: ThreadPoolExecutor(1, Thread.CHECKER.value),
        }

    def give(self, order: Order, hear: Hear) -> None:
        # An order that must be alone changes files that the reader thread reads: wait for it.
        first = self._threads[Thread.READER].submit(_nothing) if order.is_alone else None
        self._newest = self._threads[order.thread].submit(self._carry_out, order, first)
        self._newest.add_done_callback(partial(self._tell, hear))

    def result_of(self, order: Order) -> Result | None:
        with suppress(Exception):  # it takes longer, or `_tell` reports the mistake
            return self._newest.result(MOMENT_SECONDS)
        return None

    def _carry_out(self, order: Order, first: Future[None] | None) -> Result | None:
        if first is not None:
            first.result()
        return order.carry_out(self._storage)

    def _tell(self, hear: Hear, done: Future[Result | None]) -> None:
        """Pass an order's result to the event loop, or its unexpected error. Otherwise the table
        would wait for the result for ever."""
        if done.cancelled():
            return
        mistake = done.exception()
        if mistake is not None:
            self._loop.call_soon_threadsafe(
                self._loop.call_exception_handler,
                {"message": say("An order could not be carried out."), "exception": mistake},
            )
            return
        result = done.result()
        if result is not None:
            self._loop.call_soon_threadsafe(hear, result)

    def close(self) -> None:
        self._storage.backups.stop()
        self._threads[Thread.CHECKER].shutdown(wait=True, cancel_futures=True)
        self._threads[Thread.READER].shutdown(wait=True, cancel_futures=True)
        self._threads[Thread.WRITER].shutdown(wait=True)
        self._storage.close()


def _nothing() -> None:
    """Do nothing. The thread reaches this task when it has done all earlier tasks."""
