"""Reading a file that somebody else names: never without end, and never more than it may hold."""

import errno
import os
import stat
from pathlib import Path


def read_small_file(path: Path, most: int) -> bytes:
    """The bytes of a file that has ``most`` of them or fewer; of a larger one, one more.

    Raises OSError, with a ``strerror`` that says why: also for what is no file but a folder, a
    pipe, a socket or a device (but for the null device, which is an empty file), and for a path
    that no file can have. A pipe is not waited for.
    """
    try:
        _check(path.stat())
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError:
        raise OSError(errno.EINVAL, "No file can have such a path") from None
    with open(descriptor, "rb") as file:
        _check(os.fstat(file.fileno()))
        return file.read(most + 1)


def _check(status: os.stat_result) -> None:
    """Raises OSError for what is no file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISREG(status.st_mode):
        return
    if not stat.S_ISCHR(status.st_mode) or status.st_rdev != os.stat(os.devnull).st_rdev:
        raise OSError(errno.EINVAL, "It is a pipe, a socket or a device, and no file")
