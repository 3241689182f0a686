"""A non-blocking client of the table's sockets. It reconnects by itself.

Without a connection, a `Client` tries to connect every half second. After the answer `Busy`
(another screen is connected), it tries every three seconds. It reports the end of each connection
as `Disconnected`. Invalid data from the table also ends a connection.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from pi_table.common.language import say
from pi_table.protocols.ipc.messages import MAX_ANSWER_BYTES, MAX_LINE_BYTES, Busy

RETRY_SECONDS: Final = 0.5
BUSY_SECONDS: Final = 3.0
"""Seconds to wait before the next attempt to connect, after the table has answered `Busy`."""
_CHUNK: Final = 16 * 1024


class Connected(msgspec.Struct, frozen=True):
    """Event of `Client.poll`: the connection is made. The table's first message follows."""


class Disconnected(msgspec.Struct, frozen=True):
    """Event of `Client.poll`: the connection is lost."""


Message = TypeVar("Message")


class Client(Generic[Message]):
    """A client of the Unix socket at ``path``. It reconnects after a lost connection.

    ``read`` decodes one line into a message. It must raise ValueError if the line is invalid.
    """

    def __init__(self, path: Path | str, read: Callable[[bytes], Message]) -> None:
        self._path = str(path)
        self._read_line = read
        self._socket: socket.socket | None = None
        self._retry_at = float("-inf")
        self._retry_seconds = RETRY_SECONDS
        self._coming = bytearray()
        self._going = bytearray()

    def fileno(self) -> int | None:
        """Return the file descriptor of the connection; None without a connection."""
        return None if self._socket is None else self._socket.fileno()

    def poll(self, now: float) -> list[Connected | Disconnected | Message]:
        """Connect, read and write without waiting. Return the events since the last `poll`, in
        order. ``now`` is in monotonic seconds."""
        heard: list[Connected | Disconnected | Message] = []
        if self._socket is None:
            if now < self._retry_at:
                return heard
            self._retry_at = now + RETRY_SECONDS
            self._retry_seconds = RETRY_SECONDS
            if not self._connect():
                return heard
            heard.append(Connected())
        try:
            ended = not self._try_to_write()
            ended = self._read() or ended  # even at the end: data may have come before it
            for message in self._messages():
                heard.append(message)
                if isinstance(message, Busy):
                    self._retry_seconds = BUSY_SECONDS
        except (OSError, ValueError, RecursionError):  # RecursionError: JSON nested too deeply
            ended = True
        if ended:
            self.close()
            self._retry_at = now + self._retry_seconds
            heard.append(Disconnected())
        return heard

    def send(self, line: bytes) -> None:
        """Send a line. Later calls of `poll` send what the socket cannot take now. Without a
        connection the line is dropped."""
        if self._socket is None:
            return
        self._going += line
        with suppress(OSError):  # the next poll meets the error again and reports it
            self._write()

    def close(self) -> None:
        """Close the connection; a later `poll` connects again. A second call has no effect."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._coming.clear()
        self._going.clear()

    def _connect(self) -> bool:
        connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connecting.setblocking(False)
        try:
            connecting.connect(self._path)
        except OSError:
            connecting.close()
            return False
        self._socket = connecting
        return True

    def _read(self) -> bool:
        """Read into the buffer, at most `MAX_ANSWER_BYTES`. Return True if the connection has
        ended."""
        assert self._socket is not None
        while len(self._coming) <= MAX_ANSWER_BYTES:
            try:
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                return False
            except OSError:
                return True
            if not chunk:
                return True
            self._coming += chunk
        return False

    def _messages(self) -> Iterator[Message]:
        while (end := self._coming.find(b"\n")) >= 0:
            text = bytes(self._coming[:end])
            del self._coming[: end + 1]
            yield self._read_line(text)
        if len(self._coming) > MAX_ANSWER_BYTES:
            raise ValueError(say("The table sent a line without an end."))

    def _try_to_write(self) -> bool:
        """Write the queued data; return False if the connection is broken."""
        try:
            self._write()
        except OSError:
            return False
        return True

    def _write(self) -> None:
        assert self._socket is not None
        while self._going:
            try:
                sent = self._socket.send(self._going)
            except BlockingIOError:
                break
            del self._going[:sent]
        if len(self._going) > MAX_LINE_BYTES:
            raise OSError(say("The table is not listening any more."))
