"""Messages on the sealed socket, which the web process relays without being able to decrypt them.

At each beat the engine sends a `SealedBlock`: one frame of `DOWN_BYTES` for each phone place, taken
or not. Every phone receives all frames and finds the frame that it can open. At each beat the
engine receives a `Relayed`: at most one frame of `UP_BYTES` from each phone. A `DeskCall` is an
encrypted question of an operator's desk, at any time and of any length; a `DeskReply` answers the
call.
"""

import re
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say

BEAT_SECONDS: Final = 0.25
"""Seconds from one beat to the next."""
CODE_SECONDS: Final = 60.0
"""Seconds for which a QR code can be scanned, and a phone can confirm that it keeps its seat."""
PLACES_FOR_PHONES: Final = 6
"""Number of phones that can have a seat at the same time."""
UP_BYTES: Final = 512
"""Bytes of a sealed frame from a phone: nonce, ciphertext and tag."""
MARK_BYTES: Final = 16
"""Number of bytes at the beginning of a frame. These bytes are random and identify the frame."""
DOWN_BYTES: Final = 1024
"""Bytes of a sealed frame to a phone: nonce, ciphertext and tag."""
MAX_RELAYED: Final = 32
"""Frames that the engine accepts at one beat; further frames are dropped."""
MAX_DESK_BYTES: Final = 47 * 1024
"""Bytes of a desk's longest question or answer: as base64, within `messages.MAX_LINE_BYTES`."""


class SealedBlock(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="sealed"):
    """The frames for all phones at one beat, and a list that only the relay uses."""

    frames: tuple[bytes, ...]
    """`PLACES_FOR_PHONES` frames of `DOWN_BYTES` each; in JSON as base64."""
    opened: tuple[bytes, ...] = ()
    """The first `MARK_BYTES` of each frame accepted from a seated phone since the last beat.

    They tell the relay which connections to keep, but neither their seats nor their contents.
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
    """The encrypted answer to a desk; empty if the question could not be decrypted."""

    id: int
    sealed: bytes


ToRelay = SealedBlock | Heard | DeskReply
FromRelay = Relayed | DeskCall


def line(message: ToRelay | FromRelay) -> bytes:
    """Encode a message as a line, with its line feed."""
    return msgspec.json.encode(message) + b"\n"


def read_from_relay(text: bytes) -> FromRelay:
    """Decode a message of the relay. Raises InputError for any other line."""
    try:
        return _FROM_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is not a message of a relay: {error}.", error=error)) from None


def read_to_relay(text: bytes) -> ToRelay:
    """Decode a message for the relay. Raises InputError for any other line."""
    try:
        return _TO_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("This is not a message for the relay: {error}.", error=error)
        ) from None


def is_address(text: str) -> bool:
    """True if people can open the address, and it fits a QR code and the hidden screen."""
    return _ADDRESS.fullmatch(text) is not None


_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,253}")
_FROM_RELAY: Final[msgspec.json.Decoder[FromRelay]] = msgspec.json.Decoder(FromRelay)
_TO_RELAY: Final[msgspec.json.Decoder[ToRelay]] = msgspec.json.Decoder(ToRelay)
