"""One connection to a socket of the table: what is sent to it, and what is heard of it.

A viewer whose line is with the table is not read from: who sends more than is answered waits, and
nobody else does. A viewer that does not read keeps nobody waiting: it gets the newest message when
it reads again. Cut off is who sends what nobody should: anything where nothing is heard, or a line
without an end; and who asks for more while its answers lie unread.
"""

import asyncio
import fcntl
import select
import socket
import struct
import termios
from collections.abc import Callable
from typing import Final, Protocol

from pi_table.protocols.ipc.messages import LONGEST_LINE

UNREAD_SECONDS: Final = 10.0
"""Seconds for which a viewer may leave unread what was sent, while it asks or another waits."""

Hear = Callable[[bytes, "Viewer"], None]


class Host(Protocol):
    """The server, as its viewers know it."""

    hear: Hear | None

    def joined(self, viewer: "Viewer") -> None:
        """Take a viewer in, or turn it away."""

    def left(self, viewer: "Viewer") -> None:
        """A viewer is gone. May be told again, with no effect."""

    def owe(self, viewer: "Viewer") -> None:
        """Send the newest message to a viewer, soon."""

    def wants_to_be_heard(self, viewer: "Viewer") -> None:
        """A viewer has a line for `Viewer.next_line` to take."""


class Viewer(asyncio.Protocol):
    """One connection to a socket."""

    def __init__(self, server: Host) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._heard = bytearray()
        self._searched = 0
        """How many bytes of what was heard are known to have no line feed among them."""
        self._with_table = False
        """Has a line been heard that is not answered yet?"""
        self._waiting = False
        """Does something that was sent wait until the other side reads?"""
        self._behind = False
        """Is there a newer message than the last that was sent?"""
        self._patience: asyncio.TimerHandle | None = None
        now = self._loop.time()
        self._sent_at = self._asked_at = self._unread_since = now
        self.peer = (0, 0)
        """The numbers of the user and the process at the other end."""

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        self.peer = _peer(transport.get_extra_info("socket"))
        self._server.joined(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._gone()

    def pause_writing(self) -> None:
        self._waiting = True

    def resume_writing(self) -> None:
        self._waiting = False
        self._be_patient(False)
        if self._behind:
            self._server.owe(self)
        self._go_on()

    def data_received(self, data: bytes) -> None:
        if self._server.hear is None:
            self.cut_off()
            return
        self._heard += data
        self._go_on()

    # What the server calls, and whoever has heard a line

    def renew(self, newest: bytes) -> None:
        """Send this message, or the newest of all as soon as the earlier ones have been read."""
        self._behind = self._waiting
        if not self._waiting:
            self._write(newest)

    def answer(self, line: bytes) -> None:
        """Answer the line that was heard; an answer is not left out."""
        self._with_table = False
        self._write(line)
        self._go_on()

    def turn_away(self, line: bytes) -> None:
        """Hang up, having told why."""
        self._write(line)
        if self._transport is not None:
            self._transport.close()
        self._gone()

    def cut_off(self) -> None:
        """Hang up at once. May be called again, with no effect."""
        if self._transport is not None:
            self._transport.abort()
        self._gone()

    def next_line(self) -> bytes | None:
        """Take the next line of what was heard: it is with the table from now on. None if there is
        no line, or if it has to wait."""
        end = self._line_end()
        if self._transport is None or self._waiting or self._with_table or end < 0:
            return None
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        self._searched = 0
        self._with_table = True
        self._asked_at = self._loop.time()
        return line

    # Whether anybody is there

    def has_hung_up(self) -> bool:
        """Has the other end hung up? The loop may not have found out yet."""
        if self._transport is None:
            return True
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), 0)
        return bool(poll.poll(0))

    def silent_seconds(self) -> float:
        """For how long the viewer has neither read what was sent nor asked for anything."""
        if self._has_read():
            return 0.0
        return self._loop.time() - max(self._unread_since, self._asked_at)

    def sent_seconds(self) -> float:
        """How long ago something was sent to the viewer."""
        return self._loop.time() - self._sent_at

    # How it works

    def _go_on(self) -> None:
        """Read on, or wait: for the answer, for the other side to read, or to be heard."""
        if self._transport is None:
            return
        end = self._line_end()
        if self._with_table:
            pass
        elif (end if end >= 0 else len(self._heard)) > LONGEST_LINE:
            self.cut_off()
            return
        elif end < 0:
            self._transport.resume_reading()
            return
        elif self._waiting:
            self._be_patient(True)
        else:
            self._server.wants_to_be_heard(self)
        self._transport.pause_reading()

    def _line_end(self) -> int:
        """Where the first line of what was heard ends; -1 if it has no end yet."""
        end = self._heard.find(b"\n", self._searched)
        self._searched = len(self._heard) if end < 0 else end
        return end

    def _write(self, line: bytes) -> None:
        if self._transport is None:
            return
        self._sent_at = self._loop.time()
        if self._has_read():
            self._unread_since = self._sent_at
        self._transport.write(line)
        if self._transport.is_closing():  # nobody is there, and asyncio logs what is sent to nobody
            self._gone()

    def _has_read(self) -> bool:
        """Has the other side read all that was sent to it?"""
        if self._transport is None or self._transport.get_write_buffer_size():
            return self._transport is None
        file = self._transport.get_extra_info("socket").fileno()
        return not any(fcntl.ioctl(file, termios.TIOCOUTQ, bytes(_NUMBER.size)))

    def _be_patient(self, patient: bool) -> None:
        """Wait for a viewer that asks and does not read, or do so no longer."""
        if not patient:
            if self._patience is not None:
                self._patience.cancel()
            self._patience = None
        elif self._patience is None and self._transport is not None:
            unread = self._transport.get_write_buffer_size()
            self._patience = self._loop.call_later(UNREAD_SECONDS, self._lose_patience, unread)

    def _lose_patience(self, unread: int) -> None:
        self._patience = None
        if self._transport is None or self._transport.get_write_buffer_size() >= unread:
            self.cut_off()
        else:
            self._be_patient(True)

    def _gone(self) -> None:
        self._transport = None
        self._be_patient(False)
        self._heard.clear()
        self._searched = 0
        self._server.left(self)


def _peer(connection: socket.socket) -> tuple[int, int]:
    """The numbers of the user and the process at the other end; 0 where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0, 0
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    process, user, _ = _CREDENTIALS.unpack(credentials)
    return user, process


_CREDENTIALS: Final = struct.Struct("3i")
_NUMBER: Final = struct.Struct("i")
