"""When something that failed is tried again, and that it is told once."""

import logging
from collections.abc import Callable
from typing import Final

log = logging.getLogger("pi_table")

SOONEST_SECONDS: Final = 0.5
LATEST_SECONDS: Final = 60.0


class Backoff:
    """Waits longer and longer between tries of one thing. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._next = 0.0
        self._wait = SOONEST_SECONDS
        self._told: set[str] = set()

    def due(self) -> bool:
        """Is it time to try?"""
        return self.left() <= 0

    def left(self) -> float:
        """Seconds until the next try."""
        return max(0.0, self._next - self._clock())

    def failed(self) -> bool:
        """The try came to nothing: the next one is later. Is that new? Between two tries nothing
        fails more."""
        if not self.due():
            return False
        self._next = self._clock() + self._wait
        self._wait = min(2 * self._wait, LATEST_SECONDS)
        return True

    def succeeded(self) -> None:
        """All is well: the next failure is a new one."""
        self._next, self._wait = 0.0, SOONEST_SECONDS
        self._told.clear()

    def say_once(self, what: str) -> None:
        """Log what is wrong, unless the log says it already."""
        if what not in self._told:
            self._told.add(what)
            log.warning("%s", what)
