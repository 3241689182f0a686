"""The inputs of the table's state machine."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pi_table.devices.hal.contracts import Readings, TouchFrame
from pi_table.table.engine.dealing import Wish
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.touches.intents import Hold


class TouchFelt(msgspec.Struct, frozen=True):
    frame: TouchFrame


class Request(msgspec.Struct, frozen=True):
    """A request for an act."""

    by: Asker
    to: object
    """The name of the request, which its answer repeats; None if no answer is due. It is a
    `PhoneRequest` or `DeskRequest` if only that phone or desk can have sealed the request."""
    do: Mapping[str, Any]
    """An act, or an order of the house, as JSON."""

    def __repr__(self) -> str:
        return f"Request({self.by.name})"  # it may hold a PIN


class DeskCalled(msgspec.Struct, frozen=True):
    """A sealed message that claims to come from the operator's desk."""

    to: object
    sealed: bytes
    nonce: bytes
    """Nonce for the answer: `NONCE_BYTES` random bytes."""


class Begin(msgspec.Struct, frozen=True):
    """A request for a new game from a program in the same process."""

    to: object
    game: object
    """The game as JSON, which may name words and key."""
    wish: Wish
    """The words of the game if ``game`` names no words."""


class ButtonHeld(msgspec.Struct, frozen=True):
    """The button on the table's case was held: the machine is to be switched off."""

    to: object


class Relayed(msgspec.Struct, frozen=True):
    """A relay has connected, or forwards frames from phones."""

    frames: tuple[bytes, ...] = ()
    """Sealed frames that claim to come from phones; some may be forged."""
    address: str | None = None
    """The address of the pages; None if it has not changed."""


class RelayLeft(msgspec.Struct, frozen=True):
    """The relay has disconnected."""


class Beat(msgspec.Struct, frozen=True):
    """It is time to send a frame to every phone."""

    random: bytes
    """`phones.BLOCK_BYTES` random bytes."""

    def __repr__(self) -> str:
        return "Beat(…)"


class TimePassed(msgspec.Struct, frozen=True):
    """Time has passed; nothing else happened."""


class ScreenLeft(msgspec.Struct, frozen=True):
    """The hidden screen has disconnected."""


class SoundFault(msgspec.Struct, frozen=True):
    """A change of the loudspeaker's state."""

    trouble: str | None
    """The fault of the loudspeaker, in sentences for the staff."""


class ReadingsTaken(msgspec.Struct, frozen=True):
    readings: Readings


class TimeOfDay(msgspec.Struct, frozen=True):
    """A change of the time of day."""

    at: str
    """Hours and minutes in the house's own time, such as ``22:30``."""


class Judged(msgspec.Struct, frozen=True):
    """The referee's opinion of a clue."""

    to: object
    """The name of the request for the opinion."""
    opinion: dict[str, Any] | None
    """``verdict``, ``rule`` and ``reason``, in every language; None without an opinion."""

    def __repr__(self) -> str:
        return "Judged(…)"


Task = Hold | Request | Begin
"""The content of a job."""
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
