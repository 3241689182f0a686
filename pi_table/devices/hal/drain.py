"""Reads all bytes that wait in a file."""

import os
from typing import Final

MAX_BYTES_AT_ONCE: Final = 65536
"""Maximum number of bytes read before other tasks may run."""


def drain(file: int) -> bytes | None:
    """Read all waiting bytes, 64 KiB at most. A terminal device returns at most 4 KiB at a time.

    Returns None if nothing waits, and no bytes if the other end is gone.
    """
    found = b""
    while len(found) < MAX_BYTES_AT_ONCE:
        try:
            piece = os.read(file, MAX_BYTES_AT_ONCE - len(found))
        except BlockingIOError:
            return found or None
        except OSError:
            return found
        if not piece:
            return found
        found += piece
    return found
