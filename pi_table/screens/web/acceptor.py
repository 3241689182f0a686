"""Accepts new connections in a fair order: devices take turns.

A new connection is counted, then waits for its device's turn. If it hangs up before its turn, it is
dropped and costs nothing more. The servers of asyncio do not count connections, and would create
all objects of a new connection immediately.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from pi_table.screens.web.places import UNKNOWN, Place, Places, do_nothing, is_near
from pi_table.screens.web.turns import Turns

ACCEPTED_AT_ONCE: Final = 24
"""Maximum number of connections that one listening socket accepts in one pass of the event loop."""
FULL_SECONDS: Final = 1.0
"""Pause in seconds before accepting again, after the system had no resources for a connection."""


class Acceptor:
    """Accepts new connections. ``make`` creates the protocol of each admitted connection."""

    def __init__(
        self, crowd: Places, turns: Turns, make: Callable[[Place], asyncio.Protocol]
    ) -> None:
        self._crowd = crowd
        self._turns = turns
        self._make = make
        self._listeners: set[socket.socket] = set()
        self._coming: set[asyncio.Task[bool]] = set()

    def open(self, listeners: Iterable[socket.socket]) -> None:
        """Accept connections at ``listeners``, which must be non-blocking sockets."""
        for each in listeners:
            self._listeners.add(each)
            asyncio.get_running_loop().add_reader(each, self._accept, each)

    def close(self) -> None:
        """Stop accepting connections. The listening sockets stay open."""
        for each in self._listeners:
            asyncio.get_running_loop().remove_reader(each)
        self._listeners.clear()
        for task in self._coming:
            task.cancel()

    def admit(self, connection: socket.socket, device: str) -> None:
        """Admit a new connection, or close it.

        It is closed if it comes from outside the local network, or if there is no place for its
        device. To make a place, another connection may be closed instead.
        """
        place = self._crowd.take(device, do_nothing) if is_near(device) else None
        if place is None:
            connection.close()
            return
        coming = asyncio.get_running_loop().create_task(self._take_in(connection, place))

        def turn_away() -> None:
            coming.cancel()
            connection.close()

        place.when_wanted(turn_away)
        self._coming.add(coming)
        coming.add_done_callback(partial(self._came, connection, place))

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                connection, peer = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no resources left: an immediate attempt would fail again
                loop = asyncio.get_running_loop()
                loop.remove_reader(listener)
                loop.call_later(FULL_SECONDS, self._accept_again, listener)
                return
            connection.setblocking(False)
            self.admit(connection, str(peer[0]) if peer else UNKNOWN)

    def _accept_again(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    async def _take_in(self, connection: socket.socket, place: Place) -> bool:
        """Wait for the device's turn, then create the protocol. Return False if the connection is
        lost."""
        await self._turns.wait(place.device)
        if _has_hung_up(connection):
            return False
        place.when_wanted(do_nothing)  # from here on, the protocol handles the loss of the place
        with suppress(OSError):
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: self._make(place), connection)
            return True
        return False

    def _came(self, connection: socket.socket, place: Place, coming: asyncio.Task[bool]) -> None:
        self._coming.discard(coming)
        if coming.cancelled() or not coming.result():
            place.leave()
            connection.close()


def _has_hung_up(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
