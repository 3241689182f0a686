"""What goes over the sealed socket: bytes that the process of the pages relays and cannot open.

Out, at each beat, goes a `SealedBlock`: one frame of `DOWN_BYTES` for each place for a phone, taken
or not. Every phone is sent all of them, and finds the one that it can open. In, at each beat, comes
a `Relayed`: at most one frame of `UP_BYTES` of each phone. A `DeskCall` is what an operator's desk
asks, sealed, at any time and of any length; a `DeskReply` answers it.
"""

import re
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say

BEAT_SECONDS: Final = 0.25
"""Seconds from one beat to the next."""
CODE_SECONDS: Final = 60.0
"""For how long a code can be scanned, and a phone can confirm that it keeps its seat."""
PLACES_FOR_PHONES: Final = 6
"""How many phones can have a seat at a time."""
UP_BYTES: Final = 512
"""Bytes of a sealed frame from a phone: nonce, ciphertext and tag."""
MARK_BYTES: Final = 16
"""The first bytes of a frame, which are drawn by chance and tell frames apart."""
DOWN_BYTES: Final = 1024
"""Bytes of a sealed frame to a phone: nonce, ciphertext and tag."""
MOST_RELAYED: Final = 32
"""How many frames the engine takes at one beat; what comes besides is dropped."""
LONGEST_DESK: Final = 47 * 1024
"""Bytes of the longest sealed question of a desk, and of the longest answer: as base64 in its line
it is shorter than `messages.LONGEST_LINE`."""


class SealedBlock(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="sealed"):
    """What every phone is sent at a beat, and what the relay alone is told."""

    frames: tuple[bytes, ...]
    """`PLACES_FOR_PHONES` frames of `DOWN_BYTES` each; in JSON as base64."""
    opened: tuple[bytes, ...] = ()
    """The first `MARK_BYTES` of each frame that was taken since the last beat, as one of a phone
    with a seat. So the relay knows for whom to keep a place; not whose seat, nor what was said."""


class Relayed(msgspec.Struct, frozen=True, tag_field="kind", tag="relayed"):
    """What phones sent since the last beat."""

    id: int
    """The number of the line, which comes back in its answer (`Heard`)."""
    frames: tuple[bytes, ...] = ()
    """Frames of `UP_BYTES` each; in JSON as base64. Others are dropped."""
    address: str | None = None
    """What people open to find the pages, such as ``http://192.168.1.7:8080``; None: as before."""


class DeskCall(msgspec.Struct, frozen=True, tag_field="kind", tag="desk"):
    """What somebody at an operator's desk asks, sealed."""

    id: int
    sealed: bytes
    """At most `LONGEST_DESK` bytes; in JSON as base64."""


class Heard(msgspec.Struct, frozen=True, tag_field="kind", tag="heard"):
    """A `Relayed` was taken. It says no more, whatever was in it."""

    id: int


class DeskReply(msgspec.Struct, frozen=True, tag_field="kind", tag="desk-reply"):
    """What the desk is answered, sealed; empty where nobody could open what was asked."""

    id: int
    sealed: bytes


ToRelay = SealedBlock | Heard | DeskReply
FromRelay = Relayed | DeskCall


def line(message: ToRelay | FromRelay) -> bytes:
    """A message as a line, its line feed included."""
    return msgspec.json.encode(message) + b"\n"


def read_from_relay(text: bytes) -> FromRelay:
    """The message of the relay that a line is. Raises InputError for a line that is none."""
    try:
        return _FROM_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is nothing that a relay says: {error}.", error=error)) from None


def read_to_relay(text: bytes) -> ToRelay:
    """The message for the relay that a line is. Raises InputError for a line that is none."""
    try:
        return _TO_RELAY.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(say("This is no message for the relay: {error}.", error=error)) from None


def is_address(text: str) -> bool:
    """Can people open this, and can it stand in a QR code and on the hidden screen?"""
    return _ADDRESS.fullmatch(text) is not None


_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,253}")
_FROM_RELAY: Final[msgspec.json.Decoder[FromRelay]] = msgspec.json.Decoder(FromRelay)
_TO_RELAY: Final[msgspec.json.Decoder[ToRelay]] = msgspec.json.Decoder(ToRelay)
