"""The table's Unix sockets: one for each kind of viewer, and no way from one to another.

A viewer that does not read keeps nobody waiting: it gets the newest message when it reads again.
One that sends what it should not (a line on the public socket; a line too long, or more than it
reads or waits for the answers of, on the console's) is cut off, and may come back.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pi_table.errors import DeviceError
from pi_table.ipc.messages import LONGEST_LINE
from pi_table.listening import listen

MOST_VIEWERS: Final = 32
MOST_UNREAD_BYTES: Final = 256 * 1024
MOST_UNANSWERED: Final = 256

Hear = Callable[[bytes, "Viewer"], None]


class Viewer(asyncio.Protocol):
    """One connection to a socket."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._rest = b""
        self._unanswered = 0
        self._behind = False
        self._waiting = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)
        self._transport = transport
        if self._server.joined(self):
            self.renew(self._server.newest())
        else:
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        self._server.left(self)

    def pause_writing(self) -> None:
        self._waiting = True

    def resume_writing(self) -> None:
        self._waiting = False
        if self._behind:
            self.renew(self._server.newest())

    def renew(self, newest: bytes) -> None:
        """Send this message, or the newest of all as soon as the earlier ones have been read."""
        self._behind = self._waiting
        if not self._waiting and self._transport is not None:
            self._transport.write(newest)

    def answer(self, line: bytes) -> None:
        """Answer a line that was heard; an answer is not left out."""
        self._unanswered -= 1
        if self._transport is None:
            return
        if self._transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
            self.cut_off()
        else:
            self._transport.write(line)

    def cut_off(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        hear = self._server.hear
        if hear is None:
            self.cut_off()
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            self.cut_off()
            return
        for line in lines:
            self._unanswered += 1
            hear(line, self)
        if self._unanswered > MOST_UNANSWERED:
            self.cut_off()


class Server:
    """A Unix socket on which viewers get the ``newest`` message (a line) and each newer one.

    ``hear`` takes each line that a viewer sends, and answers each, sooner or later; without it,
    nobody may send anything.
    """

    def __init__(self, newest: Callable[[], bytes], hear: Hear | None = None) -> None:
        self.newest = newest
        self.hear = hear
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._server: asyncio.Server | None = None
        self._path: Path | None = None

    async def open(self, path: Path, mode: int) -> None:
        """Listen at ``path`` with the file's rights ``mode``. Raises DeviceError."""
        try:
            path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            listener = listen(path, mode)
            loop = asyncio.get_running_loop()
            self._server = await loop.create_unix_server(lambda: Viewer(self), sock=listener)
            self._path = path
        except OSError as error:
            raise DeviceError(
                f"The socket {path} cannot be opened: {error.strerror or error}. Check the folder "
                "and its rights, and that no other table runs."
            ) from None

    def close(self) -> None:
        """Cut everybody off and remove the socket. May be called again, with no effect."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for viewer in list(self._viewers):
            viewer.cut_off()
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None

    def publish(self) -> None:
        """There is something new: every viewer gets it."""
        newest = self.newest() if self._viewers else b""
        for viewer in self._viewers:
            viewer.renew(newest)

    def joined(self, viewer: Viewer) -> bool:
        """Take a viewer in, if there is room."""
        if len(self._viewers) >= MOST_VIEWERS:
            return False
        self._viewers[viewer] = None
        return True

    def left(self, viewer: Viewer) -> None:
        self._viewers.pop(viewer, None)
