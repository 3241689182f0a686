"""A function that reads all bytes that wait in a file."""

import os
from typing import Final

MAX_BYTES_AT_ONCE: Final = 65536


def drain(file: int) -> bytes | None:
    """Read all waiting bytes, but at most 64 KiB, so that other tasks can run.

    Several reads may be needed, because one read of a terminal device returns at most 4 KiB.
    Returns None if no bytes wait, and an empty byte string if the other end is gone.
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
