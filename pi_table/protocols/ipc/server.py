"""The server of the table's Unix sockets: one socket for each kind of viewer.

The event loop also handles touches and signals, so the server works in small steps. A step accepts
one connection, handles one line (the viewers take turns), or sends the newest message to a limited
number of viewers. `viewer.py` and the README say what a viewer may do.
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
from pi_table.common.unix_socket import listen
from pi_table.protocols.ipc.messages import Busy, line
from pi_table.protocols.ipc.viewer import UNREAD_SECONDS, Hear, Viewer

__all__ = ("MAX_VIEWERS", "Hear", "Server", "Viewer")

MAX_VIEWERS: Final = 256
"""Maximum number of viewers of the public socket at the same time."""
VIEWERS_PER_PASS: Final = 64
"""Maximum number of viewers that get the newest message in one pass of the event loop."""
FULL_SECONDS: Final = 1.0
"""Seconds to wait before connections are accepted again, after the system had no resources for
one."""
STILL_THERE_SECONDS: Final = 1.0
"""Minimum seconds between the last message to a viewer and one that only tests whether the viewer
is still connected. This test is made when another viewer is turned away."""
KERNEL_BYTES: Final = 32 * 1024
"""Size in bytes of the kernel's buffer for data that a viewer has not read. The kernel doubles it.
"""


class Server:
    """A Unix socket that sends its viewers the newest message, and each newer one.

    ``newest`` builds the newest message, as a line. ``hear`` is called with each line of a viewer,
    and answers it with `Viewer.answer`, at once or later. The viewer's next line is read after
    that. Without ``hear``, viewers may not send anything.

    ``most`` is the maximum number of viewers: by default 1 with ``hear``, else `MAX_VIEWERS`. When
    it is reached, `_gives_way` decides whether a new viewer replaces another or is turned away.
    ``came`` is called for each viewer that is accepted, ``gone`` when that viewer has left.
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
        self._most = most or (MAX_VIEWERS if hear is None else 1)
        self._viewers: dict[Viewer, None] = {}  # the oldest first
        self._owed: dict[Viewer, None] = {}
        """The viewers that will get the newest message, in order."""
        self._asking: dict[Viewer, None] = {}
        """The viewers with a line that waits for ``hear``, in order."""
        self._line: bytes | None = None
        """The newest message while it is being sent; None if it must be built again."""
        self._sending = self._hearing = False
        """True if a pass of the loop that sends messages is scheduled already."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: socket.socket | None = None
        self._coming: set[asyncio.Task[object]] = set()
        self._path: Path | None = None

    async def open(self, path: Path, mode: int) -> None:
        """Create a socket at ``path`` with the permissions ``mode``, and listen. Raises DeviceError
        if that fails."""
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
        """Disconnect all viewers and remove the socket. A second call has no effect."""
        if self._listener is not None and self._loop is not None:
            self._loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        for viewer in list(self._viewers):
            viewer.cut_off()
        if self._path is not None:
            with suppress(OSError):  # a file that stays is removed at the next start
                self._path.unlink()
            self._path = None

    def publish(self) -> None:
        """Send every viewer the newest message soon. The message includes all changes made before
        it is sent."""
        self._line = None
        self._owed |= self._viewers
        self._schedule()

    @property
    def is_watched(self) -> bool:
        return bool(self._viewers)

    # Called by viewers

    def on_joined(self, viewer: Viewer) -> None:
        """Accept a new viewer or turn it away."""
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

    def on_left(self, viewer: Viewer) -> None:
        """Forget a viewer that is gone. A second call has no effect."""
        was_served = viewer in self._viewers
        for viewers in (self._viewers, self._owed, self._asking):
            viewers.pop(viewer, None)
        if was_served:
            self._gone(viewer)

    def owe(self, viewer: Viewer) -> None:
        """Send the newest message to a viewer soon."""
        self._line = None  # build it again: time has passed
        self._owed[viewer] = None
        self._schedule()

    def wants_to_be_heard(self, viewer: Viewer) -> None:
        """Queue a viewer that has sent a line. `Viewer.next_line` takes the line when it is the
        viewer's turn."""
        self._asking[viewer] = None
        self._schedule()

    # Newcomers

    def _accept(self, listener: socket.socket) -> None:
        assert self._loop is not None
        try:
            connection, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:  # no resources left: an attempt at once would fail again
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
        """Return the viewer to disconnect for a newcomer; None to turn the newcomer away.

        1. A viewer that has hung up, or has neither read nor sent anything for long, is
        disconnected.
        2. Otherwise, if viewers may send lines, the newcomer is turned away.
        3. Otherwise, of the user with most connections, the process with most connections is found.
        The oldest connection of that process is closed.

        So a flood of connections from one process costs only connections of that process. If all
        processes have equally many, each newcomer replaces the oldest viewer.
        """
        for viewer in self._viewers:
            if viewer.has_hung_up() or viewer.silent_seconds() >= UNREAD_SECONDS:
                return viewer
        if self.hear is not None:
            for viewer in self._viewers:
                if viewer.seconds_since_sent() >= STILL_THERE_SECONDS:
                    self.owe(viewer)  # to find out if the viewer is gone
            return None
        peers = [viewer.peer for viewer in (*self._viewers, newcomer)]
        of_users, of_processes = Counter(user for user, _ in peers), Counter(peers)
        return max(  # in a tie, max returns the first: the oldest
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
            # Wait for one more pass of the loop, so that a touch or a signal is handled first.
            self._loop.call_soon(self._loop.call_soon, self._hear_one)

    def _send_newest(self) -> None:
        self._sending = False
        if self._owed and self._line is None:
            self._line = self.newest()
        for viewer in list(self._owed)[:VIEWERS_PER_PASS]:
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
