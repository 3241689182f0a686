"""The table for whoever looks on: its newest state, and each newer one as a server-sent event.

A viewer that is slow skips to the newest. Nothing is kept for anybody but what the system keeps of
a connection.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from pi_table.ipc.messages import AnyPublicMessage
from pi_table.web.asgi import Receive, Scope, Send, Together, answer, device_of, hung_up
from pi_table.web.interface import VERSION, Table, encoded
from pi_table.web.newest import Newest
from pi_table.web.places import Places

MOST_VIEWERS: Final = 256
MOST_A_DEVICE: Final = 16
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
        self._news: Newest[bytes] = Newest(self.table())
        """`Table`, as JSON, when it was shown."""
        self._places = Places(MOST_VIEWERS, MOST_A_DEVICE)

    def show(self, here: bool, message: AnyPublicMessage | None) -> None:
        """Show the table to everybody."""
        if (here, message) == (self._here, self._message):
            return
        if message != self._message:
            self._since = self._clock()
        self._here, self._message = here, message
        self._news.put(self.table())

    def table(self) -> bytes:
        """The table as it stands, as JSON, and how old that is."""
        age = round(self._clock() - self._since, 3)
        return encoded(Table(VERSION, self._here, self._message, age))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send one viewer the table, until it hangs up or gives way to another."""
        start = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
        if scope["method"] == "HEAD":
            await answer(send, 200, start, b"")
            return
        await send({"type": "http.response.start", "status": 200, "headers": start})
        served = Together(self._tell(send), hung_up(receive))
        place = self._places.take(device_of(scope), served.end)
        try:
            await served.first_ends()
        finally:
            place.leave()
        await send({"type": "http.response.body", "body": b""})

    async def _tell(self, send: Send) -> None:
        number = self._news.now.number
        await _write(send, b"retry: %d\n\n%s" % (RETRY_MS, _event(self.table())))
        while True:
            news = b"event: here\ndata: {}\n\n"
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIET_SECONDS):
                    number, table = await self._news.after(number)
                    news = _event(table)
            await _write(send, news)


def _event(table: bytes) -> bytes:
    return b"event: table\ndata: %s\n\n" % table


async def _write(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})
