"""Turns: one thing a pass of the loop, the devices one after the other.

Without them, all that hundreds of connections ask for would be answered in one pass, and whatever
else is due waits for the end of it: another guest's answer, the beats of the phones, and the word
to systemd's watchdog, which takes a loop that is late for one that stands still. With them the loop
comes round after each answer. So the watchdog's word needs no thread of its own, which would go on
saying it while the loop hangs.
"""

import asyncio
from collections import deque
from typing import Final

PIECE_BYTES: Final = 1024
"""Most bytes that are read at a time: in more of them there could be a thousand chunks or pings."""


class Turns:
    """Who waits to have something done, each device in a queue of its own."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The devices in the order of their turns."""
        self._is_ordered = False
        """Is the next turn due already?"""

    async def wait(self, device: str) -> None:
        """Wait for a turn. What is done with it lasts until the next ``await`` that waits."""
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
                self._waiting[device] = waiting  # behind all others
            if not turn.done():  # else nobody waits for it any more
                turn.set_result(None)
                is_given = True
        self._order()
