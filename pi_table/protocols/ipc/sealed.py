"""Messages on the sealed socket. The web process passes them on, but cannot decrypt them.

While any phone has a link, the engine sends a `SealedBlock` at each beat (every `BEAT_SECONDS`):
always `PLACES_FOR_PHONES` frames of `DOWN_BYTES`, even if there are fewer phones. Every phone
receives all frames and finds the frame that it can decrypt. At each beat the engine receives a
`Relayed`: at most one frame of `UP_BYTES` from each phone. A `DeskCall` is an encrypted question of
an operator's desk. It may come at any time and has no fixed length. A `DeskReply` answers it.
"""

import re
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say

BEAT_SECONDS: Final = 0.25
"""Seconds from one beat to the next. At each beat, every phone sends and receives frames."""
CODE_SECONDS: Final = 60.0
"""Seconds for which a QR code is valid. The user of a phone has the same time to confirm that the
phone keeps its seat."""
PLACES_FOR_PHONES: Final = 6
"""Maximum number of phones that have a seat at the same time."""
UP_BYTES: Final = 512
"""Bytes of a sealed frame from a phone: nonce, ciphertext and tag."""
MARK_BYTES: Final = 16
"""Number of random bytes at the beginning of each frame. These bytes identify the frame."""
DOWN_BYTES: Final = 1024
"""Bytes of a sealed frame to a phone: nonce, ciphertext and tag."""
MAX_RELAYED: Final = 32
"""Maximum number of frames that the engine accepts at one beat; it drops further frames."""
MAX_DESK_BYTES: Final = 47 * 1024
"""Maximum number of bytes of a desk's encrypted question or answer. Encoded as base64, they fit in
a line of `messages.MAX_LINE_BYTES`."""


class SealedBlock(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="sealed"):
    """The frames for all phones at one beat. The web process also learns which frames from phones
    were accepted."""

    frames: tuple[bytes, ...]
    """`PLACES_FOR_PHONES` frames of `DOWN_BYTES` each; in JSON as base64."""
    opened: tuple[bytes, ...] = ()
    """The first `MARK_BYTES` of each frame that was accepted from a seated phone since the last
    beat.

    The relay (the web process) keeps the connections that sent these frames. It learns neither the
    phones' seats nor the contents of the frames.
    """


class Relayed(msgspec.Struct, frozen=True, tag_field="kind", tag="relayed"):
    """The frames from phones since the last beat."""

    id: int
    """Number of this message, repeated in its answer (`Heard`)."""
    frames: tuple[bytes, ...] = ()
    """Frames of `UP_BYTES` each; in JSON as base64. Frames of other lengths are dropped."""
    address: str | None = None
    """The address of the pages, such as ``http://192.168.1.7:8080``; None if it is unchanged."""


class DeskCall(msgspec.Struct, frozen=True, tag_field="kind", tag="desk"):
    """An encrypted question of an operator's desk."""

    id: int
    sealed: bytes
    """The encrypted question: at most `MAX_DESK_BYTES` bytes; in JSON as base64."""


class Heard(msgspec.Struct, frozen=True, tag_field="kind", tag="heard"):
    """The receipt of a `Relayed`. The receipt says nothing about the contents of the frames."""

    id: int


class DeskReply(msgspec.Struct, frozen=True, tag_field="kind", tag="desk-reply"):
    """The encrypted answer to a `DeskCall`; empty if the question could not be decrypted."""

    id: int
    sealed: bytes


ToRelay = SealedBlock | Heard | DeskReply
FromRelay = Relayed | DeskCall


def line(message: ToRelay | FromRelay) -> bytes:
    """Encode a message as one line, with its line feed."""
    return msgspec.json.encode(message) + b"\n"


def read_from_relay(text: bytes) -> FromRelay:
    """Decode a message from the relay. Raises InputError if the line is not such a message."""
    try:
        return _FROM_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a message of a relay: {error}.", error=error)) from None


def read_to_relay(text: bytes) -> ToRelay:
    """Decode a message for the relay. Raises InputError if the line is not such a message."""
    try:
        return _TO_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the relay: {error}.", error=error)
        ) from None


def is_address(text: str) -> bool:
    """True if a browser can open the address, and it is short enough for the hidden screen."""
    return _ADDRESS.fullmatch(text) is not None


_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,253}")
_FROM_RELAY: Final[msgspec.json.Decoder[FromRelay]] = msgspec.json.Decoder(FromRelay)
_TO_RELAY: Final[msgspec.json.Decoder[ToRelay]] = msgspec.json.Decoder(ToRelay)
