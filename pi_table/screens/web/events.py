"""The table for whoever looks on: its newest state, and each newer one as a server-sent event.

A viewer that is slow skips to the newest. Nothing is kept for anybody but what the system keeps of
a connection.

A message has the answer to a guess at once, and the table gives it after a while of tension: pages
hold back what would tell it, and show meanwhile what they were shown before. Who comes in that
while has nothing to show, and is sent what was shown before as well.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from pi_table.protocols.ipc.messages import AnyPublicMessage
from pi_table.screens.web.asgi import (
    Receive,
    Scope,
    Send,
    Together,
    answer,
    device_of,
    hung_up,
    stays,
    tell_that_it_is_full,
)
from pi_table.screens.web.interface import VERSION, Table, encoded
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.places import Gives, Places, do_nothing

MOST_VIEWERS: Final = 256
MOST_A_DEVICE: Final = 128
"""Viewers of one address, behind which there may be a router with everybody."""
BEFORE_THE_ANSWER: Final = "revealing"
"""What is announced while the answer to a guess is awaited."""
QUIET_SECONDS: Final = 5.0
"""After how long without news a viewer is sent the event ``here``: by it both ends learn that the
other is there."""
RETRY_MS: Final = 500
"""How soon a browser comes again when the connection broke."""


class Viewers:
    """Everybody who looks on, and what they are shown."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` tells seconds, such as those of the event loop."""
        self._clock = clock
        self._here = False
        self._message: AnyPublicMessage | None = None
        self._since = clock()
        """When the message came."""
        self._awaited: _Awaited | None = None
        """The answer that was awaited last."""
        self._news: Newest[bytes] = Newest(self.table())
        """`Table`, as JSON, when it was shown."""
        self._places = Places(MOST_VIEWERS, MOST_A_DEVICE, oldest_stay=True)

    def show(self, here: bool, message: AnyPublicMessage | None) -> None:
        """Show the table to everybody."""
        if (here, message) == (self._here, self._message):
            return
        if message != self._message:
            now = self._clock()
            if self._message is not None and message is not None:
                seconds = _seconds_to_the_answer(self._message, message)
                if seconds is not None:
                    self._awaited = _Awaited(self._message, self._since, now + seconds)
            self._since = now
        self._here, self._message = here, message
        self._news.put(self.table())

    def table(self) -> bytes:
        """The table as it stands, as JSON, and how old that is."""
        return self._as_json(self._message, self._since)

    def shown_first(self) -> Iterator[bytes]:
        """What is sent at once to who comes now, each as `table`."""
        if self._awaited is not None and self._clock() < self._awaited.until:
            yield self._as_json(self._awaited.shown, self._awaited.since)
        yield self.table()

    def _as_json(self, message: AnyPublicMessage | None, since: float) -> bytes:
        age = round(self._clock() - since, 3)
        return encoded(Table(VERSION, self._here, message, age))

    def has_room_for(self, device: str) -> bool:
        """Would a viewer of this device be taken in?"""
        return self._places.has_room_for(device)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send one viewer the table, until it hangs up or gives way to another. One for whom there
        is no room is told so."""
        start = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
        if scope["method"] == "HEAD":
            await answer(send, 200, start, b"")
            return
        place = self._places.take(device_of(scope), do_nothing, Gives.TO_OTHERS)
        if place is None:
            await tell_that_it_is_full(send)
            return
        try:
            with stays(scope):
                await send({"type": "http.response.start", "status": 200, "headers": start})
                served = Together(self._tell(send), hung_up(receive))
                place.when_wanted(served.end)
                await served.first_ends()
        finally:
            place.leave()
        await send({"type": "http.response.body", "body": b""})

    async def _tell(self, send: Send) -> None:
        number = self._news.now.number
        first = b"".join(map(_event, self.shown_first()))
        await _write(send, b"retry: %d\n\n%s" % (RETRY_MS, first))
        while True:
            news = b"event: here\ndata: {}\n\n"
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIET_SECONDS):
                    number, table = await self._news.after(number)
                    news = _event(table)
            await _write(send, news)


class _Awaited(NamedTuple):
    """An answer that is awaited at the table."""

    shown: AnyPublicMessage
    """The message before it."""
    since: float
    """When that came."""
    until: float
    """When the answer is given."""


def _seconds_to_the_answer(before: AnyPublicMessage, message: AnyPublicMessage) -> float | None:
    """How long it takes until the answer is given that is news in a message; None: there is none.
    As the pages reckon it (`pages/screen.js`)."""
    last = max((said.number for said in before.said), default=0)
    news = [said for said in message.said if said.number > last]
    if not any(said.what == BEFORE_THE_ANSWER for said in news):
        return None
    return min((said.after for said in news if said.after > 0.0), default=None)


def _event(table: bytes) -> bytes:
    return b"event: table\ndata: %s\n\n" % table


async def _write(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})
