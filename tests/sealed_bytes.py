"""Two sealed conversations, byte by byte: what a page and the engine say to each other.

`sealing/conversations.txt` has a line for each frame, in order. Chance is counted: the draw with
this number, from 1, is that many bytes of this value. One test plays the engine's side
(`engine/test_sealed_bytes.py`), another the pages' (`pages/test_sealed_bytes_of_pages.py`).
"""

import hashlib
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.protocols.sealing.frames import pack_down, pack_up
from pi_table.protocols.sealing.seal import NONCE_BYTES, seal

LINK_KEY: Final = bytes(range(32))
DEVICE: Final = bytes(range(32, 64))
SESSION: Final = bytes(range(64, 80))
OTHER_SESSION: Final = bytes(range(80, 96))
"""The session of the engine's next start."""

_FILE: Final = Path(__file__).parent / "sealing/conversations.txt"


class Frame(msgspec.Struct, frozen=True):
    """A frame of a conversation."""

    use: bytes
    """Use that it is sealed for."""
    nonce: int
    """The number of the draw that is its nonce."""
    texts: tuple[bytes, ...]
    """The contents: one JSON text. A frame to a phone has a header and a part of a message."""
    digest: str
    """The SHA-256 of its bytes."""

    @property
    def is_up(self) -> bool:
        """True if it goes from a page to the engine."""
        return not self.use.endswith(b"down")

    def said(self) -> dict[str, Any]:
        """The JSON in it; of what a phone is sent, the header."""
        text: dict[str, Any] = msgspec.json.decode(self.texts[0])
        return text

    def sealed(self) -> bytes:
        """Its bytes."""
        if b"desk" in self.use:
            (plain,) = self.texts
        else:
            plain = pack_up(*self.texts) if self.is_up else pack_down(*self.texts)
        key = LINK_KEY if self.use.endswith(b"knock") else DEVICE
        return seal(plain, self.use, drawn(self.nonce, NONCE_BYTES), key)


def drawn(number: int, length: int) -> bytes:
    """The draw of this number."""
    return bytes([number]) * length


def conversation(who: str) -> list[Frame]:
    """The frames of a conversation: that of the ``phone``, or of the ``desk``."""
    frames = []
    for line in _FILE.read_text("ascii").splitlines():
        if not line or line.startswith("#"):
            continue
        party, use, nonce, digest, *texts = line.split("\t")
        if party == who:
            frames.append(Frame(use.encode(), int(nonce), tuple(map(str.encode, texts)), digest))
    return frames


def digest(frame: bytes) -> str:
    return hashlib.sha256(frame).hexdigest()
