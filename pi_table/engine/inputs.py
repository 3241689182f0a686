"""What can happen to the table: the inputs of its machine."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pi_table.engine.dealing import Wish
from pi_table.errors import TableError
from pi_table.hal.contracts import Readings, TouchFrame
from pi_table.house import House
from pi_table.rules.games import AnyState, Opening


class Felt(msgspec.Struct, frozen=True):
    """The touch grid reports a frame."""

    frame: TouchFrame


class Asked(msgspec.Struct, frozen=True):
    """Somebody asks for something at the console."""

    to: object
    """The name of the request, which comes back in its answer."""
    do: Mapping[str, Any]
    """An act as JSON."""


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


class Stored(msgspec.Struct, frozen=True):
    """What was to be stored is on the disk, in the game of this number."""

    game: int


class NotStored(msgspec.Struct, frozen=True):
    """What was to be stored could not be, and is not on the disk."""

    why: TableError
    closed: bool = False
    """Was the journal closed, because the disk failed? Opening it again tells what is stored."""


class NotSettled(msgspec.Struct, frozen=True):
    """What was stored is safe, and the journal can take nothing more at the moment."""

    why: TableError
    closed: bool = False
    """Will the journal take nothing more before it is opened again?"""


class Found(msgspec.Struct, frozen=True):
    """The latest game of a journal, as it was stored."""

    number: int
    """The number of the game in the journal."""
    opening: Opening
    """The first event of the game."""
    state: AnyState
    """How the game stood after its last event."""
    noted: float
    """The latest time of the game, in seconds, that the journal knows of."""


class Opened(msgspec.Struct, frozen=True):
    """The journal is open."""

    game: Found | None
    """The latest game of the journal; None where there is none."""


class NotOpened(msgspec.Struct, frozen=True):
    """The journal could not be opened."""

    fault: str | None
    """What is wrong with the journal, None where nothing new is known of it."""
    refused: TableError | None = None
    """Why the opening was not even tried: another table has the journal, or it cannot be set
    aside."""


class Dealt(msgspec.Struct, frozen=True):
    """The opening of a new game was made."""

    to: object
    opening: Opening


class Fetched(msgspec.Struct, frozen=True):
    """What was to be read from the record was read."""

    to: object
    what: object


class NotFetched(msgspec.Struct, frozen=True):
    """What was to be dealt or read cannot be had."""

    to: object
    why: TableError


class HouseChanged(msgspec.Struct, frozen=True):
    """The house's settings were changed, and are kept."""

    to: object
    """The name of the request."""
    house: House


class PinTried(msgspec.Struct, frozen=True):
    """A PIN was looked at, after it was counted."""

    to: object
    """The name of the request."""
    is_right: bool
    wrong: int
    """How many wrong PINs were tried in a row, this one included."""


class PinSet(msgspec.Struct, frozen=True):
    """Another PIN holds, or none."""

    to: object
    """The name of the request."""
    is_set: bool


Result = (
    Stored
    | NotStored
    | NotSettled
    | Opened
    | NotOpened
    | Dealt
    | Fetched
    | NotFetched
    | HouseChanged
    | PinTried
    | PinSet
)
"""What comes of an order."""
Input = (
    Felt | Asked | Begin | ButtonHeld | Passed | Left | Measured | SoundAils | TimeOfDay | Result
)
