"""The operator's desk over HTTP: encrypted requests go to the table, and encrypted answers come
back."""

import asyncio
from typing import Final

from pi_table.common.pacing import RateLimit
from pi_table.protocols.ipc.sealed import MAX_DESK_BYTES
from pi_table.screens.web.asgi import Receive, Scope, Send, answer, device_of, tell
from pi_table.screens.web.table_link import DeskRelay, TableAway, TooBusy

KIND: Final = b"application/octet-stream"
"""Content type of requests and answers. An HTML form cannot send this type. A page of another site
can send it only with the server's permission (CORS)."""
AT_ONCE: Final = 40
A_SECOND: Final = 20
"""Maximum number of requests per second from one device. The table itself limits wrong PINs."""
MAX_DEVICES: Final = 512
"""Maximum number of devices whose requests are counted at the same time."""
AGAIN: Final = (b"retry-after", b"1")


class Desk:
    """The endpoint for requests of desks. It passes them to the table and returns the table's
    answers."""

    def __init__(self, line: DeskRelay) -> None:
        self._line = line
        self._limits: dict[str, RateLimit] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != KIND:
            await tell(send, 415, f"A desk sends {KIND.decode()}.")
        elif not self._may_ask(device_of(scope)):
            await tell(send, 429, "That is more than one desk can ask: wait a second.", AGAIN)
        elif (sealed := await _body(receive, headers)) is None:
            await tell(send, 413, f"A desk asks in at most {MAX_DESK_BYTES} bytes.")
        else:
            await self._ask(sealed, send)

    async def _ask(self, sealed: bytes, send: Send) -> None:
        try:
            reply = await self._line.ask(sealed)
        except TableAway:
            await tell(send, 503, "The table is away.", AGAIN)
        except TooBusy:
            await tell(send, 503, "The table is busy with other desks.", AGAIN)
        except TimeoutError:
            await tell(send, 504, "The table did not answer in time.", AGAIN)
        else:
            await answer(send, 200, [(b"content-type", KIND)], reply)

    def _may_ask(self, device: str) -> bool:
        now = asyncio.get_running_loop().time()
        if device not in self._limits and len(self._limits) >= MAX_DEVICES:
            self._limits = {
                name: each for name, each in self._limits.items() if not each.is_full(now)
            }
            if len(self._limits) >= MAX_DEVICES:
                return False
        return self._limits.setdefault(device, RateLimit(AT_ONCE, A_SECOND)).spend(1, now)


async def _body(receive: Receive, headers: dict[bytes, bytes]) -> bytes | None:
    """Return the request's body. If it is too long, return None without reading the rest."""
    try:
        stated = int(headers.get(b"content-length", b"0"))
    except ValueError:
        return None
    if stated > MAX_DESK_BYTES:
        return None
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_DESK_BYTES:
            return None
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return bytes(body)
