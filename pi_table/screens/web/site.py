"""The routes of the web server. Each request must first pass the guard."""

import logging
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

import segno
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from pi_table import __version__
from pi_table.common.language import LANGUAGES, to_json
from pi_table.protocols.ipc.messages import board_link
from pi_table.screens.web.asgi import (
    Message,
    Receive,
    Scope,
    Send,
    answer,
    device_of,
    tell,
    tell_that_it_is_full,
)
from pi_table.screens.web.desk import Desk
from pi_table.screens.web.events import Viewers
from pi_table.screens.web.files import File, file_of
from pi_table.screens.web.guard import HEADERS, NO_STORE, Guard, Refusal
from pi_table.screens.web.http_connections import CLOSE, PHONES
from pi_table.screens.web.interface import VERSION, About, schema
from pi_table.screens.web.newest import Newest
from pi_table.screens.web.phones import Phones
from pi_table.screens.web.portal import Probe, probe
from pi_table.screens.web.texts import texts_in
from pi_table.screens.web.turns import Turns

log = logging.getLogger("pi_table")

BOARD: Final = "/"
PAGES: Final = {BOARD: "board.html", "/seat": "phone.html", "/desk": "desk.html"}
TRY_AGAIN: Final = (b"refresh", b"5")
"""Header that makes a browser reload the page after five seconds."""
JSON: Final = "application/json"
ASK_AGAIN: Final = (b"cache-control", b"no-cache")
"""Header that makes a browser ask each time whether a file has changed. So a new version shows at
once."""


class Site:
    """The ASGI application, which answers every request."""

    def __init__(
        self,
        guard: Guard,
        files: dict[str, File],
        viewers: Viewers,
        phones: Phones,
        blocks: Newest[bytes],
        desk: Desk,
        turns: Turns,
        address: Callable[[], str],
        portal: bool = False,
    ) -> None:
        self._guard = guard
        self._phones = phones
        self._blocks = blocks
        self._viewers = viewers
        self._turns = turns
        self._address = address
        self._portal = portal
        app = Starlette(
            routes=[
                *_routes_of({path: files[name] for path, name in PAGES.items() if name in files}),
                *_routes_of({f"/static/{path}": file for path, file in files.items()}),
                *_routes_of(
                    {
                        f"/texts/{lang}.json": file_of(JSON, to_json(texts_in(lang)))
                        for lang in LANGUAGES
                    }
                ),
                *_routes_of({"/api/1/schema.json": file_of(JSON, to_json(schema()))}),
                Route("/qr.svg", _Answer("image/svg+xml", self._qr), methods=["GET"]),
                Route("/api/1/about", _Answer(JSON, self._about), methods=["GET"]),
                Route("/api/1/table", _Answer(JSON, viewers.table), methods=["GET"]),
                Route("/api/1/events", viewers, methods=["GET"]),
                Route("/api/1/desk", desk, methods=["POST"]),
                Route(PHONES, _NoWebSocket(), methods=["GET"]),
            ]
        )
        app.router.redirect_slashes = False
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        device = device_of(scope)
        await self._turns.wait(device)
        if scope["type"] == "websocket":  # HttpConnection has checked that this is allowed
            await self._phones.serve(self._blocks, scope, receive, send)
            return
        upgrades = any(name == b"upgrade" for name, _ in scope["headers"])
        sends = upgrades or scope["method"] not in ("GET", "HEAD")
        answering = _Answering(send, sends)
        if not upgrades and (found := self._answer_probe(scope)) is not None:
            head = _is_head(scope)
            await answer(answering, found.status, found.headers, found.content, head=head)
            return
        target = scope["raw_path"] + scope["query_string"]
        refusal = self._guard.refusal(target, scope["headers"], sends)
        if scope["http_version"] not in ("1.0", "1.1"):
            refusal = Refusal(505, "Here is HTTP/1.1.")
        try:
            if refusal is not None:
                await tell(answering, refusal.status, refusal.sentence, CLOSE)
            elif scope["path"] == BOARD and not self._viewers.has_room_for(device):
                await tell_that_it_is_full(answering, TRY_AGAIN)
            else:
                await self._app(scope, receive, answering)
        except Exception as error:
            # The request is not logged: it is somebody else's text and may contain anything.
            log.error("A request could not be answered: %s.", type(error).__name__)
            if not answering.begun:
                await tell(answering, 500, "This could not be answered.")

    def _answer_probe(self, scope: Scope) -> Probe | None:
        if not self._portal or scope["method"] not in ("GET", "HEAD"):
            return None
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        return probe(hosts[0].decode("latin-1"), scope["path"]) if len(hosts) == 1 else None

    def _about(self) -> bytes:
        about = About(VERSION, __version__, self._address(), tuple(LANGUAGES))
        return to_json(about)

    def _qr(self) -> bytes:
        return qr_code(board_link(self._address()))


@lru_cache(maxsize=4)
def qr_code(address: str) -> bytes:
    """Return an address as a QR code, in SVG. The code is cached, because it takes twenty times as
    long as any other answer, and a machine has one address."""
    code = segno.make(address, error="m", micro=False)
    svg: str = code.svg_inline(scale=4, border=4, light="#fff", omitsize=True)
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode()


class _Answering:
    """A `Send` that adds the headers that all answers have.

    ``sends`` is True if the request has a body or asks for a WebSocket. If such a request is
    refused, the connection is closed without reading the rest of it.
    """

    def __init__(self, send: Send, sends: bool) -> None:
        self._send = send
        self._sends = sends
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = [*message.get("headers", ()), *HEADERS]
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append(NO_STORE)
            if self._sends and message["status"] >= 400 and CLOSE not in headers:
                headers.append(CLOSE)
            message = {**message, "headers": headers}
        await self._send(message)


class _Answer:
    """An ASGI application whose answer is created for each request."""

    def __init__(self, kind: str, make: Callable[[], bytes]) -> None:
        self._kind = kind
        self._make = make

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = (b"content-type", self._kind.encode())
        await answer(send, 200, [kind], self._make(), head=_is_head(scope))


class _FileAnswer:
    """An ASGI application that answers with a file, or with 304 if the browser has the file
    already."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._tag = file.tag.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
        headers = [(b"etag", self._tag), ASK_AGAIN]
        if any(each.strip().removeprefix(b"W/") == self._tag for each in known.split(b",")):
            await send({"type": "http.response.start", "status": 304, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        headers.append((b"content-type", self._file.kind.encode()))
        await answer(send, 200, headers, self._file.content, head=_is_head(scope))


class _NoWebSocket:
    """An ASGI application that refuses ordinary requests at the path of the phones' WebSocket."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await tell(send, 426, "Here is a WebSocket.", (b"upgrade", b"websocket"))


def _is_head(scope: Scope) -> bool:
    return bool(scope["method"] == "HEAD")


def _routes_of(files: dict[str, File]) -> Iterable[BaseRoute]:
    return (Route(path, _FileAnswer(file), methods=["GET"]) for path, file in files.items())
