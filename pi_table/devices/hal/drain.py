"""All that lies in a file to be read, however long nobody read it."""

import os
from typing import Final

MOST_AT_ONCE: Final = 65536
"""How many bytes are read before anybody else has a turn."""


def drain(file: int) -> bytes | None:
    """Read until nothing is left, 64 KiB at most. A terminal device gives 4 KiB a time at most.

    None: nothing lies there. No bytes: nothing ever will, for the other end is gone.
    """
    found = b""
    while len(found) < MOST_AT_ONCE:
        try:
            piece = os.read(file, MOST_AT_ONCE - len(found))
        except BlockingIOError:
            return found or None
        except OSError:
            return found
        if not piece:
            return found
        found += piece
    return found
