"""What stands in a frame: a length, JSON, and zeros, so that every frame is as long as any other.

A message that is longer than a frame goes in parts, round and round. The README beside this file
has the whole protocol.
"""

import base64
import binascii
from typing import Final

UP_PLAIN: Final = 472
"""Bytes of what is sealed in a frame from a phone."""
DOWN_PLAIN: Final = 984
"""Bytes of what is sealed in a frame to a phone."""
PART_BYTES: Final = 820
"""Bytes of the longest part of a message. The header has the rest of the frame."""

KNOCK: Final = b"pi-table/1 knock"
UP: Final = b"pi-table/1 up"
DOWN: Final = b"pi-table/1 down"
DESK_KNOCK: Final = b"pi-table/1 desk knock"
DESK_UP: Final = b"pi-table/1 desk up"
DESK_DOWN: Final = b"pi-table/1 desk down"
"""What each kind of frame is sealed as: none can be taken for another."""

_LENGTH: Final = 2


def packed_up(text: bytes) -> bytes:
    """The plain text of a frame from a phone. Raises ValueError for JSON that has no room."""
    return _filled(_counted(text), UP_PLAIN)


def read_up(plain: bytes) -> bytes | None:
    """The JSON in the plain text of a frame from a phone; None for what is no such text."""
    if len(plain) != UP_PLAIN:
        return None
    read = _read(plain, 0)
    if read is None:
        return None
    text, end = read
    return text if _is_empty(plain, end) else None


def packed_down(header: bytes, part: bytes) -> bytes:
    """The plain text of a frame to a phone: a header, JSON, and a part of a message. Raises
    ValueError where they have no room."""
    return _filled(_counted(header) + _counted(part), DOWN_PLAIN)


def read_down(plain: bytes) -> tuple[bytes, bytes] | None:
    """Header and part in the plain text of a frame to a phone; None for what is no such text."""
    if len(plain) != DOWN_PLAIN:
        return None
    read = _read(plain, 0)
    if read is None:
        return None
    header, end = read
    read = _read(plain, end)
    if read is None:
        return None
    part, end = read
    return (header, part) if _is_empty(plain, end) else None


def parts(message: bytes) -> tuple[bytes, ...]:
    """A message in parts of at most `PART_BYTES`, one at least."""
    ends = range(0, max(len(message), 1), PART_BYTES)
    return tuple(message[start : start + PART_BYTES] for start in ends)


def as_text(secret: bytes) -> str:
    """Bytes as they stand in links and in JSON: base64url, without padding."""
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def from_text(text: object, length: int) -> bytes | None:
    """So many bytes that stand in a text as `as_text` writes them; None for any other text."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if len(found) == length and as_text(found) == text else None


def _counted(text: bytes) -> bytes:
    return len(text).to_bytes(_LENGTH, "big") + text


def _filled(plain: bytes, length: int) -> bytes:
    if len(plain) > length:
        raise ValueError(f"{len(plain)} bytes have no room in a frame of {length}.")
    return plain.ljust(length, b"\0")


def _read(plain: bytes, start: int) -> tuple[bytes, int] | None:
    """A counted text, and where it ends; None where it would not end in the frame."""
    begin = start + _LENGTH
    end = begin + int.from_bytes(plain[start:begin], "big")
    return (plain[begin:end], end) if begin <= len(plain) and end <= len(plain) else None


def _is_empty(plain: bytes, start: int) -> bool:
    return not any(plain[start:])
