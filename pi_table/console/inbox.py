"""Hands over what other threads report to the loop of the console, and wakes it."""

import os
from contextlib import suppress
from queue import SimpleQueue

from pi_table.console.console_events import Happening


class Inbox:
    """`put` may be called from any thread; the loop waits for `fileno` and then calls `take`."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Happening] = SimpleQueue()
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)

    def put(self, given: Happening) -> None:
        self._given.put(given)
        with suppress(OSError):  # full, so it wakes already; or closed, so nobody listens
            os.write(self._in, b"!")

    def fileno(self) -> int:
        return self._out

    def take(self) -> list[Happening]:
        """What was put since the last time, in order."""
        with suppress(BlockingIOError):
            os.read(self._out, 4096)
        return [self._given.get() for _ in range(self._given.qsize())]

    def close(self) -> None:
        os.close(self._in)
        os.close(self._out)
