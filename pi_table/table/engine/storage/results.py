"""What comes of an order to the storage: inputs of the table's machine."""

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.house import House
from pi_table.games.rules.games import AnyState, Opening
from pi_table.protocols.ipc.house import Latest
from pi_table.protocols.ipc.messages import OfferedPack
from pi_table.table.engine.phones.links import Links


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
    | LatestFound
    | PacksChanged
    | Restored
    | HalfRestored
    | NotRestored
)
"""What comes of an order."""
