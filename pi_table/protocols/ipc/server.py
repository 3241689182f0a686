"""The table's Unix sockets: one for each kind of viewer, and no way from one to another.

Whatever viewers do, the loop comes back to fingers and signals after each bit of it. A bit is to
take in one newcomer, to hear one line, the viewers by turns, or to send the newest message to a
bounded number of them. What a viewer may do is in `viewer.py`, and in the README.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from pi_table.common.errors import DeviceError
from pi_table.common.language import say, system_says
from pi_table.common.listening import listen
from pi_table.protocols.ipc.messages import Busy, line
from pi_table.protocols.ipc.viewer import UNREAD_SECONDS, Hear, Viewer

__all__ = ("MOST_VIEWERS", "Hear", "Server", "Viewer")

MOST_VIEWERS: Final = 256
"""How many viewers the public socket has at a time."""
SERVED_A_PASS: Final = 64
"""How many viewers get the newest message in one pass of the loop."""
FULL_SECONDS: Final = 1.0
"""Seconds in which no newcomer is taken in after the system had no room for one."""
STILL_THERE_SECONDS: Final = 1.0
"""Seconds after which a viewer is sent the newest message again, to see whether it is there."""
KERNEL_BYTES: Final = 32 * 1024
"""Bytes that the system is told to keep of what a viewer has not read. It takes twice as many."""


class Server:
    """A Unix socket on which viewers get the ``newest`` message (a line) and each newer one.

    ``hear`` takes each line that a viewer sends, and answers it, sooner or later, by
    `Viewer.answer`; that viewer's next line comes after the answer. Without ``hear`` nobody may
    send anything.

    ``most`` viewers are served at a time: one where lines are heard, `MOST_VIEWERS` elsewhere,
    unless it is given. What becomes of one more is in `_gives_way`. ``came`` is told of each viewer
    that is served from now on, ``gone`` of each that was and is gone.
    """

    def __init__(
        self,
        newest: Callable[[], bytes],
        hear: Hear | None = None,
        most: int | None = None,
        gone: Callable[[Viewer], None] = lambda viewer: None,
        came: Callable[[Viewer], None] = lambda viewer: None,
    ) -> None:
        self.newest = newest
        self.hear = hear
        self._gone, self._came = gone, came
        self._most = most or (MOST_VIEWERS if hear is None else 1)
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._owed: dict[Viewer, None] = {}
        """The viewers to whom the newest message is to be sent, in this order."""
        self._asking: dict[Viewer, None] = {}
        """The viewers who have a line to be heard, in this order."""
        self._line: bytes | None = None
        """The newest message, while it is being sent; None when it is to be made anew."""
        self._sending = self._hearing = False
        """Is a pass for sending, or for hearing, ordered already?"""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: socket.socket | None = None
        self._coming: set[asyncio.Task[object]] = set()
        self._path: Path | None = None

    async def open(self, path: Path, mode: int) -> None:
        """Listen at ``path`` with the file's rights ``mode``. Raises DeviceError."""
        try:
            path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            self._listener = listen(path, mode)
        except OSError as error:
            raise DeviceError(
                say(
                    "The socket {path} cannot be opened: {strerror}. Check the folder and its "
                    "rights, and that no other table runs.",
                    path=path,
                    strerror=system_says(error) if error.strerror else error,
                )
            ) from None
        self._path = path
        self._listener.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._listener, self._accept, self._listener)

    def close(self) -> None:
        """Cut everybody off and remove the socket. May be called again, with no effect."""
        if self._listener is not None and self._loop is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        for viewer in list(self._viewers):
            viewer.cut_off()
        if self._path is not None:
            with suppress(OSError):  # a name that stays is taken over by the next start
                self._path.unlink()
            self._path = None

    def publish(self) -> None:
        """Send every viewer the newest message, soon. What else is new by then is in it."""
        self._line = None
        self._owed |= self._viewers
        self._schedule()

    @property
    def is_watched(self) -> bool:
        """Is anybody served?"""
        return bool(self._viewers)

    # What viewers call

    def joined(self, viewer: Viewer) -> None:
        """Take a newcomer in, or turn it away."""
        if self._listener is None:
            viewer.cut_off()
            return
        if len(self._viewers) >= self._most:
            other = self._gives_way(viewer)
            if other is None:
                viewer.turn_away(line(Busy()))
                return
            other.cut_off()
        self._viewers[viewer] = None
        self.owe(viewer)
        self._came(viewer)

    def left(self, viewer: Viewer) -> None:
        """A viewer is gone. May be told again, with no effect."""
        was_served = viewer in self._viewers
        for viewers in (self._viewers, self._owed, self._asking):
            viewers.pop(viewer, None)
        if was_served:
            self._gone(viewer)

    def owe(self, viewer: Viewer) -> None:
        """Send the newest message to a viewer, soon."""
        self._line = None  # time has gone on since it was made
        self._owed[viewer] = None
        self._schedule()

    def wants_to_be_heard(self, viewer: Viewer) -> None:
        """A viewer has a line for `Viewer.next_line` to take."""
        self._asking[viewer] = None
        self._schedule()

    # Newcomers

    def _accept(self, listener: socket.socket) -> None:
        assert self._loop is not None
        try:
            connection, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:  # the system has no room; to ask again at once would be to ask for ever
            self._loop.remove_reader(listener)
            self._loop.call_later(FULL_SECONDS, self._accept_again, listener)
            return
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        coming = self._loop.create_task(
            self._loop.connect_accepted_socket(lambda: Viewer(self), connection)
        )
        self._coming.add(coming)
        coming.add_done_callback(self._coming.discard)

    def _accept_again(self, listener: socket.socket) -> None:
        if self._loop is not None and self._listener is listener:
            self._loop.add_reader(listener, self._accept, listener)

    def _gives_way(self, newcomer: Viewer) -> Viewer | None:
        """Who makes room for a newcomer; None: nobody does.

        Whoever has hung up, or has been silent for long, does. If there is none, then where lines
        are heard nobody does. Elsewhere it is the first come of the process with the most
        connections, among those of the user with the most. So a flood from one process costs that
        process its own connections, and a viewer of another process is not cut off by it. Among
        equals everybody is taken in, and stays until as many have come after it as there is room.
        """
        for viewer in self._viewers:
            if viewer.has_hung_up() or viewer.silent_seconds() >= UNREAD_SECONDS:
                return viewer
        if self.hear is not None:
            for viewer in self._viewers:
                if viewer.sent_seconds() >= STILL_THERE_SECONDS:
                    self.owe(viewer)  # who is there reads it; who is not is known by that
            return None
        peers = [viewer.peer for viewer in (*self._viewers, newcomer)]
        of_users, of_processes = Counter(user for user, _ in peers), Counter(peers)
        return max(  # the first of several
            self._viewers, key=lambda each: (of_users[each.peer[0]], of_processes[each.peer])
        )

    # A pass of the loop

    def _schedule(self) -> None:
        if self._loop is None:
            return
        if self._owed and not self._sending:
            self._sending = True
            self._loop.call_soon(self._send_newest)
        if self._asking and not self._hearing:
            self._hearing = True
            # What the loop finds in the pass between, a finger or a signal, comes first.
            self._loop.call_soon(self._loop.call_soon, self._hear_one)

    def _send_newest(self) -> None:
        self._sending = False
        if self._owed and self._line is None:
            self._line = self.newest()
        for viewer in list(self._owed)[:SERVED_A_PASS]:
            self._owed.pop(viewer, None)
            viewer.renew(self._line or b"")
        if not self._owed:
            self._line = None
        self._schedule()

    def _hear_one(self) -> None:
        self._hearing = False
        while self._asking:
            viewer = next(iter(self._asking))
            del self._asking[viewer]
            text = viewer.next_line()
            if text is not None and self.hear is not None:
                self.hear(text, viewer)
                break
        self._schedule()
