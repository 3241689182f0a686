"""What uvicorn and the answering parts say to one another (ASGI), as far as it is used here."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any

from pi_table.web.guard import Headers
from pi_table.web.places import UNKNOWN

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def device_of(scope: Scope) -> str:
    """The address of the device that asks. What it claims of itself in a header is not looked at:
    a proxy on this machine is a device with room for everybody."""
    client = scope.get("client")
    return str(client[0]) if client else UNKNOWN


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
