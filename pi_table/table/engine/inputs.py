"""What can happen to the table: the inputs of its machine."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pi_table.devices.hal.contracts import Readings, TouchFrame
from pi_table.table.engine.dealing import Wish
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.touches.intents import Hold


class Felt(msgspec.Struct, frozen=True):
    """The touch grid reports a frame."""

    frame: TouchFrame


class Request(msgspec.Struct, frozen=True):
    """Somebody asks for something."""

    by: Asker
    to: object
    """The name of the request, which comes back in its answer; None where nothing is answered. A
    phone's is a `PhoneRequest`, the desk's a `DeskRequest`: nobody else could have sealed it."""
    do: Mapping[str, Any]
    """An act, or an order of the house, as JSON."""

    def __repr__(self) -> str:
        return f"Request({self.by.name})"  # it may hold a PIN


class DeskCalled(msgspec.Struct, frozen=True):
    """Something sealed comes from an operator's desk, or from somebody who says so."""

    to: object
    """The name of the call, which comes back in its answer."""
    sealed: bytes
    nonce: bytes
    """`NONCE_BYTES` of chance, by which the answer is sealed."""


class Begin(msgspec.Struct, frozen=True):
    """A program in the same process begins a game."""

    to: object
    """The name of the request, which comes back in its answer."""
    game: object
    """The game as JSON, which may name words and key."""
    wish: Wish
    """The words that the game is to have if it names none."""


class ButtonHeld(msgspec.Struct, frozen=True):
    """The button on the table's case was held: the machine is to be switched off."""

    to: object
    """The name of the request, which comes back in its answer."""


class Relayed(msgspec.Struct, frozen=True):
    """Somebody relays what phones send; before, nobody may have relayed anything."""

    frames: tuple[bytes, ...] = ()
    """What phones sent, sealed; or what somebody else made up."""
    address: str | None = None
    """What people open to find the pages; None: as before."""


class RelayLeft(msgspec.Struct, frozen=True):
    """Nobody relays any more."""


class Beat(msgspec.Struct, frozen=True):
    """It is time to send every phone a frame."""

    random: bytes
    """`phones.BLOCK_BYTES` of chance."""

    def __repr__(self) -> str:
        return "Beat(…)"


class Passed(msgspec.Struct, frozen=True):
    """It is later; nothing else happened."""


class Left(msgspec.Struct, frozen=True):
    """The hidden screen has hung up."""


class SoundAils(msgspec.Struct, frozen=True):
    """The loudspeaker has learned what is wrong with it."""

    trouble: str | None
    """What is wrong, in sentences for the staff; None if nothing is."""


class Measured(msgspec.Struct, frozen=True):
    """The touch grid tells what it measures."""

    readings: Readings


class TimeOfDay(msgspec.Struct, frozen=True):
    """It is such a time of the day."""

    at: str
    """Hours and minutes in the house's own time: ``22:30``."""


class Judged(msgspec.Struct, frozen=True):
    """The referee was asked what it thinks of a clue."""

    to: object
    """The name of the request."""
    opinion: dict[str, Any] | None
    """The opinion: ``verdict``, ``rule`` and ``reason``, in every language. None where the referee
    has none."""

    def __repr__(self) -> str:
        return "Judged(…)"


What = Hold | Request | Begin
"""A touch that was meant, or something that is asked for."""
Input = (
    Felt
    | Request
    | DeskCalled
    | Begin
    | ButtonHeld
    | Relayed
    | RelayLeft
    | Beat
    | Passed
    | Left
    | Measured
    | SoundAils
    | TimeOfDay
    | Judged
    | Result
)
"""What can happen to the table."""
