"""Frames that carry messages over a serial line. The line can lose, change or insert bytes
(`firmware/PROTOCOL.md`).

A frame is COBS(message ‖ CRC-32 of the message) followed by a zero byte. COBS removes the zero
bytes from data: each run of bytes up to a zero is written as its length + 1, then the run itself.
COBS has a special case for runs of 254 bytes. This code lacks that case, because every frame is
shorter.
"""

import zlib
from typing import Final

MAX_MESSAGE_BYTES: Final = 200
CRC_BYTES: Final = 4
MAX_FRAME_BYTES: Final = MAX_MESSAGE_BYTES + CRC_BYTES + 1
"""Maximum number of bytes in a frame, without the zero byte at its end."""


def frame(message: bytes) -> bytes:
    """Return the frame for a message of 1 to 200 bytes. The zero byte at the end is included."""
    assert 1 <= len(message) <= MAX_MESSAGE_BYTES
    return _cobs(message + zlib.crc32(message).to_bytes(CRC_BYTES, "little")) + b"\0"


class Deframer:
    """Finds messages in bytes that arrive in pieces. It buffers at most one frame."""

    def __init__(self) -> None:
        self._begun = b""
        self.dropped = 0
        """Number of frames dropped because of their length, invalid COBS, or a wrong CRC."""

    def feed(self, data: bytes) -> list[bytes]:
        *ends, rest = data.split(b"\0")
        messages = []
        for end in ends:
            whole, self._begun = self._begun + end, b""
            message = _message(whole)
            if message is not None:
                messages.append(message)
            elif whole:
                self.dropped += 1
        # One byte more than the maximum shows that the frame is too long.
        self._begun = (self._begun + rest)[: MAX_FRAME_BYTES + 1]
        return messages


def _message(frame: bytes) -> bytes | None:
    if len(frame) > MAX_FRAME_BYTES:
        return None
    text = _uncobs(frame)
    if text is None or len(text) <= CRC_BYTES:
        return None
    message, crc = text[:-CRC_BYTES], int.from_bytes(text[-CRC_BYTES:], "little")
    return message if zlib.crc32(message) == crc else None


def _cobs(text: bytes) -> bytes:
    return b"".join(bytes([len(run) + 1]) + run for run in text.split(b"\0"))


def _uncobs(frame: bytes) -> bytes | None:
    runs = []
    at = 0
    while at < len(frame):
        end = at + frame[at]
        if end > len(frame):
            return None
        runs.append(frame[at + 1 : end])
        at = end
    return b"\0".join(runs)
