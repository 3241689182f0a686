"""The hash chain over a game's events. If an event is changed, lost or swapped, the links no longer
match."""

import struct
from hashlib import sha256
from typing import Final

SALT_BYTES: Final = 16
"""Number of random bytes at the beginning of a game's chain. Without them, somebody could try out
keys until a link matches, and learn the key that an event holds."""

_FRAME: Final = struct.Struct(">QQdQQ")
"""Length of the previous link, number of the event, its time, length of the wall clock, length of
the body."""


class Chain:
    """The state of a game's hash chain: the number of events, and the last link, which depends on
    all of them.

    A link is 32 bytes: SHA-256 over the frame (`_FRAME`), the previous link (for the first event,
    the game's salt), the wall clock and the body.
    """

    def __init__(self, last: bytes, count: int = 0) -> None:
        """``last`` is the salt of a new game, or the last link of a game with ``count`` events."""
        self.last = last
        self.count = count

    def extend(self, at: float, wall: bytes, body: bytes) -> bytes:
        """Add the next event and return its link, which becomes the last link."""
        self.count += 1
        # SQLite returns -0.0 as 0.0, whose bytes differ: normalise the sign.
        frame = _FRAME.pack(len(self.last), self.count, at + 0.0, len(wall), len(body))
        self.last = sha256(frame + self.last + wall + body).digest()
        return self.last
