"""Fair scheduling: one action for each pass of the loop, with the devices taking turns.

Without fair scheduling, the requests of hundreds of connections would all be answered in one pass.
Everything else would have to wait for that pass: another guest's answer, the phones' beats, and the
message to systemd's watchdog, which takes a late loop for a hung loop. With fair scheduling, the
loop continues after each answer. So the watchdog needs no thread of its own, which would keep
reporting even if the loop hangs.
"""

import asyncio
from collections import deque
from typing import Final

PIECE_BYTES: Final = 1024
"""Bytes read at a time: a larger piece could contain a thousand chunks or pings."""


class Turns:
    """The waiting tasks, each device in a queue of its own."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The devices in the order of their turns."""
        self._is_ordered = False
        """True if the next turn is scheduled already."""

    async def wait(self, device: str) -> None:
        """Wait for a turn. The turn lasts until the next ``await`` that blocks."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(device, deque()).append(turn)
        self._order()
        await turn

    def _order(self) -> None:
        if self._waiting and not self._is_ordered:
            self._is_ordered = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._is_ordered = False
        is_given = False
        while self._waiting and not is_given:
            device = next(iter(self._waiting))
            waiting = self._waiting.pop(device)
            turn = waiting.popleft()
            if waiting:
                self._waiting[device] = waiting  # to the end of the queue
            if not turn.done():  # otherwise it was cancelled
                turn.set_result(None)
                is_given = True
        self._order()
