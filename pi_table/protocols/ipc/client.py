"""A non-blocking client of the table's sockets, which reconnects by itself.

A `Client` tries to connect every half second while the table is away, and every three seconds while
the table is `Busy` with another screen. Every broken connection, also one broken by invalid data,
is reported as `Disconnected`.
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
"""Seconds between attempts to connect while the table serves another screen."""
_CHUNK: Final = 16 * 1024


class Connected(msgspec.Struct, frozen=True):
    """The connection is made. The table's first message follows."""


class Disconnected(msgspec.Struct, frozen=True):
    """The connection is lost."""


Message = TypeVar("Message")


class Client(Generic[Message]):
    """A connection to the Unix socket at ``path``, made again whenever it breaks.

    ``read`` decodes each line to a message, and raises ValueError for an invalid line.
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
        """Return the file descriptor of the connection; None while the table is away."""
        return None if self._socket is None else self._socket.fileno()

    def poll(self, now: float) -> list[Connected | Disconnected | Message]:
        """Return the events since the last `poll`, in order. ``now`` is in monotonic seconds."""
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
            ended = not self._could_write()
            ended = self._read() or ended  # also data from before the other side hung up
            for message in self._messages():
                heard.append(message)
                if isinstance(message, Busy):
                    self._retry_seconds = BUSY_SECONDS
        except (OSError, ValueError, RecursionError):  # the last: JSON nested without end
            ended = True
        if ended:
            self.close()
            self._retry_at = now + self._retry_seconds
            heard.append(Disconnected())
        return heard

    def send(self, line: bytes) -> None:
        """Send a line, now or with the next `poll`. The line is dropped while the table is away."""
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
        """Read what has come, up to `MAX_ANSWER_BYTES`; return True at the stream's end."""
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

    def _could_write(self) -> bool:
        """Write the queued data; return False if the other side no longer listens."""
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
