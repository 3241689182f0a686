"""Fair scheduling: one turn for each pass of the event loop. Devices take turns.

Without turns, the requests of hundreds of connections would all be answered in one pass. Everything
else would wait for the end of that pass: other guests' answers, the phones' frames, and the message
to systemd's watchdog, which treats a late loop as a loop that hangs. With turns, each pass is
short, so the loop itself sends the watchdog message in time. A separate thread would send this
message even if the loop hung.
"""

import asyncio
from collections import deque
from typing import Final

PIECE_BYTES: Final = 1024
"""Maximum number of bytes parsed in one turn. More could contain a thousand chunks or pings."""


class Turns:
    """The tasks that wait for a turn. Each device has its own queue of tasks."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The queue of each device. The devices are in the order of their turns."""
        self._is_ordered = False
        """True if the next turn is scheduled already."""

    async def wait(self, device: str) -> None:
        """Wait for a turn. The turn ends when the task next waits for anything."""
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
