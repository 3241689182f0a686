"""The acceptor of connections: devices take turns.

A new connection is counted, then waits for its device's turn. If it hangs up before, it is dropped
at no further cost. asyncio's own servers would first create everything for each connection, and
count none of them.
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
"""Maximum number of connections accepted in one pass of the loop, at each listening socket."""
FULL_SECONDS: Final = 1.0
"""Seconds without accepting after the system had no room for another connection."""


class Door:
    """The acceptor of connections. ``make`` creates the protocol of an admitted connection."""

    def __init__(
        self, crowd: Places, turns: Turns, make: Callable[[Place], asyncio.Protocol]
    ) -> None:
        self._crowd = crowd
        self._turns = turns
        self._make = make
        self._listeners: set[socket.socket] = set()
        self._coming: set[asyncio.Task[bool]] = set()

    def open(self, listeners: Iterable[socket.socket]) -> None:
        """Accept connections at these sockets, which do not block."""
        for each in listeners:
            self._listeners.add(each)
            asyncio.get_running_loop().add_reader(each, self._accept, each)

    def close(self) -> None:
        """Stop accepting. The sockets stay open."""
        for each in self._listeners:
            asyncio.get_running_loop().remove_reader(each)
        self._listeners.clear()
        for task in self._coming:
            task.cancel()

    def admit(self, connection: socket.socket, device: str) -> None:
        """Take a new connection, or close it. It is closed if it comes from outside the local
        network, or if its device has no place left that may give way."""
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
            except OSError:  # the system has no room; retrying at once would loop for ever
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
        """Wait for the device's turn and create a protocol. Return True if there is one now."""
        await self._turns.wait(place.device)
        if _has_hung_up(connection):
            return False
        place.when_wanted(do_nothing)  # from here on the protocol handles this
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
