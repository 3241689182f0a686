"""Server-sent events with the table's public state: the newest state at once, then each newer
state.

A viewer that reads slowly misses states: nothing is queued, except in the system's buffers.

A message contains the answer to a guess at once, but the table shows this answer only after a
moment of suspense. Until then pages keep showing the state before the guess. A viewer that connects
during that moment also gets the state before the guess, so that its page can show it.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from pi_table.common.language import to_json
from pi_table.protocols.ipc.messages import AnyPublicMessage
from pi_table.screens.web.asgi import (
    Receive,
    Scope,
    Send,
    Together,
    answer,
    device_of,
    keep_place,
    tell_that_it_is_full,
    until_hung_up,
)
from pi_table.screens.web.interface import VERSION, Table
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.places import Gives, Places, do_nothing

MAX_VIEWERS: Final = 256
MAX_PER_DEVICE: Final = 128
"""Maximum number of viewers from one address. It is high, because all guests may be behind one
router."""
BEFORE_THE_ANSWER: Final = "revealing"
"""The kind of the announcement that the table makes before it shows the answer to a guess."""
QUIET_SECONDS: Final = 5.0
"""Seconds without a new state, after which all viewers get the event ``here`` as a sign of life."""
HERE: Final = b"event: here\ndata: {}\n\n"
RETRY_MS: Final = 500
"""Milliseconds that a browser waits before it reconnects after a broken connection."""


class Viewers:
    """All viewers of the public state, and the newest state."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` returns the time in seconds, for example the time of the event loop."""
        self._clock = clock
        self._here = False
        self._message: AnyPublicMessage | None = None
        self._since = clock()
        """Time when the newest message arrived, in seconds of ``clock``."""
        self._awaited: _Awaited | None = None
        """The latest `_Awaited` answer, or None if every answer was shown at once."""
        self._news: Newest[bytes] = Newest(_event(self.table()))
        """The event that all viewers get."""
        self._places = Places(MAX_VIEWERS, MAX_PER_DEVICE, oldest_stay=True)

    def show(self, here: bool, message: AnyPublicMessage | None) -> None:
        """Send a new state to all viewers. ``here`` is True if the table is connected."""
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
        self._news.put(_event(self.table()))

    async def run(self) -> None:
        """Send signs of life, without end."""
        # One timer wakes all viewers at once. With a timer for each viewer, a sign of life took
        # four times as much processor time (120 µs).
        while True:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await self._news.after(self._news.now.number)
            except TimeoutError:
                # The same again is a sign of life to those who have it. It is read only now,
                # because a new state may have come at the same time as the timeout.
                self._news.put(self._news.now.value)

    def table(self) -> bytes:
        """Return the newest state as JSON (`Table`), with its age."""
        return self._as_json(self._message, self._since)

    def initial_messages(self) -> Iterator[bytes]:
        """Yield the first states for a new viewer. Each is JSON, as `table` returns it."""
        if self._awaited is not None and self._clock() < self._awaited.until:
            yield self._as_json(self._awaited.shown, self._awaited.since)
        yield self.table()

    def _as_json(self, message: AnyPublicMessage | None, since: float) -> bytes:
        age = round(self._clock() - since, 3)
        return to_json(Table(VERSION, self._here, message, age))

    def has_room_for(self, device: str) -> bool:
        return self._places.has_room_for(device)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the states to one viewer, until it hangs up or loses its place to another viewer. If
        there is no place for the viewer, answer that there is no room."""
        start = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
        if scope["method"] == "HEAD":
            await answer(send, 200, start, b"")
            return
        place = self._places.take(device_of(scope), do_nothing, Gives.TO_OTHERS)
        if place is None:
            await tell_that_it_is_full(send)
            return
        try:
            with keep_place(scope):
                await send({"type": "http.response.start", "status": 200, "headers": start})
                served = Together(self._tell(send), until_hung_up(receive))
                place.when_wanted(served.end)
                await served.first_ends()
        finally:
            place.leave()
        await send({"type": "http.response.body", "body": b""})

    async def _tell(self, send: Send) -> None:
        number, sent = self._news.now
        first = b"".join(map(_event, self.initial_messages()))
        await _write(send, b"retry: %d\n\n%s" % (RETRY_MS, first))
        while True:
            number, event = await self._news.after(number)
            await _write(send, HERE if event is sent else event)
            sent = event


class _Awaited(NamedTuple):
    """The answer to a guess, while the table has not shown this answer yet."""

    shown: AnyPublicMessage
    """The message before the message with the answer. Pages show this older message until
    ``until``."""
    since: float
    """Time when the message ``shown`` arrived, in seconds of ``clock``."""
    until: float
    """Time when the table shows the answer, in seconds of ``clock``."""


def _seconds_to_the_answer(before: AnyPublicMessage, message: AnyPublicMessage) -> float | None:
    """Return the seconds until the table shows the new answer in ``message``; None if the message
    has no new answer. The pages compute the same number (`pages/screen.js`)."""
    last = max((said.number for said in before.said), default=0)
    news = [said for said in message.said if said.number > last]
    if not any(said.what == BEFORE_THE_ANSWER for said in news):
        return None
    return min((said.after for said in news if said.after > 0.0), default=None)


def _event(table: bytes) -> bytes:
    return b"event: table\ndata: %s\n\n" % table


async def _write(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})
