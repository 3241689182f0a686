"""The HTTP server. It accepts connections and serves them until it is closed."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import Iterable
from typing import Final

from pi_table.screens.web.acceptor import Acceptor
from pi_table.screens.web.guard import Guard
from pi_table.screens.web.http_connections import (
    MAX_CONNECTIONS,
    MAX_PER_DEVICE,
    App,
    HttpConnection,
)
from pi_table.screens.web.places import Place, Places
from pi_table.screens.web.turns import Turns

OWN_FILES: Final = 64
"""Number of open files that are reserved for everything except connections to browsers."""
END_SECONDS: Final = 1.0
"""Timeout in seconds for unfinished answers after the server begins to close."""


class Server:
    """A server that answers requests with an ASGI application. It accepts connections at several
    sockets."""

    def __init__(self, app: App, guard: Guard, turns: Turns) -> None:
        self._app = app
        self._guard = guard
        self._turns = turns
        most = min(MAX_CONNECTIONS, _room_for_files() - OWN_FILES)
        self._acceptor = Acceptor(Places(most, MAX_PER_DEVICE), turns, self._connection)
        self._listeners: list[socket.socket] = []
        self._connections: set[HttpConnection] = set()

    def open(self, listeners: Iterable[socket.socket]) -> None:
        self._listeners = [*listeners]
        self._acceptor.open(self._listeners)

    async def close(self) -> None:
        """Stop accepting, close the sockets, and end every connection."""
        self._acceptor.close()
        for listener in self._listeners:
            listener.close()
        served = [each.served for each in self._connections]
        for each in self._connections:
            each.close()
        if served:
            _, late = await asyncio.wait(served, timeout=END_SECONDS)
            for each in [*self._connections]:
                each.abort()
            for task in late:
                task.cancel()
            await asyncio.gather(*served, return_exceptions=True)

    def _connection(self, place: Place) -> HttpConnection:
        return HttpConnection(self._app, self._guard, self._turns, place, self._connections)


def _room_for_files() -> int:
    """Raise the limit of open files as far as allowed, and return the number of files that may be
    open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + OWN_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft
