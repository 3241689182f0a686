"""The results of orders to the storage, which are inputs of the table's state machine."""

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.house_settings import House
from pi_table.games.rules.games import AnyState, Opening
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import OfferedPack
from pi_table.table.engine.phones.links import Links


class Stored(msgspec.Struct, frozen=True):
    """The events are on the disk, in the game of the number ``game``."""

    game: int


class NotStored(msgspec.Struct, frozen=True):
    """The events could not be stored, and are not on the disk."""

    why: TableError
    closed: bool = False
    """True if the journal was closed because the disk failed. Opening the journal again shows
    whether the events are stored."""


class NotSettled(msgspec.Struct, frozen=True):
    """The stored events are safe, but the journal can store nothing more at the moment."""

    why: TableError
    closed: bool = False
    """True if the journal can store nothing more until the journal is opened again."""


class Found(msgspec.Struct, frozen=True):
    """The latest game of a journal, as it is stored."""

    number: int
    """The number of the game in the journal."""
    opening: Opening
    """The first event of the game."""
    state: AnyState
    """The state of the game after its last event."""
    noted: float
    """The latest time of the game, in seconds, that the journal knows."""


class Opened(msgspec.Struct, frozen=True):
    """The journal is open."""

    game: Found | None
    """The latest game of the journal; None if the journal has no game."""
    latest: Latest | None = None
    """The last finished game of the journal; None if no game is finished."""


class NotOpened(msgspec.Struct, frozen=True):
    """The journal could not be opened."""

    fault: str | None
    """The fault of the journal as a sentence; None if nothing new is known."""
    refused: TableError | None = None
    """The reason why opening was not even tried: another table uses the journal, or the journal
    cannot be set aside."""
    is_full: bool = False
    """True if the disk had no room to open the journal."""


class Dealt(msgspec.Struct, frozen=True):
    """The opening of a new game was made."""

    to: object
    opening: Opening


class Fetched(msgspec.Struct, frozen=True):
    """The result of a `Fetch` order that succeeded."""

    to: object
    what: object


class NotFetched(msgspec.Struct, frozen=True):
    """The game could not be dealt, or the data could not be read."""

    to: object
    why: TableError


class HouseChanged(msgspec.Struct, frozen=True):
    """The house's settings were changed and stored."""

    to: object
    """The name of the request."""
    house: House


class PinTried(msgspec.Struct, frozen=True):
    """A PIN was counted as a wrong try, then checked."""

    to: object
    """The name of the request."""
    is_right: bool
    wrong: int
    """Number of wrong PINs in a row at this place (desk or hidden screen), including this PIN if it
    is wrong."""


class PinSet(msgspec.Struct, frozen=True):
    """Another PIN is valid now, or the PIN was removed."""

    to: object
    """The name of the request."""
    is_set: bool


class LatestFound(msgspec.Struct, frozen=True):
    """The search for the last finished game is done."""

    latest: Latest | None
    """The last finished game; None if no game is finished, or the journal cannot be read."""


class LinksKept(msgspec.Struct, frozen=True):
    """The links of phones are stored."""

    to: object
    """The name of the request; None without a request."""
    links: Links
    told: object = None
    """The result for the asker, as JSON."""


class LinksNotKept(msgspec.Struct, frozen=True):
    """The links of phones could not be stored."""

    to: object
    """The name of the request; None without a request."""
    links: Links
    """The links that are valid after the failure."""
    why: TableError


class PacksChanged(msgspec.Struct, frozen=True):
    """The word packs of the table have changed."""

    to: object
    """The name of the request."""
    told: object
    """The result for the asker, as JSON."""
    packs: tuple[OfferedPack, ...]
    """All word packs after the change."""


class Restored(msgspec.Struct, frozen=True):
    """A backup has replaced the table's files: the table must be started again."""

    to: object
    """The name of the request."""


class HalfRestored(msgspec.Struct, frozen=True):
    """A restore was decided but could not be finished.

    The table must be started again, which finishes the restore. Everything stored before that start
    would be lost.
    """

    to: object
    """The name of the request."""
    why: TableError


class NotRestored(msgspec.Struct, frozen=True):
    """A backup could not be restored, and nothing has changed except that the journal was
    closed."""

    to: object
    """The name of the request."""
    why: TableError
    opened: Opened | NotOpened
    """The result of opening the journal again."""


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
"""The result of an order."""
