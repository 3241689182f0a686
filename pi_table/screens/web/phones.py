"""The phones' WebSockets: each phone receives every block and sends one frame a beat.

All phones look alike: this process cannot know which seat a phone has, or whether its frame
contains anything. The table reports which frames came from a phone with a seat. Such a phone keeps
its place even if more devices connect from its address, and its frames are relayed first.
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
    stays,
    tell_that_it_is_full,
)
from pi_table.screens.web.guard import HEADERS, NO_STORE
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.places import Gives, Place, Places, do_nothing

MAX_PHONES: Final = 128
MAX_PER_DEVICE: Final = 80
"""Maximum number of phones from one address, because all guests may be behind one router."""
TRIAL_SECONDS: Final = 3.0
"""Seconds that a new phone has to prove its seat. After that it may have to give way."""
KNOWN_SECONDS: Final = 5.0
"""Seconds for which a frame from a phone with a seat secures that phone's place."""
MARKS: Final = 16
"""Number of a phone's latest frames whose marks are remembered until the table confirms them."""
MAX_BURST_FRAMES: Final = 16
"""Frames beyond the rate limit, because a network may deliver delayed frames together."""
FRAMES_A_SECOND: Final = 1.5 / BEAT_SECONDS

GAVE_WAY: Final = 4001
"""WebSocket close code: a newer phone took the place."""
NO_FRAME: Final = 1003
TOO_OFTEN: Final = 1008


class _Phone:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._loosening: asyncio.TimerHandle | None = None
        self.marks: deque[bytes] = deque(maxlen=MARKS)
        """Marks of the phone's latest frames that were relayed to the table."""
        self._stay(Gives.TO_OTHERS, TRIAL_SECONDS)

    @property
    def is_known(self) -> bool:
        """True if the phone recently proved that it has a seat."""
        return self._place.gives is Gives.TO_NOBODY

    def keep(self) -> None:
        """Secure the phone's place: the table confirmed one of its frames."""
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
    """The connected phones and their latest frames of this beat."""

    def __init__(self) -> None:
        self._places = Places(MAX_PHONES, MAX_PER_DEVICE, oldest_stay=True)
        self._here: dict[Hashable, _Phone] = {}
        self._said: dict[Hashable, bytes] = {}
        """The latest frame of each phone, in the order of arrival."""

    def add(self, phone: Hashable, place: Place) -> None:
        self._here[phone] = _Phone(place)

    def take(self, most: int) -> tuple[bytes, ...]:
        """Return at most this many frames, one of each phone. Phones with a seat come first; of the
        others, those that had to wait come first at the next beat."""
        frames = []
        for each in sorted(self._said, key=lambda each: not self._is_known(each))[:most]:
            frames.append(self._said.pop(each))
            if each in self._here:
                self._here[each].marks.append(frames[-1][:MARK_BYTES])
        return tuple(frames)

    def keep(self, marks: Collection[bytes]) -> None:
        """Secure the places of the phones that sent frames with these marks.

        Someone who overhears a frame and repeats it gets a secure place, too. The frame's owner
        still keeps its place.
        """
        for phone in self._here.values() if marks else ():
            if any(each in phone.marks for each in marks):
                phone.keep()

    def hear(self, phone: Hashable, frame: bytes) -> None:
        """Store a phone's frame. It replaces an earlier frame of the same phone in this beat."""
        self._said[phone] = frame

    async def serve(
        self, blocks: Newest[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve one phone until it hangs up, is disconnected, or gives way to another. If there is
        no room for the phone, answer with a sentence about that."""
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
            with stays(scope):
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
    """Return a `Send` that answers by HTTP instead of a WebSocket."""

    async def answer(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    return answer


async def _tell(blocks: Newest[bytes], send: Send) -> None:
    number = blocks.now.number  # skip the current block: it may be old
    while True:
        number, block = await blocks.after(number)
        await send({"type": "websocket.send", "bytes": block})
