"""The storage of a table: its journal, the dealer's memory of used words, and the files beside the
journal.

Orders use the storage (`storage.orders`), each on its own thread (`storage.workers`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pi_table.common.errors import StorageError, TableError
from pi_table.common.house_settings import House
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.events import Event
from pi_table.table.engine.dealing import Dealer
from pi_table.table.engine.storage.backups import Backups, NoBackups
from pi_table.table.engine.storage.finished import latest
from pi_table.table.engine.storage.history import UnreadableGameError
from pi_table.table.engine.storage.house_files import HouseSettings, PinFile
from pi_table.table.engine.storage.packs import PackFolder
from pi_table.table.engine.storage.phones_file import PhonesFile
from pi_table.table.engine.storage.records import Records
from pi_table.table.engine.storage.results import Found, LatestFound, NotOpened, Opened
from pi_table.table.engine.storage.statistics import Counted
from pi_table.table.engine.storage.transfer import Transfers
from pi_table.table.store.entries import Entry, StoredGame
from pi_table.table.store.faults import JournalFullError, JournalInUseError
from pi_table.table.store.journal import Journal
from pi_table.table.store.set_aside import set_aside

MIN_BODY_BYTES: Final = 256
"""Minimum length of a stored event, in bytes. Shorter events are padded (`pad_body`)."""


def no_way_to_switch_off() -> None:
    """Raise TableError, because no command to switch the machine off is set."""
    raise TableError(
        say(
            "No command is set that switches the machine off: name one in the configuration, under "
            "[table] switch_off."
        )
    )


class Storage:
    """The journal at a path, the dealer's memory of used words, and the files beside the journal.
    Three threads may carry out orders at the same time, one for each `storage.order.Thread`."""

    def __init__(
        self,
        path: Path,
        dealer: Dealer,
        wall: Callable[[], str],
        found: Callable[[StoredGame], Found],
        house: House | None = None,
        switch_off: Callable[[], None] = no_way_to_switch_off,
        packs: PackFolder | None = None,
        backups: Backups | None = None,
    ) -> None:
        """Open the journal at ``path``. Raises JournalInUseError if another table has it.

        ``wall`` returns the time of the wall clock (ISO 8601, UTC). ``found`` replays a stored game
        and tests whether a table can continue it (`process.replay_check`). ``house`` has the
        settings of the configuration. ``switch_off`` switches the computer off, or raises
        TableError. ``packs`` is the folder of the house's own packs.
        """
        self.path = path
        self.dealer = dealer
        self.wall = wall
        self._found = found
        self._journal: Journal | None = None
        self.records = Records(path)
        self.counted = Counted(path)
        self.packs = packs or PackFolder(None)
        self.backups = backups or NoBackups()
        self.transfers = Transfers(path.parent)
        self.drop_transfers()
        self.opened = self.open(aside=False)
        """The result of opening the journal for the first time."""
        if isinstance(self.opened, NotOpened) and self.opened.refused is not None:
            raise self.opened.refused
        self.pin = PinFile(path.parent)
        self.phones = PhonesFile(path.parent)
        self.switch_off = switch_off
        self.settings = HouseSettings(path.parent, house or dealer.shelf.house)
        dealer.shelf = replace(dealer.shelf, house=self.settings.house)

    # --- the journal

    @property
    def is_closed(self) -> bool:
        """True if the journal is not open, so that acts cannot be stored."""
        return self._journal is None

    def close(self) -> None:
        """Close the journal. May be called again."""
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()

    def open(self, aside: bool) -> Opened | NotOpened:
        """Close the journal, set it aside if ``aside`` is True, and open it again.

        If the journal cannot be opened, the process goes on, because a restart would meet the same
        fault. The table shows the fault until somebody repairs it. The process must end only if
        another table uses the journal.
        """
        try:
            with suppress(StorageError):
                self.close()
            if aside:
                set_aside(self.path, self.wall())
        except StorageError as error:
            return NotOpened(None, error)
        try:
            journal = Journal.open(self.path)
        except JournalInUseError as error:
            return NotOpened(None, error)
        except StorageError as error:
            return NotOpened(str(error), is_full=isinstance(error, JournalFullError))
        try:
            stored = journal.latest()
            game = None if stored is None else self._found(stored)
        except UnreadableGameError:
            with suppress(StorageError):
                journal.close()
            return NotOpened(
                say(
                    "The journal {path} holds events that this version of pi-table cannot read. "
                    "Go back to the version that wrote it, or set the journal aside and begin a "
                    "new one.",
                    path=self.path,
                )
            )
        except StorageError as error:
            with suppress(StorageError):
                journal.close()
            return NotOpened(str(error))
        self._journal = journal
        # This may be another journal than before.
        records, self.counted = Records(self.path), Counted(self.path)
        finished = self._find_finished(records)  # before another thread reads these records
        self.records = records
        self.dealer.set_openings(lambda: _openings(self.path))
        return Opened(game, finished)

    def store(self, game: int | None, happened: Sequence[Event]) -> int:
        if self._journal is None:
            raise StorageError(say("The journal is closed."))
        return store(self._journal, game, happened, self.wall())

    def settle(self) -> None:
        """Enter the latest act in the journal's tables. Raises StorageError."""
        if self._journal is not None:
            self._journal.settle()

    def note_time(self, game: int, at: float) -> None:
        """Note the time of a game, in seconds. Raises StorageError."""
        if self._journal is not None:
            self._journal.note_time(game, at)

    def find_finished(self) -> LatestFound:
        """Return the last finished game and this evening's wins, as far as the journal can be
        read."""
        return self._find_finished(self.records)

    def _find_finished(self, records: Records) -> LatestFound:
        found = LatestFound()
        with suppress(StorageError):  # the next request for the games reports the fault
            found = LatestFound(latest(self.path))
            found = replace(found, tonight=records.tonight(self.wall()).won)
        return found

    # --- downloads and uploads of a desk

    def drop_transfers(self) -> None:
        """Delete all uploads and downloads, even unfinished ones, because they may contain keys."""
        self.transfers.drop()
        for file in (self.transfers.down, self.transfers.up):
            self.backups.forget(file)


def store(journal: Journal, game: int | None, happened: Sequence[Event], wall: str) -> int:
    """Store events durably, as a new game if ``game`` is None; return the game's number. Raises
    StorageError."""
    entries = [Entry(event.at, pad_body(games.encode(event))) for event in happened]
    if game is None:
        return journal.begin(entries, wall)
    journal.append(game, entries, wall)
    return game


def pad_body(body: bytes) -> bytes:
    """Return an event's body, padded with spaces to a power of two, at least 256 bytes. Without
    this, the length of a stored event could reveal its hidden contents."""
    return body.ljust(max(MIN_BODY_BYTES, 1 << (len(body) - 1).bit_length()))


def _openings(path: Path) -> Iterator[bytes]:
    """Yield the first event of each game in the journal at ``path``, newest first. Another thread
    may write to the journal meanwhile."""
    with closing(Journal.open_to_read(path)) as journal:
        yield from journal.openings()
