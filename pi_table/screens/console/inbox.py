"""Inputs of the console's loop that do not come from the window: events from other threads, and the
file in which a failed table gives the reason of its failure."""

import os
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from pi_table.common.failure_report import read
from pi_table.screens.console.console_events import Happening, Stopped

LOOK_SECONDS: Final = 1.0


class Inbox:
    """A queue of events for the console's loop. The loop waits until `fileno` is readable, then
    calls `take`. Any thread may call `put`."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Happening] = SimpleQueue()
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)

    def put(self, given: Happening) -> None:
        self._given.put(given)
        with suppress(OSError):  # if full, the loop wakes anyway; if closed, it has ended
            os.write(self._in, b"!")

    def fileno(self) -> int:
        return self._out

    def take(self) -> list[Happening]:
        """Return everything queued since the last call, in order."""
        with suppress(BlockingIOError):
            os.read(self._out, 4096)
        return [self._given.get() for _ in range(self._given.qsize())]

    def close(self) -> None:
        os.close(self._in)
        os.close(self._out)


class Watch:
    """Polls the file at ``path``: a table that fails permanently writes the reason there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next = float("-inf")
        self._why: str | None = None

    def look(self, now: float, away: bool) -> list[Stopped]:
        """Return `Stopped` if the table has failed permanently since the last call, or if such a
        failure is over. ``away`` is True while the table does not answer. ``now`` is in monotonic
        seconds."""
        if away and now < self._next:
            return []
        self._next = now + LOOK_SECONDS
        why = read(self._path) if away else None
        if why == self._why:
            return []
        self._why = why
        return [Stopped(why)]
