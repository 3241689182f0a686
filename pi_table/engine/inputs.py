"""What can happen to the table: the inputs of its machine."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pi_table.engine.dealing import Wish
from pi_table.engine.desk.line import DeskRequest
from pi_table.engine.phones.links import Links
from pi_table.engine.phones.phones import PhoneRequest
from pi_table.errors import TableError
from pi_table.hal.contracts import Readings, TouchFrame
from pi_table.house import House
from pi_table.ipc.house import Latest
from pi_table.ipc.messages import OfferedPack
from pi_table.rules.games import AnyState, Opening
from pi_table.rules.seat import Seat


class Felt(msgspec.Struct, frozen=True):
    """The touch grid reports a frame."""

    frame: TouchFrame


class Asked(msgspec.Struct, frozen=True):
    """Somebody asks for something at the console."""

    to: object
    """The name of the request, which comes back in its answer."""
    do: Mapping[str, Any]
    """An act as JSON."""


class AskedByPhone(msgspec.Struct, frozen=True):
    """A phone asks for something; the seat is that of its link."""

    to: PhoneRequest
    """The name of the request, which comes back in its answer."""
    do: Mapping[str, Any]
    """An act as JSON."""


class AskedByTable(msgspec.Struct, frozen=True):
    """The table does an act of the rules by itself, which nothing answers."""

    seat: Seat
    """The seat for which it is done."""
    do: Mapping[str, Any]
    """The act as JSON."""


class AskedByHouse(msgspec.Struct, frozen=True):
    """Whoever looks after several tables asks for something over the socket of the house."""

    to: object
    """The name of the request, which comes back in its answer."""
    do: Mapping[str, Any]
    """An order as JSON, which is no act of a game."""


class DeskCalled(msgspec.Struct, frozen=True):
    """Something sealed comes from an operator's desk, or from somebody who says so."""

    to: object
    """The name of the call, which comes back in its answer."""
    sealed: bytes
    nonce: bytes
    """`NONCE_BYTES` of chance, by which the answer is sealed."""


class AskedAtDesk(msgspec.Struct, frozen=True):
    """Somebody asks for something at the operator's desk; nobody else could have sealed it."""

    to: DeskRequest
    """The name of the request, which comes back in its answer."""
    do: Mapping[str, Any]
    """An act as JSON, which is none of a game's."""

    def __repr__(self) -> str:
        return "AskedAtDesk(…)"  # it may hold a PIN


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
    latest: Latest | None = None
    """The game of the journal that was finished last; None where none is."""


class NotOpened(msgspec.Struct, frozen=True):
    """The journal could not be opened."""

    fault: str | None
    """What is wrong with the journal, None where nothing new is known of it."""
    refused: TableError | None = None
    """Why the opening was not even tried: another table has the journal, or it cannot be set
    aside."""
    is_full: bool = False
    """True if the disk had no room to open it."""


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
    """How many wrong PINs were tried in a row where this one was, this one included."""


class PinSet(msgspec.Struct, frozen=True):
    """Another PIN holds, or none."""

    to: object
    """The name of the request."""
    is_set: bool


class Judged(msgspec.Struct, frozen=True):
    """The referee was asked what it thinks of a clue."""

    to: object
    """The name of the request."""
    opinion: dict[str, Any] | None
    """The opinion: ``verdict``, ``rule`` and ``reason``, in every language. None where the referee
    has none."""

    def __repr__(self) -> str:
        return "Judged(…)"


class LatestFound(msgspec.Struct, frozen=True):
    """It was looked which game of the journal was finished last."""

    latest: Latest | None
    """None where none is, or the journal cannot be read."""


class LinksKept(msgspec.Struct, frozen=True):
    """The links of phones are kept as they are now."""

    to: object
    """The name of the request; None where nobody asked."""
    links: Links
    told: object = None
    """What whoever asked is told."""


class LinksNotKept(msgspec.Struct, frozen=True):
    """The links of phones could not be kept."""

    to: object
    """The name of the request; None where nobody asked."""
    links: Links
    """Those that hold all the same."""
    why: TableError


class PacksChanged(msgspec.Struct, frozen=True):
    """The word packs of the table are others."""

    to: object
    """The name of the request."""
    told: object
    """What whoever asked is told."""
    packs: tuple[OfferedPack, ...]
    """All packs that there are now."""


class Restored(msgspec.Struct, frozen=True):
    """A backup is in the place of what the table had: the table is to be started again."""

    to: object
    """The name of the request."""


class HalfRestored(msgspec.Struct, frozen=True):
    """A restore was decided, and could not be finished: the table is to be started again, which
    finishes it. Whatever was stored before that would be lost."""

    to: object
    """The name of the request."""
    why: TableError


class NotRestored(msgspec.Struct, frozen=True):
    """A backup could not be put back, and nothing has changed, but that the journal was closed."""

    to: object
    """The name of the request."""
    why: TableError
    opened: Opened | NotOpened
    """What came of opening the journal again."""


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
    | LinksKept
    | LinksNotKept
    | Judged
    | LatestFound
    | PacksChanged
    | Restored
    | HalfRestored
    | NotRestored
)
"""What comes of an order."""
Input = (
    Felt
    | Asked
    | DeskCalled
    | AskedAtDesk
    | AskedByHouse
    | AskedByPhone
    | AskedByTable
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
    | Result
)
"""What can happen to the table."""
