"""A Unix socket that listens at a path, whatever stands there already."""

import errno
import socket
from pathlib import Path

from pi_table.common.language import say


def listen(path: Path, mode: int) -> socket.socket:
    """A stream socket that listens at ``path`` with the file's rights ``mode``.

    A socket's file that nobody is at any more, left by a program that was killed, makes way. Raises
    OSError where that cannot be, with a ``strerror`` that says why.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _make_way(path)
        listener.bind(str(path))
        path.chmod(mode)  # nobody can connect before the next line
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener


def _make_way(path: Path) -> None:
    if path.is_socket():
        # A probe of another kind disturbs nobody: it is not accepted, and tells all the same.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
            if probe.connect_ex(str(path)) != errno.ECONNREFUSED:
                raise FileExistsError(errno.EADDRINUSE, say("another program listens there"))
        path.unlink()
    elif path.exists():
        raise FileExistsError(errno.EEXIST, say("something that is no socket stands there"))
