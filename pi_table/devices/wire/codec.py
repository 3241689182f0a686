"""Messages as frames on a wire that loses, bends and invents bytes; `firmware/PROTOCOL.md`.

A frame is COBS(message ‖ CRC-32 of the message) and a zero byte. COBS writes a text without zeros:
each run up to a zero as its length + 1, and the run. Nothing on this wire is as long as the 254
bytes at which COBS has to begin a run without a zero before it.
"""

import zlib
from typing import Final

LONGEST_MESSAGE: Final = 200
CRC_BYTES: Final = 4
LONGEST_FRAME: Final = LONGEST_MESSAGE + CRC_BYTES + 1
"""Bytes of the longest frame, without the zero at its end."""


def frame(message: bytes) -> bytes:
    """The frame of a message of 1 to 200 bytes, with the zero at its end."""
    assert 1 <= len(message) <= LONGEST_MESSAGE
    return _cobs(message + zlib.crc32(message).to_bytes(CRC_BYTES, "little")) + b"\0"


class Deframer:
    """Finds the messages in bytes that come in pieces of any length. It keeps no more than a
    frame."""

    def __init__(self) -> None:
        self._begun = b""
        self.dropped = 0
        """How many frames were no message: too long, no COBS, or with a wrong CRC."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take the bytes that have come; answer with the messages that are whole now, in order."""
        *ends, rest = data.split(b"\0")
        messages = []
        for end in ends:
            whole, self._begun = self._begun + end, b""
            message = _message(whole)
            if message is not None:
                messages.append(message)
            elif whole:
                self.dropped += 1
        self._begun = (self._begun + rest)[: LONGEST_FRAME + 1]  # one more shows: it is too long
        return messages


def _message(frame: bytes) -> bytes | None:
    if len(frame) > LONGEST_FRAME:
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
