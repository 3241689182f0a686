"""A listening Unix socket, which replaces a stale socket file at its path."""

import errno
import socket
from pathlib import Path

from pi_table.common.language import say


def listen(path: Path, mode: int) -> socket.socket:
    """Return a stream socket that listens at ``path``, with the file rights ``mode``.

    A stale socket file, left by a program that was killed, is removed. Raises OSError, with a
    ``strerror`` that says why, if the path is in use or cannot be used.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _make_way(path)
        listener.bind(str(path))
        path.chmod(mode)  # connections are possible only after listen()
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener


def _make_way(path: Path) -> None:
    if path.is_socket():
        # A datagram probe does not disturb a stream listener. ECONNREFUSED: nobody listens.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
            if probe.connect_ex(str(path)) != errno.ECONNREFUSED:
                raise FileExistsError(errno.EADDRINUSE, say("another program is listening there"))
        path.unlink()
    elif path.exists():
        raise FileExistsError(errno.EEXIST, say("something there is not a socket"))
