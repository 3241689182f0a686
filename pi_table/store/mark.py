"""The mark: a small file beside the journal that says how far the journal got.

The mark is written after each act, when the act itself is on the disk, and before anybody is told
that it is stored. So the journal may be one act ahead of its mark, after a power cut between the
two; it is never behind it. A journal that is behind its mark has lost something.

The file holds the same line twice, each in a sector of its own. A line is JSON, a space, and the
SHA-256 of that JSON. One line that is torn or damaged does no harm: the other one is as good.
"""

from hashlib import sha256
from typing import Final

import msgspec

SECTOR: Final = 512
"""Bytes that a disk writes whole or not at all."""
COPIES: Final = 2
MARK_BYTES: Final = SECTOR * COPIES


class Mark(msgspec.Struct, frozen=True):
    """The end of the journal, and the reading of the game's clock."""

    game: int = 0
    """The number of the latest game; 0 before the first."""
    count: int = 0
    """How many events the latest game has."""
    last: bytes = b""
    """The last link of the latest game's chain."""
    noted_at: float | None = None
    """Seconds of game time: what was last given to ``note_time`` for the latest game."""
    serial: int = 0
    """1 for the first mark in the file, 2 for the next: the greater of two is the newer."""

    def __str__(self) -> str:
        return f"event {self.count} of game {self.game}" if self.game else "no game"


def encode(mark: Mark) -> bytes:
    """What stands in the file: ``MARK_BYTES`` bytes."""
    body = msgspec.json.encode(mark)
    line = body + b" " + _seal(body)
    return (line.ljust(SECTOR - 1) + b"\n") * COPIES


def decode(data: bytes) -> Mark | None:
    """The mark in a file; None where none was ever written. Raises ValueError for damage."""
    found: list[Mark] = []
    damaged = False
    for start in range(0, MARK_BYTES, SECTOR):
        copy = data[start : start + SECTOR]
        try:
            found.append(_read(copy))
        except ValueError:
            damaged |= any(copy)
    if found:
        return max(found, key=lambda mark: mark.serial)
    if damaged:
        raise ValueError("neither of its two lines can be read")
    return None


def _read(copy: bytes) -> Mark:
    body, _, seal = copy.rstrip().rpartition(b" ")
    if seal != _seal(body):
        raise ValueError("the line does not fit its seal")
    return msgspec.json.decode(body, type=Mark)


def _seal(body: bytes) -> bytes:
    return sha256(body).hexdigest().encode()
