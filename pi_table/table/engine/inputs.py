"""The inputs of the table's state machine."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pi_table.devices.hal.contracts import Readings, TouchFrame
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.touches.intents import Hold


class TouchFelt(msgspec.Struct, frozen=True):
    frame: TouchFrame


class Request(msgspec.Struct, frozen=True):
    """A request for an act."""

    by: Asker
    to: object
    """Identifies the request; the answer repeats it. None if no answer is needed.

    If it is a `PhoneRequest` or `DeskRequest`, only that phone or desk can have encrypted the
    request.
    """
    do: Mapping[str, Any]
    """The requested act, or the house's order, as decoded JSON."""

    def __repr__(self) -> str:
        return f"Request({self.by.name})"  # it may hold a PIN


class DeskCalled(msgspec.Struct, frozen=True):
    """An encrypted message that claims to come from the operator's desk."""

    to: object
    sealed: bytes
    nonce: bytes
    """Nonce for the answer: `NONCE_BYTES` random bytes."""


class Begin(msgspec.Struct, frozen=True):
    """A request for a new game, made by code in the engine's own process."""

    to: object
    game: object
    """The requested game as decoded JSON. It may contain the words and the key."""
    source: WordSource
    """Where the words come from if ``game`` contains none."""


class ButtonHeld(msgspec.Struct, frozen=True):
    """Somebody held the button on the table's case to switch the computer off."""

    to: object


class Relayed(msgspec.Struct, frozen=True):
    """The relay has connected, or forwards frames from phones. The relay is the web process."""

    frames: tuple[bytes, ...] = ()
    """Encrypted frames that claim to come from phones. Some may be forged."""
    address: str | None = None
    """The address of the pages; None if it has not changed."""


class RelayLeft(msgspec.Struct, frozen=True):
    """The relay has disconnected."""


class Beat(msgspec.Struct, frozen=True):
    """It is time to send a frame to every phone."""

    random: bytes
    """`phones.BLOCK_BYTES` random bytes for these frames."""

    def __repr__(self) -> str:
        return "Beat(…)"


class TimePassed(msgspec.Struct, frozen=True):
    """Time has passed; nothing else happened."""


class ScreenLeft(msgspec.Struct, frozen=True):
    """The hidden screen has disconnected."""


class SoundFault(msgspec.Struct, frozen=True):
    """The loudspeaker has failed, or works again."""

    trouble: str | None
    """The fault of the loudspeaker, in sentences for the staff; None if it works."""


class ReadingsTaken(msgspec.Struct, frozen=True):
    readings: Readings


class TimeOfDay(msgspec.Struct, frozen=True):
    """The time of day has changed."""

    at: str
    """Hours and minutes in the house's own time, such as ``22:30``."""


class Judged(msgspec.Struct, frozen=True):
    """The referee's opinion of a clue, or the answer that the referee has no opinion."""

    to: object
    """Identifies the request that asked for the opinion."""
    opinion: dict[str, Any] | None
    """The referee's ``verdict``, ``rule`` and ``reason`` (in every language); None without an
    opinion."""

    def __repr__(self) -> str:
        return "Judged(…)"


Task = Hold | Request | Begin
"""The touch or request that a job of the game queue carries out."""
Input = (
    TouchFelt
    | Request
    | DeskCalled
    | Begin
    | ButtonHeld
    | Relayed
    | RelayLeft
    | Beat
    | TimePassed
    | ScreenLeft
    | ReadingsTaken
    | SoundFault
    | TimeOfDay
    | Judged
    | Result
)
