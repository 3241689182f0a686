"""The phones' WebSockets. Every `BEAT_SECONDS`, each phone sends one frame and receives one block:
the frames for all phones.

All phones look alike to this process. It cannot know which seat a phone has, or whether its frame
contains an act. The table reports which frames came from a phone with a seat. Such a phone keeps
its place even if more devices connect from its address, and its frames are passed on first.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Hashable
from contextlib import suppress
from typing import Final

from pi_table.common.pacing import RateLimit
from pi_table.protocols.ipc.sealed import BEAT_SECONDS, MARK_BYTES, UP_BYTES
from pi_table.screens.web.asgi import (
    Message,
    Receive,
    Scope,
    Send,
    Together,
    device_of,
    keep_place,
    tell_that_it_is_full,
)
from pi_table.screens.web.guard import HEADERS, NO_STORE
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.places import Gives, Place, Places, do_nothing

MAX_PHONES: Final = 128
"""Maximum number of connected phones. `http_connections.MAX_CONNECTIONS` limits all connections."""
MAX_PER_DEVICE: Final = 80
"""Maximum number of phones from one address. It is high, because all guests may be behind one
router."""
TRIAL_SECONDS: Final = 3.0
"""Timeout in seconds for a new phone to prove that it has a seat. Afterwards any newcomer may take
its place."""
KNOWN_SECONDS: Final = 5.0
"""Seconds for which a phone cannot lose its place after a frame has proved that it has a seat."""
MARKS: Final = 16
"""Number of a phone's latest frames that are remembered, by their marks (first bytes)."""
MAX_BURST_FRAMES: Final = 16
"""Maximum number of frames that a phone may send at once. The network may deliver delayed frames
together."""
FRAMES_A_SECOND: Final = 1.5 / BEAT_SECONDS

GAVE_WAY: Final = 4001
"""WebSocket close code: another guest took the phone's place."""
NO_FRAME: Final = 1003
TOO_OFTEN: Final = 1008


class _Phone:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._loosening: asyncio.TimerHandle | None = None
        self.marks: deque[bytes] = deque(maxlen=MARKS)
        """The mark of each of the phone's latest frames. The table has received these frames."""
        self._stay(Gives.TO_OTHERS, TRIAL_SECONDS)

    @property
    def is_known(self) -> bool:
        """True if the phone recently proved that it has a seat."""
        return self._place.gives is Gives.TO_NOBODY

    def keep(self) -> None:
        """Secure the phone's place for a while: the table has confirmed one of its frames."""
        self._stay(Gives.TO_NOBODY, KNOWN_SECONDS)

    def leave(self) -> None:
        if self._loosening is not None:
            self._loosening.cancel()
        self._place.leave()

    def _stay(self, gives: Gives, seconds: float) -> None:
        if self._loosening is not None:
            self._loosening.cancel()
        self._place.give(gives)
        loop = asyncio.get_running_loop()
        self._loosening = loop.call_later(seconds, self._place.give, Gives.TO_ALL)


class Phones:
    """The connected phones, and their frames that wait to be passed on."""

    def __init__(self) -> None:
        self._places = Places(MAX_PHONES, MAX_PER_DEVICE, oldest_stay=True)
        self._here: dict[Hashable, _Phone] = {}
        self._said: dict[Hashable, bytes] = {}
        """The latest frame of each phone, in the order in which they arrived."""

    def add(self, phone: Hashable, place: Place) -> None:
        self._here[phone] = _Phone(place)

    def take(self, most: int) -> tuple[bytes, ...]:
        """Remove and return the frames to pass on: at most ``most``, and at most one of each phone.

        Frames of phones with a seat come first, then the frames that have waited longest.
        """
        frames = []
        for each in sorted(self._said, key=lambda each: not self._is_known(each))[:most]:
            frames.append(self._said.pop(each))
            if each in self._here:
                self._here[each].marks.append(frames[-1][:MARK_BYTES])
        return tuple(frames)

    def keep(self, marks: Collection[bytes]) -> None:
        """Secure the places of the phones whose frames have these marks.

        A stranger who overhears a frame and repeats it gets a secure place too. The phone that sent
        the frame keeps its own place all the same.
        """
        for phone in self._here.values() if marks else ():
            if any(each in phone.marks for each in marks):
                phone.keep()

    def hear(self, phone: Hashable, frame: bytes) -> None:
        """Store a phone's frame until `take` returns it. It replaces the phone's earlier frame."""
        self._said[phone] = frame

    async def serve(
        self, blocks: Newest[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve one phone until it hangs up, is disconnected, or loses its place to another guest.
        If there is no place for the phone, answer that there is no room."""
        await receive()  # the connection request
        place = self._places.take(device_of(scope), do_nothing, Gives.TO_OTHERS)
        if place is None:
            await tell_that_it_is_full(_instead(send), *HEADERS, NO_STORE)
            return
        self.add(receive, place)
        why = {"code": 1000}
        try:
            await send({"type": "websocket.accept"})
            served = Together(_tell(blocks, send), self._hear(receive, why))

            def give_way() -> None:
                why["code"] = GAVE_WAY
                served.end()

            place.when_wanted(give_way)
            with keep_place(scope):
                await served.first_ends()
        finally:
            self._here.pop(receive).leave()
            self._said.pop(receive, None)
            with suppress(Exception):  # the phone may have disconnected
                await send({"type": "websocket.close", "code": why["code"]})

    def _is_known(self, phone: Hashable) -> bool:
        return phone in self._here and self._here[phone].is_known

    async def _hear(self, receive: Receive, why: dict[str, int]) -> None:
        limit = RateLimit(MAX_BURST_FRAMES, FRAMES_A_SECOND)
        loop = asyncio.get_running_loop()
        while (message := await receive())["type"] == "websocket.receive":
            frame = message.get("bytes")
            if frame is None or len(frame) != UP_BYTES:
                why["code"] = NO_FRAME
                return
            if not limit.spend(1, loop.time()):
                why["code"] = TOO_OFTEN
                return
            self.hear(receive, frame)


def _instead(send: Send) -> Send:
    """Return a `Send` that refuses the WebSocket and answers by HTTP."""

    async def answer(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    return answer


async def _tell(blocks: Newest[bytes], send: Send) -> None:
    number = blocks.now.number  # skip the current block: it may be old
    while True:
        number, block = await blocks.after(number)
        await send({"type": "websocket.send", "bytes": block})
