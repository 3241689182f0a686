"""The orders for games and for the house's files: journal, record, settings, PIN, links.

`desk_orders` has the orders of the operator's desk.
"""

from contextlib import suppress
from typing import Any, ClassVar

from msgspec.structs import replace

from pi_table.common.errors import StorageError
from pi_table.common.language import Lang
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import Opening
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games.events import Guessed
from pi_table.protocols.ipc.house import Latest
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.phones.links import Keeps
from pi_table.table.engine.phones.phones import Claim
from pi_table.table.engine.storage.finished import games_after
from pi_table.table.engine.storage.order import Fetch, KeepLinks, Order, Read, Write, as_table_error
from pi_table.table.engine.storage.results import (
    Dealt,
    Fetched,
    HalfRestored,
    HouseChanged,
    LatestFound,
    NotFetched,
    NotOpened,
    NotRestored,
    NotSettled,
    NotStored,
    Opened,
    PinSet,
    PinTried,
    Restored,
    Result,
    Stored,
)
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.store.faults import JournalFailingError, JournalFullError, JournalInUseError

# --- the journal


class Store(Write, frozen=True):
    """Stores events, in order. The result is Stored or NotStored."""

    game: int | None
    """The number of the game; None for a new game that begins with these events."""
    happened: tuple[Event, ...]

    @property
    def guessed(self) -> int | None:
        """The cell that is guessed; None for another act."""
        first = self.happened[0]
        return first.cell if isinstance(first, Guessed) else None

    def carry_out(self, storage: Storage) -> Stored | NotStored:
        try:
            return Stored(storage.store(self.game, self.happened))
        except JournalFailingError as error:
            # Only opening the journal again shows whether the events were stored.
            with suppress(StorageError):
                storage.close()
            return NotStored(error, closed=True)
        except StorageError as error:
            return NotStored(error, closed=storage.is_closed)


class Settle(Write, frozen=True):
    """Enters a stored act in the journal's tables. No request waits for this. If it fails, nothing
    is lost, and the result is NotSettled; otherwise there is no result."""

    def carry_out(self, storage: Storage) -> NotSettled | None:
        try:
            storage.settle()
        except (JournalFullError, JournalInUseError) as error:
            return NotSettled(error)
        except StorageError as error:
            return NotSettled(error, closed=True)
        return None


class Note(Write, frozen=True):
    """Stores the time of a game, in seconds. There is no result, and a failure is ignored."""

    game: int
    at: float

    def carry_out(self, storage: Storage) -> None:
        with suppress(StorageError):  # the next event will report the same fault
            storage.note_time(self.game, self.at)


class Open(Write, frozen=True):
    """Closes the journal and opens it again. The result is Opened or NotOpened."""

    aside: bool
    """True to set the journal aside first and begin an empty journal."""

    def carry_out(self, storage: Storage) -> Opened | NotOpened:
        return storage.open(self.aside)


class Restore(Write, frozen=True):
    """Replaces the table's files by a backup, with the journal closed. The result is Restored,
    HalfRestored, NotRestored or NotFetched."""

    to: object
    is_alone: ClassVar[bool] = True

    def carry_out(self, storage: Storage) -> Restored | HalfRestored | NotRestored | NotFetched:
        up, backups = storage.transfers.up, storage.backups
        try:
            backups.check(up)  # a refused backup does not close the journal
        except Exception as error:
            return NotFetched(self.to, as_table_error(error))
        try:
            storage.close()
            backups.restore(up)
        except Exception as error:
            if backups.is_to_be_finished():
                # The journal is neither the old nor the new one, so do not open it.
                return HalfRestored(self.to, as_table_error(error))
            return NotRestored(self.to, as_table_error(error), _reopen(storage))
        return Restored(self.to)


def _reopen(storage: Storage) -> Opened | NotOpened:
    """Open the journal again after a failed restore. If another table uses the journal now, the
    result has that as the journal's fault."""
    opened = storage.open(aside=False)
    if isinstance(opened, NotOpened) and opened.refused is not None:
        return NotOpened(str(opened.refused))
    return opened


# --- games


class Deal(Fetch, frozen=True):
    """Makes the opening (first event) of a game that is given as JSON. The result is Dealt or
    NotFetched."""

    game: object
    source: WordSource
    keeps: Keeps = Keeps.NONE

    def fetch(self, storage: Storage) -> Dealt:
        return Dealt(self.to, storage.dealer.deal(self.game, self.source))


class MarkDealt(Order, frozen=True):
    """Records that a game has begun: its words now count as used, and earlier games can no longer
    change. There is no result."""

    game: int
    opening: Opening

    def carry_out(self, storage: Storage) -> None:
        storage.dealer.mark_dealt(self.opening)
        with suppress(StorageError):  # the next request for the list reports the fault
            storage.records.games(self.game)  # fill the cache now, before the first guess


class ListGames(Read, frozen=True):
    playing: int | None

    def read(self, storage: Storage) -> Any:
        return storage.records.games(self.playing)


class ReadTally(Read, frozen=True):
    """Counts the wins of this evening."""

    playing: int | None

    def read(self, storage: Storage) -> Any:
        return storage.records.tonight(storage.wall(), self.playing)


class ReadRecord(Read, frozen=True):
    number: int
    lang: Lang | None
    """The language of the record; None for the game's own language."""

    def read(self, storage: Storage) -> Any:
        return storage.records.record(self.number, self.lang)


class ReadFinished(Read, frozen=True):
    after: Latest | None
    """The last game that the asker knows, if any."""

    def read(self, storage: Storage) -> Any:
        return games_after(storage.path, self.after)


class FindLatest(Order, frozen=True):
    """Finds the last finished game of the journal, and counts this evening's wins. The result is
    LatestFound."""

    def carry_out(self, storage: Storage) -> LatestFound:
        return storage.find_finished()


# --- files of the house


class ChangeHouse(Fetch, frozen=True):
    """Changes and stores settings of the house. The result is HouseChanged or NotFetched."""

    settings: dict[str, Any]
    """The new values by name, as JSON."""

    def fetch(self, storage: Storage) -> HouseChanged:
        house = storage.settings.change(self.settings)
        storage.dealer.shelf = replace(storage.dealer.shelf, house=house)
        return HouseChanged(self.to, house)


class TryPin(Fetch, frozen=True):
    """Checks a PIN. Before the check, the try is counted as wrong. The result is PinTried or
    NotFetched."""

    pin: str
    at_desk: bool = False
    """True if the PIN was entered at the desk, which has its own count of wrong PINs."""

    def __repr__(self) -> str:
        return "TryPin(…)"

    def fetch(self, storage: Storage) -> PinTried:
        is_right = storage.pin.try_pin(self.pin, self.at_desk)
        wrong = storage.pin.wrong_at_desk if self.at_desk else storage.pin.wrong
        return PinTried(self.to, is_right, wrong)


class SetPin(Fetch, frozen=True):
    """Stores a new PIN, or removes it if ``pin`` is None. The result is PinSet or NotFetched."""

    pin: str | None

    def __repr__(self) -> str:
        return "SetPin(…)"

    def fetch(self, storage: Storage) -> PinSet:
        storage.pin.set(self.pin)
        return PinSet(self.to, storage.pin.is_set)


class ChangePin(Fetch, frozen=True):
    """Stores the PIN ``new`` from the desk if ``pin`` is the current PIN. ``pin`` is checked as in
    `TryPin`. The result is PinSet, PinTried or NotFetched."""

    pin: str
    new: str

    def __repr__(self) -> str:
        return "ChangePin(…)"

    def fetch(self, storage: Storage) -> PinTried | PinSet:
        tried = TryPin(self.to, self.pin, at_desk=True).fetch(storage)
        return SetPin(self.to, self.new).fetch(storage) if tried.is_right else tried


class SwitchOff(Fetch, frozen=True):
    """Switches the computer off by the system's command. The result is Fetched or NotFetched."""

    def fetch(self, storage: Storage) -> Result:
        storage.switch_off()
        return Fetched(self.to, None)


# --- links of phones and of the desk


class MakeLink(KeepLinks, frozen=True):
    seat: Seat
    game: int | None
    """The game that the link is for; None for a desk."""

    def keep(self, storage: Storage) -> Any:
        return {"for": self.seat.value, "link": storage.phones.make(self.seat, self.game)}


class KeepClaim(KeepLinks, frozen=True):
    to: Claim

    def keep(self, storage: Storage) -> None:
        storage.phones.claim(self.to.seat, self.to.link_key, self.to.device)


class EndLinks(KeepLinks, frozen=True):
    """Ends the link of a seat, or the links of all phones if ``seat`` is None."""

    to: object = None
    seat: Seat | None = None

    def keep(self, storage: Storage) -> None:
        storage.phones.end(self.seat)


class FollowGame(KeepLinks, frozen=True):
    """Stores that the linked phones of these seats now belong to another game."""

    game: int
    seats: tuple[Seat, ...]

    def keep(self, storage: Storage) -> None:
        storage.phones.follow(self.game, self.seats)
