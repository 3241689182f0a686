"""The phones: each is sent every block when it comes, and says one frame a beat.

All are alike: which seat a phone has, and whether it says anything, nobody here can know. The table
says which frames were of a phone with a seat. Such a phone keeps its place, whoever else comes from
its address, and its frames go first.
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

MOST_PHONES: Final = 128
MOST_A_DEVICE: Final = 80
"""Phones of one address, behind which there may be a router with everybody."""
TRIAL_SECONDS: Final = 3.0
"""How long a newcomer has until a frame of it is known to be of a phone with a seat. After that it
gives way to another newcomer where there is no room."""
KNOWN_SECONDS: Final = 5.0
"""How long after such a frame a phone keeps its place, whatever comes."""
MARKS: Final = 16
"""Frames of a phone whose marks are remembered until the table has said something of them."""
MOST_AT_ONCE: Final = 16
"""Frames that a phone may send at once, beyond one a beat and half as many again: a network holds
some back, and brings them together."""
FRAMES_A_SECOND: Final = 1.5 / BEAT_SECONDS

GAVE_WAY: Final = 4001
"""Code of a WebSocket's end: a newer phone took the place."""
NO_FRAME: Final = 1003
TOO_OFTEN: Final = 1008


class _Phone:
    """A phone that is connected."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loosening: asyncio.TimerHandle | None = None
        self.marks: deque[bytes] = deque(maxlen=MARKS)
        """Of the latest frames of it that went to the table."""
        self._stay(Gives.TO_OTHERS, TRIAL_SECONDS)

    @property
    def is_known(self) -> bool:
        """Has it a seat, as far as is known?"""
        return self._place.gives is Gives.TO_NOBODY

    def keep(self) -> None:
        """It has said something as a phone with a seat does."""
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
    """The phones that are connected, and what they have said since the last beat."""

    def __init__(self) -> None:
        self._places = Places(MOST_PHONES, MOST_A_DEVICE, oldest_stay=True)
        self._here: dict[Hashable, _Phone] = {}
        self._said: dict[Hashable, bytes] = {}
        """The latest frame of each phone that said something, in the order in which they did."""

    def come(self, phone: Hashable, place: Place) -> None:
        """A phone has come, and has this place."""
        self._here[phone] = _Phone(place)

    def take(self, most: int) -> tuple[bytes, ...]:
        """At most so many frames, one of each phone: first those that are known to have a seat;
        of the others, who had to wait comes first at the next beat."""
        frames = []
        for each in sorted(self._said, key=lambda each: not self._is_known(each))[:most]:
            frames.append(self._said.pop(each))
            if each in self._here:
                self._here[each].marks.append(frames[-1][:MARK_BYTES])
        return tuple(frames)

    def keep(self, marks: Collection[bytes]) -> None:
        """Let the phones that said frames with these marks keep their places. Who overhears a frame
        may say it, too, and is kept as well; the phone that it is of never loses by that."""
        for phone in self._here.values() if marks else ():
            if any(each in phone.marks for each in marks):
                phone.keep()

    def hear(self, phone: Hashable, frame: bytes) -> None:
        """A phone has said a frame; what it said before in this beat is forgotten."""
        self._said[phone] = frame

    async def serve(
        self, blocks: Newest[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve one phone until it hangs up, is cut off, or gives way to another. One for which
        there is no room is told so."""
        await receive()  # the wish to connect
        place = self._places.take(device_of(scope), do_nothing, Gives.TO_OTHERS)
        if place is None:
            await tell_that_it_is_full(_instead(send), *HEADERS, NO_STORE)
            return
        self.come(receive, place)
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
            with suppress(Exception):  # who has gone is not told why
                await send({"type": "websocket.close", "code": why["code"]})

    def _is_known(self, phone: Hashable) -> bool:
        return phone in self._here and self._here[phone].is_known

    async def _hear(self, receive: Receive, why: dict[str, int]) -> None:
        limit = RateLimit(MOST_AT_ONCE, FRAMES_A_SECOND)
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
    """How something is answered instead of a WebSocket."""

    async def answer(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    return answer


async def _tell(blocks: Newest[bytes], send: Send) -> None:
    number = blocks.now.number  # what was sealed before it came may be old
    while True:
        number, block = await blocks.after(number)
        await send({"type": "websocket.send", "bytes": block})
