"""The plain text of a frame: a length, JSON, and zeros that give all frames the same length.

A message that is too long for one frame is sent in parts. After the last part, the first part is
sent again. The README beside this file has the whole protocol.
"""

import base64
import binascii
from typing import Final

# The plain text of a phone's frame, big endian. Its length is fixed, so an observer of the network
# cannot tell a beat from an act, or a long message from a short one.
#
#   from a phone:  length (2 bytes), JSON, zeros up to UP_PLAIN
#   to a phone:    length, header as JSON, length, part of a message, zeros up to DOWN_PLAIN
#
# Sealing adds a nonce and a tag of 40 bytes together: frames of 512 and 1024 bytes.

UP_PLAIN: Final = 472
"""Bytes of plain text in a frame from a phone."""
DOWN_PLAIN: Final = 984
"""Bytes of plain text in a frame to a phone."""
PART_BYTES: Final = 820
"""Maximum number of bytes of a part of a message. The rest of the frame is for the header."""

# A frame is sealed together with its kind. The kind is not sent: the receiver tries each kind that
# it expects. So nobody can replay a frame of an operator's desk as a frame of a phone, or an answer
# of the engine as a request.
KNOCK: Final = b"pi-table/1 knock"
UP: Final = b"pi-table/1 up"
DOWN: Final = b"pi-table/1 down"
DESK_KNOCK: Final = b"pi-table/1 desk knock"
DESK_UP: Final = b"pi-table/1 desk up"
DESK_DOWN: Final = b"pi-table/1 desk down"

_LENGTH: Final = 2


def pack_up(text: bytes) -> bytes:
    """Return the plain text of a frame from a phone. Raises ValueError if the JSON is too long."""
    return _pad(_with_length(text), UP_PLAIN)


def read_up(plain: bytes) -> bytes | None:
    """Return the JSON in the plain text of a phone's frame; None if the text is invalid."""
    if len(plain) != UP_PLAIN:
        return None
    read = _read(plain, 0)
    if read is None:
        return None
    text, end = read
    # Bytes after the JSON must be zero: there is only one way to write a text.
    return text if _is_empty(plain, end) else None


def pack_down(header: bytes, part: bytes) -> bytes:
    """Return the plain text of a frame to a phone. It holds a header and a part of a message.

    Raises ValueError if both together are too long.
    """
    return _pad(_with_length(header) + _with_length(part), DOWN_PLAIN)


def read_down(plain: bytes) -> tuple[bytes, bytes] | None:
    """Return the header and the part of a message in the plain text of a frame to a phone. Return
    None if the plain text is invalid."""
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
    """Split a message into parts of at most `PART_BYTES`. Even an empty message has one part."""
    ends = range(0, max(len(message), 1), PART_BYTES)
    return tuple(message[start : start + PART_BYTES] for start in ends)


def as_text(secret: bytes) -> str:
    """Encode bytes for links and JSON: base64url, without padding."""
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()


def from_text(text: object, length: int) -> bytes | None:
    """Decode a text that `as_text` made from exactly ``length`` bytes; return None for any other
    text."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    # Several texts decode to the same bytes, because unused bits of the last letter are ignored.
    # Only the one that as_text writes is accepted, so equal bytes always mean equal texts.
    return found if len(found) == length and as_text(found) == text else None


def _with_length(text: bytes) -> bytes:
    return len(text).to_bytes(_LENGTH, "big") + text


def _pad(plain: bytes, length: int) -> bytes:
    if len(plain) > length:
        raise ValueError(f"{len(plain)} bytes have no room in a frame of {length}.")
    return plain.ljust(length, b"\0")


def _read(plain: bytes, start: int) -> tuple[bytes, int] | None:
    """Return the text after the length at ``start``, and the index of its end. Return None if the
    text would end outside the frame."""
    begin = start + _LENGTH
    end = begin + int.from_bytes(plain[start:begin], "big")
    return (plain[begin:end], end) if begin <= len(plain) and end <= len(plain) else None


def _is_empty(plain: bytes, start: int) -> bool:
    return not any(plain[start:])
