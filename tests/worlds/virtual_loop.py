"""An event loop whose time is a number: where nothing is left to do, the next timer is due at once.

Its sockets are real. What one end in this process writes, the other can read in the same instant,
so time goes on only when nobody has anything more to say.
"""

import asyncio
import selectors
from typing import Any

SPINS = 200
"""Turns of the loop in one instant, without anything to read, after which time must go on."""
A_MOMENT = 1e-6


class Stalled(Exception):  # noqa: N818 - what has happened, not a class of faults
    """Everybody waits for somebody else, for ever."""


class _Selector(selectors.DefaultSelector):
    """Waits in no time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.frozen = 0.0
        self._spins = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.frozen:
            self.now, self.frozen = self.now + self.frozen, 0.0
            return []
        ready = super().select(0)
        self._spins = 0 if ready or timeout else self._spins + 1
        if ready or timeout == 0:
            if self._spins > SPINS:  # a real clock would have moved on meanwhile
                self.now += A_MOMENT
            return ready
        if timeout is None:
            raise Stalled("Nothing is due, and nobody has anything to say.")
        self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Seconds begin at 0, or at ``start``."""

    def __init__(self, start: float = 0.0) -> None:
        self._virtual = _Selector()
        self._virtual.now = start
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

    def advance(self, seconds: float) -> None:
        """Let time pass for everybody, as during a call that sleeps."""
        self._virtual.now += seconds

    def freeze(self, seconds: float) -> None:
        """Act like SIGSTOP on a waiting process: its time passes, and it reads nothing."""
        self._virtual.frozen = seconds

    async def until(self, at: float) -> None:
        """Wait for this instant."""
        await asyncio.sleep(at - self.time())


def run(main: Any, start: float = 0.0) -> None:
    """Run a coroutine function, which is given the loop, to its end."""
    loop = VirtualLoop(start)
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(main(loop))
