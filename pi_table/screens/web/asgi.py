"""What connections and the answering parts say to one another (ASGI), as far as it is used here."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

from pi_table.common.language import LANGUAGES, say, written
from pi_table.screens.web.guard import Headers
from pi_table.screens.web.places import UNKNOWN, Gives, Place

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

FULL: Final = say("Too many pages of the table are open in this network. Close one, or try later.")
PLACE: Final = "place"
"""Where the state of a connection holds its place among all connections."""


def device_of(scope: Scope) -> str:
    """The address of the device that asks. What it claims of itself in a header is not looked at:
    a proxy on this machine is a device with room for everybody."""
    client = scope.get("client")
    return str(client[0]) if client else UNKNOWN


@contextmanager
def stays(scope: Scope) -> Iterator[None]:
    """Let a connection give way to nobody meanwhile: it has a place of another kind."""
    place: Place = scope["state"][PLACE]
    place.give(Gives.TO_NOBODY)
    try:
        yield
    finally:
        place.give(Gives.TO_ALL)


async def answer(
    send: Send, status: int, headers: Headers, content: bytes, *, head: bool = False
) -> None:
    """Answer a request whole."""
    length = (b"content-length", str(len(content)).encode())
    start = {"type": "http.response.start", "status": status, "headers": [*headers, length]}
    await send(start)
    await send({"type": "http.response.body", "body": b"" if head else content})


async def tell(send: Send, status: int, sentence: str, *more: tuple[bytes, bytes]) -> None:
    """Answer with a sentence for whoever reads what a program was answered."""
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await answer(send, status, [kind, *more], sentence.encode() + b"\n")


async def tell_that_it_is_full(send: Send, *more: tuple[bytes, bytes]) -> None:
    """Tell a newcomer, in every language, that there is no room beside those who are here."""
    sentences = "\n".join(written(FULL, lang) for lang in LANGUAGES)
    await tell(send, 503, sentences, (b"retry-after", b"5"), *more)


async def hung_up(receive: Receive) -> None:
    """Come back when the one who asked has hung up; what comes meanwhile is dropped."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Together:
    """Things that are done at once for one guest, until the first of them ends."""

    def __init__(self, *things: Coroutine[Any, Any, None]) -> None:
        self._tasks = {asyncio.create_task(each) for each in things}

    def end(self) -> None:
        """End all of them. May be called again, with no effect."""
        for task in self._tasks:
            task.cancel()

    async def first_ends(self) -> None:
        """Wait until one has ended; then none goes on. What went wrong in one ended it, and that is
        all: its guest has gone."""
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.end()
            await asyncio.gather(*self._tasks, return_exceptions=True)
