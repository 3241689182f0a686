"""Workers carry out orders: at once, or on threads beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Protocol

from pi_table.common.language import say
from pi_table.common.realtime import follow_main_thread
from pi_table.table.engine.storage.order import Order, Thread
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.storage.storage import Storage

Hear = Callable[[Result], None]


class Workers(Protocol):
    """Carries out orders to the storage. Orders that write are done one after another. Orders that
    read may run meanwhile."""

    def give(self, order: Order, hear: Hear) -> None:
        """Carry out an order; call ``hear`` with its result, if it has one."""

    def close(self) -> None:
        """Finish the pending orders and close the journal. May be called again."""


class AtOnce:
    """Carries out each order while the caller waits. Used with virtual time, where nothing else can
    run."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def give(self, order: Order, hear: Hear) -> None:
        result = order.carry_out(self._storage)
        if result is not None:
            hear(result)

    def close(self) -> None:
        self._storage.close()


class OnThreads:
    """Runs each order on its `Thread`, and passes its result to the event loop. The check of a
    backup waits for another process, so it has a thread of its own."""

    def __init__(self, storage: Storage, loop: asyncio.AbstractEventLoop) -> None:
        self._storage = storage
        self._loop = loop
        self._threads = {
            Thread.WRITER: ThreadPoolExecutor(1, Thread.WRITER.value, follow_main_thread),
            Thread.READER: ThreadPoolExecutor(1, Thread.READER.value, follow_main_thread),
            Thread.CHECKER: ThreadPoolExecutor(1, Thread.CHECKER.value),
        }

    def give(self, order: Order, hear: Hear) -> None:
        # An order that must be alone changes files that the reader thread reads: wait for it.
        first = self._threads[Thread.READER].submit(_nothing) if order.is_alone else None
        done = self._threads[order.thread].submit(self._carry_out, order, hear, first)
        done.add_done_callback(self._look_after)

    def _carry_out(self, order: Order, hear: Hear, first: Future[None] | None = None) -> None:
        if first is not None:
            first.result()
        result = order.carry_out(self._storage)
        if result is not None:
            self._loop.call_soon_threadsafe(partial(hear, result))

    def _look_after(self, done: Future[None]) -> None:
        """Report an order's unexpected error to the event loop. Otherwise the table would wait for
        the order's result for ever."""
        mistake = None if done.cancelled() else done.exception()
        if mistake is not None:
            self._loop.call_soon_threadsafe(
                self._loop.call_exception_handler,
                {"message": say("An order could not be carried out."), "exception": mistake},
            )

    def close(self) -> None:
        self._storage.backups.stop()
        self._threads[Thread.CHECKER].shutdown(wait=True, cancel_futures=True)
        self._threads[Thread.READER].shutdown(wait=True, cancel_futures=True)
        self._threads[Thread.WRITER].shutdown(wait=True)
        self._storage.close()


def _nothing() -> None:
    """Do nothing. The thread reaches this task when it has done all earlier tasks."""
