"""The phones: each is sent every block when it comes, and says one frame a beat.

All are alike: which of them has a seat, and whether it says anything, nobody here can know.
"""

import asyncio
from collections.abc import Hashable
from contextlib import suppress
from typing import Final

from pi_table.ipc.sealed import BEAT_SECONDS, UP_BYTES
from pi_table.allowance import Allowance
from pi_table.web.asgi import Receive, Scope, Send, Together, device_of
from pi_table.web.newest import Newest
from pi_table.web.places import Places

MOST_PHONES: Final = 64
MOST_A_DEVICE: Final = 8
MOST_AT_ONCE: Final = 16
"""Frames that a phone may send at once, beyond one a beat and half as many again: a network holds
some back, and brings them together."""
FRAMES_A_SECOND: Final = 1.5 / BEAT_SECONDS

GAVE_WAY: Final = 4001
"""Code of a WebSocket's end: a newer phone of the same device took the place."""
NO_FRAME: Final = 1003
TOO_OFTEN: Final = 1008


class Phones:
    """The phones that are connected, and what they have said since the last beat."""

    def __init__(self) -> None:
        self._places = Places(MOST_PHONES, MOST_A_DEVICE)
        self._said: dict[Hashable, bytes] = {}
        """The latest frame of each phone that said something, in the order in which they did."""

    def take(self, most: int) -> tuple[bytes, ...]:
        """At most so many frames, one of each phone; who had to wait comes first at the next
        beat."""
        first = list(self._said)[:most]
        return tuple(self._said.pop(each) for each in first)

    def hear(self, phone: Hashable, frame: bytes) -> None:
        """A phone has said a frame; what it said before in this beat is forgotten."""
        self._said[phone] = frame

    async def serve(
        self, blocks: Newest[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve one phone until it hangs up, is cut off, or gives way to another."""
        await receive()  # the wish to connect
        await send({"type": "websocket.accept"})
        why = {"code": 1000}
        served = Together(_tell(blocks, send), self._hear(receive, why))

        def give_way() -> None:
            why["code"] = GAVE_WAY
            served.end()

        place = self._places.take(device_of(scope), give_way)
        try:
            await served.first_ends()
        finally:
            place.leave()
            self._said.pop(receive, None)
            with suppress(Exception):  # who has gone is not told why
                await send({"type": "websocket.close", "code": why["code"]})

    async def _hear(self, receive: Receive, why: dict[str, int]) -> None:
        allowance = Allowance(MOST_AT_ONCE, FRAMES_A_SECOND)
        loop = asyncio.get_running_loop()
        while (message := await receive())["type"] == "websocket.receive":
            frame = message.get("bytes")
            if frame is None or len(frame) != UP_BYTES:
                why["code"] = NO_FRAME
                return
            if not allowance.spend(1, loop.time()):
                why["code"] = TOO_OFTEN
                return
            self.hear(receive, frame)


async def _tell(blocks: Newest[bytes], send: Send) -> None:
    number = blocks.now.number  # what was sealed before it came may be old
    while True:
        number, block = await blocks.after(number)
        await send({"type": "websocket.send", "bytes": block})
