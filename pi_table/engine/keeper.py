"""What the disk is needed for: the journal, its record, and the deck that remembers what was dealt.

An order may take its time: an SD card takes up to a third of a second over a commit. So none is
carried out where a finger would have to wait for it; `pi_table.engine.workers` says where.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pi_table.engine.dealing import Dealer
from pi_table.engine.desk.files.backups import Backups, NoBackups
from pi_table.engine.desk.files.clerk import Clerk
from pi_table.engine.desk.files.packs import PackFolder
from pi_table.engine.desk.line import DeskRequest
from pi_table.engine.desk.orders import CheckBackup
from pi_table.engine.finished_games import games_after, latest
from pi_table.engine.history import UnreadableGameError
from pi_table.engine.house_files import HouseSettings, PinFile
from pi_table.engine.inputs import (
    Dealt,
    Fetched,
    HalfRestored,
    HouseChanged,
    LatestFound,
    LinksKept,
    LinksNotKept,
    NotFetched,
    NotOpened,
    NotRestored,
    NotSettled,
    NotStored,
    Opened,
    PacksChanged,
    PinSet,
    PinTried,
    Restored,
    Result,
    Stored,
)
from pi_table.engine.outputs import (
    AtDesk,
    Begun,
    ChangeHouse,
    ChangePin,
    Deal,
    EndLinks,
    Fetch,
    FindLatest,
    FollowGame,
    KeepClaim,
    KeepLinks,
    ListGames,
    MakeLink,
    Note,
    Open,
    Order,
    ReadFinished,
    ReadRecord,
    ReadTally,
    Restore,
    SetPin,
    Settle,
    Store,
    SwitchOff,
    TryPin,
)
from pi_table.engine.phones.kept import PhonesFile
from pi_table.engine.records import Records
from pi_table.engine.trial import found
from pi_table.errors import StorageError, TableError
from pi_table.house import House
from pi_table.ipc.house import Latest
from pi_table.rules import games
from pi_table.rules.events import Event
from pi_table.store.aside import set_aside
from pi_table.store.entries import Entry
from pi_table.store.faults import JournalFailingError, JournalFullError, JournalInUseError
from pi_table.store.journal import Journal

log = logging.getLogger("pi_table")

ForReaders: Final = (AtDesk, ListGames, ReadFinished, ReadTally, ReadRecord)
"""Orders that carry no game on: what goes wrong in one, whatever it is, ends that order alone."""
LEAST_BYTES: Final = 256
"""So long the body of an event is at least."""


def no_way_to_switch_off() -> None:
    """Raises TableError."""
    raise TableError(
        "No command is set that switches the machine off: name one in the configuration, under "
        "[table] switch_off."
    )


class Keeper:
    """Keeps the journal at a path, with the dealer's deck.

    Three threads may carry out orders at the same time, if one of them alone has those that write
    (Store, Settle, Note, Open, Restore), one those that check a backup, and one all others.
    """

    def __init__(
        self,
        path: Path,
        dealer: Dealer,
        wall: Callable[[], str],
        house: House | None = None,
        switch_off: Callable[[], None] = no_way_to_switch_off,
        packs: PackFolder | None = None,
        backups: Backups | None = None,
    ) -> None:
        """Open the journal at ``path``, in whose folder what the house keeps lies, too.

        ``wall`` is the wall clock: ISO 8601, UTC. ``house`` are the settings of the configuration.
        ``switch_off`` has the system switch the machine off, or raises TableError. ``packs`` is
        where the house keeps packs of its own, ``backups`` who makes backups and puts them back.

        Raises JournalInUseError where another table has it.
        """
        self.dealer = dealer
        self._path = path
        self._records = Records(path)
        self._wall = wall
        self._journal: Journal | None = None
        self._clerk = Clerk(path, dealer, packs or PackFolder(None), backups or NoBackups())
        self.opened = self._open(aside=False)
        """What came of opening the journal for the first time."""
        if isinstance(self.opened, NotOpened) and self.opened.refused is not None:
            raise self.opened.refused
        self.pin = PinFile(path.parent)
        self.phones = PhonesFile(path.parent)
        self._switch_off = switch_off
        self.settings = HouseSettings(path.parent, house or dealer.shelf.house)
        dealer.shelf = replace(dealer.shelf, house=self.settings.house)

    def close(self) -> None:
        """Let go of the journal. May be called again."""
        journal, self._journal = self._journal, None
        if journal is not None:
            journal.close()

    def stop_check(self) -> None:
        """End the check of a backup, and let no other begin. May be called by any thread."""
        self._clerk.stop_check()

    def carry_out(self, order: Order) -> Result | None:
        """Do what is ordered; answer with what came of it, None where nothing answers."""
        match order:
            case Store(game=game, happened=happened):
                return self._store(game, happened)
            case Settle():
                return self._settle()
            case Note(game=game, at=at):
                # If it fails, the next event will meet the same trouble, and say so.
                if self._journal is not None:
                    with suppress(StorageError):
                        self._journal.note_time(game, at)
                return None
            case Open(aside=aside):
                return self._open(aside)
            case Restore(to=to):
                return self._restore(to)
            case Begun(game=game, opening=opening):
                self.dealer.begun(opening)
                with suppress(StorageError):  # whoever asks will be told
                    self._records.games(game)  # now, while nobody guesses yet
                return None
            case _:
                return self._fetch(order)

    def _open(self, aside: bool) -> Opened | NotOpened:
        """Close the journal, set it aside or not, and open it again.

        A journal that cannot be opened is no reason to die, for the table would only be restarted
        into the same trouble: it is a fault that the table shows until somebody mends it. Only one
        that another table is using is that other table's.
        """
        try:
            with suppress(StorageError):
                self.close()
            if aside:
                set_aside(self._path, self._wall())
        except StorageError as error:
            return NotOpened(None, error)
        try:
            journal = Journal.open(self._path)
        except JournalInUseError as error:
            return NotOpened(None, error)
        except StorageError as error:
            return NotOpened(str(error), is_full=isinstance(error, JournalFullError))
        try:
            stored = journal.latest()
            game = None if stored is None else found(stored)
        except UnreadableGameError:
            with suppress(StorageError):
                journal.close()
            return NotOpened(
                f"The journal {self._path} holds events that this version of pi-table cannot read. "
                "Go back to the version that wrote it, or set the journal aside and begin a new "
                "one."
            )
        except StorageError as error:
            with suppress(StorageError):
                journal.close()
            return NotOpened(str(error))
        self._journal = journal
        self._records = Records(self._path)  # it may be another journal than before
        self._clerk.reopened()
        self.dealer.remember(lambda: _openings(self._path))
        return Opened(game, self._latest())

    def _store(self, game: int | None, happened: Sequence[Event]) -> Stored | NotStored:
        if self._journal is None:
            return NotStored(StorageError("The journal is closed."), closed=True)
        try:
            return Stored(store(self._journal, game, happened, self._wall()))
        except JournalFailingError as error:
            # Whether it was stored is not known; opening the journal again will tell.
            with suppress(StorageError):
                self.close()
            return NotStored(error, closed=True)
        except StorageError as error:
            return NotStored(error)

    def _restore(self, to: object) -> Restored | HalfRestored | NotRestored | NotFetched:
        """Put a backup in the place of what the table has, which ends with that."""
        try:
            self._clerk.check()  # one that is refused does not even have the journal closed
        except Exception as error:
            return NotFetched(to, _why(error))
        try:
            self.close()
            self._clerk.restore()
        except Exception as error:
            if self._clerk.is_half_restored():
                return HalfRestored(to, _why(error))  # its journal is neither of the two
            return NotRestored(to, _why(error), self._opened_again())
        return Restored(to)

    def _opened_again(self) -> Opened | NotOpened:
        """Open a journal that was in order and may have been touched meanwhile."""
        opened = self._open(aside=False)
        if isinstance(opened, NotOpened) and opened.refused is not None:
            return NotOpened(str(opened.refused))
        return opened

    def _settle(self) -> NotSettled | None:
        try:
            if self._journal is not None:
                self._journal.settle()
        except (JournalFullError, JournalInUseError) as error:
            return NotSettled(error)
        except StorageError as error:
            return NotSettled(error, closed=True)
        return None

    def _fetch(self, order: Fetch) -> Result:
        try:
            match order:
                case Deal(to=to, game=game, wish=wish):
                    return Dealt(to, self.dealer.deal(game, wish))
                case ListGames(to=to, playing=playing):
                    return Fetched(to, self._records.games(playing))
                case ReadTally(to=to, playing=playing):
                    return Fetched(to, self._records.tonight(self._wall(), playing))
                case ReadRecord(to=to, number=number, lang=lang):
                    return Fetched(to, self._records.record(number, lang))
                case FindLatest():
                    return LatestFound(self._latest())
                case ReadFinished(to=to, after=after):
                    return Fetched(to, games_after(self._path, after))
                case ChangeHouse(to=to, settings=settings):
                    house = self.settings.change(settings)
                    self.dealer.shelf = replace(self.dealer.shelf, house=house)
                    return HouseChanged(to, house)
                case TryPin(to=to, pin=pin):
                    return self._try_pin(to, pin)
                case SetPin(to=to, pin=new):
                    self.pin.set(new)
                    return PinSet(to, self.pin.is_set)
                case ChangePin(to=to, pin=pin, new=new_pin):
                    tried = self._try_pin(to, pin)
                    if not tried.is_right:
                        return tried
                    self.pin.set(new_pin)
                    return PinSet(to, self.pin.is_set)
                case AtDesk(to=to, order=CheckBackup()):
                    return Fetched(to, self._clerk.check())
                case AtDesk(to=to, order=desk_order):
                    told = self._clerk.carry_out(desk_order, self._records)
                    if self._clerk.shelf_changed:
                        return PacksChanged(to, told, self.dealer.shelf.listed())
                    return Fetched(to, told)
                case SwitchOff(to=to):
                    self._switch_off()
                    return Fetched(to, None)
                case _:
                    return self._keep_links(order)
        except TableError as error:
            return NotFetched(order.to, error)
        except Exception as error:
            if not isinstance(order, ForReaders):
                raise
            return NotFetched(order.to, _why(error))

    def _try_pin(self, to: object, pin: str) -> PinTried:
        at_desk = isinstance(to, DeskRequest)
        is_right = self.pin.try_pin(pin, at_desk)
        return PinTried(to, is_right, self.pin.wrong_at_desk if at_desk else self.pin.wrong)

    def _latest(self) -> Latest | None:
        try:
            return latest(self._path)
        except StorageError:  # whoever asks for the games is told
            return None

    def _keep_links(self, order: KeepLinks) -> LinksKept | LinksNotKept:
        told = None
        try:
            match order:
                case MakeLink(seat=seat, game=game):
                    told = {"for": seat.value, "link": self.phones.make(seat, game)}
                case KeepClaim(to=claim):
                    self.phones.claim(claim.seat, claim.link_key, claim.device)
                case EndLinks(seat=whose):
                    self.phones.end(whose)
                case FollowGame(game=number, seats=seats):
                    self.phones.follow(number, seats)
        except StorageError as error:
            return LinksNotKept(order.to, self.phones.links, error)
        return LinksKept(order.to, self.phones.links, told)


def _why(error: Exception) -> TableError:
    """What is told of an error; of one that nobody foresaw no more than its kind, for what was at
    hand may hold a key."""
    if isinstance(error, TableError):
        return error
    kind = type(error).__name__
    log.error("What was asked for failed: %s.", kind)
    return StorageError(
        f"Something went wrong that nobody foresaw ({kind}). The table goes on: see whether what "
        "you asked for was done before you ask for it again."
    )


def store(journal: Journal, game: int | None, happened: Sequence[Event], wall: str) -> int:
    """Store events durably; answer with the game's number. Raises StorageError."""
    entries = [Entry(event.at, padded(games.encode(event))) for event in happened]
    if game is None:
        return journal.begin(entries, wall)
    journal.append(game, entries, wall)
    return game


def padded(body: bytes) -> bytes:
    """The body of an event, with spaces up to the next power of two, 256 bytes at least: how long a
    journal is must not tell what it hides."""
    return body.ljust(max(LEAST_BYTES, 1 << (len(body) - 1).bit_length()))


def _openings(path: Path) -> Iterator[bytes]:
    """The first events of the games at ``path``, newest first, read beside whoever writes there."""
    with closing(Journal.open_to_read(path)) as journal:
        yield from journal.openings()
