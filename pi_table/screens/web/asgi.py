"""The parts of ASGI that this server uses: messages between a connection and the application."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

from pi_table.common.language import LANGUAGES, say, translate
from pi_table.screens.web.guard import Headers
from pi_table.screens.web.places import UNKNOWN, Gives, Place

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

FULL: Final = say("Too many pages of the table are open in this network. Close one, or try later.")
PLACE: Final = "place"
"""Key in a connection's state, for the `Place` that the connection has among all connections."""


def device_of(scope: Scope) -> str:
    """Return the address of the device that sent a request.

    Headers that name another device are not trusted. So a proxy on this machine counts as one
    device, which may take all places.
    """
    client = scope.get("client")
    return str(client[0]) if client else UNKNOWN


@contextmanager
def keep_place(scope: Scope) -> Iterator[None]:
    """Protect this connection's place among all connections during the context. A newcomer may
    still take the connection's other place: its place among the boards or phones."""
    place: Place = scope["state"][PLACE]
    place.give(Gives.TO_NOBODY)
    try:
        yield
    finally:
        place.give(Gives.TO_ALL)


async def answer(
    send: Send, status: int, headers: Headers, content: bytes, *, head: bool = False
) -> None:
    length = (b"content-length", str(len(content)).encode())
    start = {"type": "http.response.start", "status": status, "headers": [*headers, length]}
    await send(start)
    await send({"type": "http.response.body", "body": b"" if head else content})


async def tell(send: Send, status: int, sentence: str, *more: tuple[bytes, bytes]) -> None:
    """Answer with a sentence for people who debug a program. The pages do not show it."""
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await answer(send, status, [kind, *more], sentence.encode() + b"\n")


async def tell_that_it_is_full(send: Send, *more: tuple[bytes, bytes]) -> None:
    """Answer in all languages that there is no room for another guest."""
    sentences = "\n".join(translate(FULL, lang) for lang in LANGUAGES)
    await tell(send, 503, sentences, (b"retry-after", b"5"), *more)


async def until_hung_up(receive: Receive) -> None:
    """Wait until the client has hung up, and drop all its messages until then."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Together:
    """Tasks that serve one guest. They run until the first of them ends."""

    def __init__(self, *things: Coroutine[Any, Any, None]) -> None:
        self._tasks = {asyncio.create_task(each) for each in things}

    def end(self) -> None:
        """End all tasks. Further calls have no effect."""
        for task in self._tasks:
            task.cancel()

    async def first_ends(self) -> None:
        """Wait until one task has ended, then end the others.

        An error in a task also ends all tasks. It is not raised, because it means that the guest
        has gone.
        """
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.end()
            await asyncio.gather(*self._tasks, return_exceptions=True)
