"""One connection to a socket of the table.

No further line is read from a viewer until its last line is answered. So a viewer that sends too
much delays only itself. A viewer that does not read delays nobody: when it reads again, it gets
only the newest message.

A viewer is disconnected if it sends anything to a socket that accepts nothing, sends a line that is
too long, or asks for more while its answers stay unread.
"""

import asyncio
import fcntl
import select
import socket
import struct
import termios
from collections.abc import Callable
from typing import Final, Protocol

from pi_table.protocols.ipc.messages import MAX_LINE_BYTES

UNREAD_SECONDS: Final = 10.0
"""Timeout in seconds for a viewer that leaves data unread. It applies while the viewer asks for
more, or keeps another viewer from connecting."""

Hear = Callable[[bytes, "Viewer"], None]


class Host(Protocol):
    """The methods of `server.Server` that its viewers call."""

    hear: Hear | None

    def on_joined(self, viewer: "Viewer") -> None: ...
    def on_left(self, viewer: "Viewer") -> None: ...
    def owe(self, viewer: "Viewer") -> None: ...
    def wants_to_be_heard(self, viewer: "Viewer") -> None: ...


class Viewer(asyncio.Protocol):
    """One connection to a socket of the table."""

    def __init__(self, server: Host) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._heard = bytearray()
        self._searched = 0
        """Number of received bytes that were searched for a line feed, without success."""
        self._with_table = False
        """True while a line is at the table, which has not answered it yet."""
        self._waiting = False
        """True while sent data is buffered because the other side has not read it."""
        self._behind = False
        """True if there is a newer message than the last message sent."""
        self._patience: asyncio.TimerHandle | None = None
        now = self._loop.time()
        self._sent_at = self._asked_at = self._unread_since = now
        self.peer = (0, 0)
        """User id and process id of the other end."""

    # Called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        self.peer = _peer(transport.get_extra_info("socket"))
        self._server.on_joined(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._on_gone()

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

    # Called by the server and by the handler of a line

    def renew(self, newest: bytes) -> None:
        """Send ``newest`` now. If earlier data is still unread, wait, and send the message that is
        newest then."""
        self._behind = self._waiting
        if not self._waiting:
            self._write(newest)

    def answer(self, line: bytes) -> None:
        """Answer the line that `next_line` returned. Answers are never skipped, unlike other
        messages."""
        self._with_table = False
        self._write(line)
        self._go_on()

    def turn_away(self, line: bytes) -> None:
        """Send ``line``, which says why the viewer is refused, then hang up."""
        self._write(line)
        if self._transport is not None:
            self._transport.close()
        self._on_gone()

    def cut_off(self) -> None:
        """Hang up at once. A second call has no effect."""
        if self._transport is not None:
            self._transport.abort()
        self._on_gone()

    def next_line(self) -> bytes | None:
        """Return the viewer's next line, which must be answered with `answer`. Return None if no
        complete line has arrived, if the line before has no answer yet, if the viewer has not read
        all data sent to it, or if it is gone."""
        end = self._line_end()
        if self._transport is None or self._waiting or self._with_table or end < 0:
            return None
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        self._searched = 0
        self._with_table = True
        self._asked_at = self._loop.time()
        return line

    # Presence

    def has_hung_up(self) -> bool:
        """True if the other end has hung up. The loop may not have noticed yet."""
        if self._transport is None:
            return True
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), 0)
        return bool(poll.poll(0))

    def silent_seconds(self) -> float:
        """Return for how many seconds the viewer has neither read its data nor sent a line."""
        if self._has_read():
            return 0.0
        return self._loop.time() - max(self._unread_since, self._asked_at)

    def seconds_since_sent(self) -> float:
        """Return the seconds since data was last sent to the viewer."""
        return self._loop.time() - self._sent_at

    # Internals

    def _go_on(self) -> None:
        """Resume or pause reading. Reading is paused while a complete line waits for its turn, for
        its answer, or for the viewer to read its data."""
        if self._transport is None:
            return
        end = self._line_end()
        if self._with_table:
            pass
        elif (end if end >= 0 else len(self._heard)) > MAX_LINE_BYTES:
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
        """Return the index of the first line feed in the received data; -1 if there is none yet."""
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
        if self._transport.is_closing():  # stop here: asyncio would log every later write
            self._on_gone()

    def _has_read(self) -> bool:
        """True if the other side has read all that was sent to it."""
        if self._transport is None or self._transport.get_write_buffer_size():
            return self._transport is None
        file = self._transport.get_extra_info("socket").fileno()
        return not any(fcntl.ioctl(file, termios.TIOCOUTQ, bytes(_NUMBER.size)))

    def _be_patient(self, patient: bool) -> None:
        """Start or stop the timeout for a viewer that asks but does not read."""
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

    def _on_gone(self) -> None:
        self._transport = None
        self._be_patient(False)
        self._heard.clear()
        self._searched = 0
        self._server.on_left(self)


def _peer(connection: socket.socket) -> tuple[int, int]:
    """Return user id and process id of the other end; both are 0 if unknown."""
    if not hasattr(socket, "SO_PEERCRED"):
        return 0, 0
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    process, user, _ = _CREDENTIALS.unpack(credentials)
    return user, process


_CREDENTIALS: Final = struct.Struct("3i")
_NUMBER: Final = struct.Struct("i")
