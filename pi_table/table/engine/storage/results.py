"""The results of orders to the storage, which are inputs of the table's state machine."""

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.house_settings import House
from pi_table.games.rules.games import AnyState, Opening
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import OfferedPack
from pi_table.protocols.ipc.records import Won
from pi_table.table.engine.phones.links import Links


class Stored(msgspec.Struct, frozen=True):
    """The events are on the disk, in game number ``game``."""

    game: int


class NotStored(msgspec.Struct, frozen=True):
    why: TableError
    closed: bool = False
    """True if the journal is closed now. If the disk failed, only opening the journal again shows
    whether the events are stored."""


class NotSettled(msgspec.Struct, frozen=True):
    """The stored events are safe, but the journal cannot store more at the moment. ``closed`` is
    True if this lasts until the journal is opened again."""

    why: TableError
    closed: bool = False


class Found(msgspec.Struct, frozen=True):
    """The latest game of a journal, as it is stored."""

    number: int
    """The number of the game in the journal."""
    opening: Opening
    state: AnyState
    noted: float
    """The latest game time that is in the journal, in seconds."""


class LatestFound(msgspec.Struct, frozen=True):
    latest: Latest | None = None
    """The last finished game; None if there is none, or if the journal cannot be read."""
    tonight: tuple[Won, ...] = ()
    """The number of this evening's games that each team has won, by profile; empty if the journal
    cannot be read."""


class Opened(msgspec.Struct, frozen=True):
    """The journal is open. ``game`` is its latest game, if it has one."""

    game: Found | None
    finished: LatestFound = LatestFound()


class NotOpened(msgspec.Struct, frozen=True):
    """The journal could not be opened."""

    fault: str | None
    """The fault of the journal as a sentence; None if `refused` has the reason."""
    refused: TableError | None = None
    """The error if another table uses the journal, or if the journal cannot be set aside; otherwise
    None."""
    is_full: bool = False
    """True if the disk had no room to open the journal."""


class Dealt(msgspec.Struct, frozen=True):
    to: object
    opening: Opening


class Fetched(msgspec.Struct, frozen=True):
    to: object
    what: object


class NotFetched(msgspec.Struct, frozen=True):
    """A `Fetch` order has failed; for example, a game could not be dealt."""

    to: object
    why: TableError


class HouseChanged(msgspec.Struct, frozen=True):
    to: object
    house: House


class PinTried(msgspec.Struct, frozen=True):
    """A PIN was checked. Before the check, the try was counted as wrong."""

    to: object
    is_right: bool
    wrong: int
    """Number of wrong PINs in a row where this PIN was entered (desk or screen), including this PIN
    if it is wrong."""


class PinSet(msgspec.Struct, frozen=True):
    """A new PIN is valid now, or the PIN was removed."""

    to: object
    is_set: bool


class LinksKept(msgspec.Struct, frozen=True):
    to: object
    links: Links
    told: object = None


class LinksNotKept(msgspec.Struct, frozen=True):
    """The links could not be stored. ``links`` are the links that are valid now."""

    to: object
    links: Links
    why: TableError


class PacksChanged(msgspec.Struct, frozen=True):
    to: object
    told: object
    packs: tuple[OfferedPack, ...]


class Restored(msgspec.Struct, frozen=True):
    """A backup has replaced the table's files, so the table must be restarted."""

    to: object


class HalfRestored(msgspec.Struct, frozen=True):
    """A restore could not be finished, and can no longer be undone. The next start of the table
    will finish it. Everything stored until then would be lost."""

    to: object
    why: TableError


class NotRestored(msgspec.Struct, frozen=True):
    """A backup could not be restored, and nothing has changed. ``opened`` is the result of opening
    the journal again."""

    to: object
    why: TableError
    opened: Opened | NotOpened


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
    | LatestFound
    | PacksChanged
    | Restored
    | HalfRestored
    | NotRestored
)
