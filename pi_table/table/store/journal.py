"""The journal: every event of every game, in order, durable before anybody sees it.

Each method that writes makes its data durable before it returns. If it raises an error, it has
written nothing, and the journal stays usable. Only after a JournalFailingError must the journal be
closed and opened again, to see whether the data was written. Events are never changed or removed.
The journal does not interpret their bodies. Each game has a hash chain over its events. The game's
row holds the number of events and the last link. Both are written in the same transaction as the
events, so that any change or loss is found.

The journal is one SQLite file in WAL mode with synchronous=FULL, and a mark beside it
(pi_table.table.store.mark). Writing an act to the mark stores the act; `settle` enters it in the
tables later. An act therefore waits only for one small write in place, and SQLite works afterwards.
The mark also records where the journal ends, because SQLite alone would not notice a loss: it takes
the first damage in its -wal for the end of the -wal, and ignores the rest.

Failures raise a StorageError from pi_table.table.store.faults. Arguments that no journal could hold
raise InputError. Any thread may call the methods, but only one at a time.
"""

import math
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pi_table.common.errors import InputError, StorageError
from pi_table.common.language import join_texts, say
from pi_table.table.store import faults, schema
from pi_table.table.store.chain import SALT_BYTES, Chain
from pi_table.table.store.contents import Contents
from pi_table.table.store.disk import DISK, Connection, Disk, SmallFile, companions, mark_of
from pi_table.table.store.entries import Entry, Listed, StoredGame
from pi_table.table.store.faults import (
    JournalDamagedError,
    JournalFailingError,
    JournalFullError,
    JournalGoneError,
    JournalInUseError,
    JournalMissingError,
    storage_errors,
)
from pi_table.table.store.mark import Act, Mark, decode, encode, fits, image, offset
from pi_table.table.store.missing_files import OpenFiles, rescue

IDENTITY: Final = b"pi-table game "
"""Beginning of the bytes whose hash is a game's id. The game's salt follows."""
CACHE_KIB: Final = 512
"""Number of KiB of journal pages that are kept in memory: enough for the pages of the latest
game."""


class Journal:
    """An open journal, made by ``open`` or ``open_to_read``."""

    def __init__(
        self,
        path: Path,
        disk: Disk,
        connection: Connection,
        held: ExitStack,
        found: int = schema.FORMAT,
    ) -> None:
        self._path = path
        self._disk = disk
        self._connection = connection
        self._contents = Contents(path, connection)
        self._held = held
        self._format = found
        self._place: SmallFile | None = None
        self._mark: Mark | None = None
        self._owes = False
        """True if the mark holds an act that is not in the tables yet."""
        self._footing: OpenFiles | None = None
        self._failure: JournalFailingError | None = None
        connection.execute("PRAGMA temp_store=MEMORY").fetchall()  # `show` puts keys there
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}").fetchall()

    @classmethod
    def open(cls, path: Path, *, disk: Disk = DISK) -> "Journal":
        """Open a journal as its only writer. Creates a missing journal. If its folder is missing,
        creates the folder, but not its parents.

        Verifies the latest game, and that nothing is missing at the journal's end. Only `check`
        verifies the other games, so the time to open does not grow with their number.
        """
        path = faults.resolve(path, say("opening it"))
        with storage_errors(path, say("opening it")), ExitStack() as held:
            # Step 1: become the only writer. The lock file alone is not enough, because somebody
            # may have removed it. So the mark is locked too.
            held.enter_context(disk.claim(path))
            place = disk.hold_mark(path)
            if place is not None:
                held.callback(place.close)
            # Step 2: look for damage before any connection may write, because such a connection
            # cleans up, which would destroy the evidence.
            _refuse_damage(path, disk)
            # Step 3: open the database, with commits that are durable.
            disk.create(path)
            connection = held.enter_context(closing(disk.connect(path, read_only=False)))
            journal = cls(path, disk, connection, held)
            journal._format = schema.format_of(connection, path)
            disk.keep_private(path)
            schema.make_durable(connection, path)
            # Step 4: sync the files. A process killed while it wrote leaves bytes that can be read
            # but are not on the disk yet. A checkpoint alone would not sync the -wal if a reader
            # were in its way, and a power cut could damage both marks if neither is synced.
            for part in (companions(path)[0], mark_of(path)):
                if disk.size(part):
                    disk.sync(part)
            connection.execute("PRAGMA wal_checkpoint").fetchall()
            # Step 5: compare the tables with the mark, and enter the act that only the mark has.
            journal._take_up_mark(place)
            # Step 6: convert an older format. Its clock is in the mark by now.
            with journal._transaction(say("opening it")):
                schema.migrate(connection, journal._format)
            if journal._format != schema.FORMAT:
                journal._format = schema.FORMAT
                connection.execute("PRAGMA wal_checkpoint").fetchall()
            # Step 7: verify the latest game, then watch the files for as long as they are open.
            journal.latest()
            journal._footing = OpenFiles(path, disk)
            journal._held = held.pop_all()
            return journal

    @classmethod
    def open_to_read(cls, path: Path, *, disk: Disk = DISK) -> "Journal":
        """Open a journal to read what is committed, even while a table is writing it.

        Any thread may do this while another thread writes. Creates no journal and changes nothing.
        Each read verifies the data that it returns, and that nothing is missing at the journal's
        end. Close the journal soon: if no table ran when it was opened, it does not notice a table
        that starts.
        """
        path = faults.resolve(path, say("opening it to read"))
        with storage_errors(path, say("opening it to read")), ExitStack() as held:
            if disk.size(path):
                connection = held.enter_context(closing(disk.connect(path, read_only=True)))
                found = schema.format_of(connection, path)
                journal = cls(path, disk, connection, held, found)
                if found:
                    journal._held = held.pop_all()
                    return journal
            mark = _read_mark(path, disk)
            if mark is not None and mark.game and not mark.leaves:
                raise JournalDamagedError(
                    path, say("it is empty or gone, and {mark} was stored", mark=mark)
                )
            wal = companions(path)[0]
            if mark is None and not disk.size(path) and disk.size(wal):
                raise JournalDamagedError(
                    path, say("it is empty or gone, and {wal} is not", wal=wal)
                )
            raise JournalMissingError(
                say("There is no journal at {path} yet. Begin a game first.", path=path)
            )

    def close(self) -> None:
        """Release the file and the right to write it. A second call has no effect. An act that can
        no longer be entered in the tables stays in the mark."""
        if self._failure is None:
            with suppress(StorageError):
                self.settle()
        self._owes = False
        with storage_errors(self._path, say("closing it")):
            self._held.close()

    def begin(self, entries: Sequence[Entry], wall: str) -> int:
        """Store a new game with its first events (at least one): all of them, or nothing.

        ``wall`` is the wall clock: ISO 8601, UTC. Returns the number of the game, which is now the
        latest.
        """
        if not entries:
            raise InputError("A game begins with at least one event; give its opening.")
        doing = say("beginning a game")
        with self._writing(doing) as mark:
            _refuse_no_times(entries)
            game = mark.game + 1
            # The tables come first here: a mark can hold an act, but not the salt of a new game.
            with self._transaction(doing):
                self._contents.begin(game, entries, wall, secrets.token_bytes(SALT_BYTES))
                end = self._contents.end()
            self._keep(end, doing)
        return game

    def append(self, game: int, entries: Sequence[Entry], wall: str) -> None:
        """Store the next events of the latest game: all of them, or nothing."""
        doing = say("storing what happened in game {game}", game=game)
        with self._writing(doing) as mark:
            if not game or game != mark.game:
                raise InputError(
                    say("Game {game} takes no more events: it is not the latest game.", game=game)
                )
            _refuse_no_times(entries)
            # Step 1: compute the links that the events will have. The mark then says how far
            # the tables must reach.
            chain = Chain(mark.last, mark.count)
            for entry in entries:
                chain.extend(entry.at, wall.encode(), entry.body)
            act = Act(tuple(entries), wall, mark.last)
            further = Mark(game, chain.count, chain.last, mark.noted_at, act=act)
            # Step 2: write the mark, one small write in place. When it returns, the act is stored;
            # `settle` enters the act later. An act that is too long for the mark goes to the tables
            # first: a mark must never promise what the tables do not have.
            if fits(further):
                self._keep(further, doing)
                self._owes = True
            else:
                with self._transaction(doing):
                    self._contents.enter(further)
                self._keep(replace(further, act=None), doing)

    def settle(self) -> None:
        """Enter the latest act in the tables, unless it is already there.

        Call this after the result of the act was sent to those who wait for it. Every other method
        that writes calls `settle` first, and fails if `settle` fails. The act stays in the mark
        until it is entered.
        """
        if not self._owes:
            return
        if self._failure is not None:
            raise self._failure
        assert self._mark is not None
        doing = say("entering what happened in game {game}", game=self._mark.game)
        try:
            with self._transaction(doing):
                self._contents.enter(self._mark)
        # A full disk or another program's lock may be temporary: the act stays in the mark, and
        # the next call tries again. After any other error the state of the tables is unknown.
        except JournalFullError as full:
            raise faults.no_room_for_act(self._path) from full
        except JournalInUseError:
            raise
        except JournalFailingError as failure:
            self._failure = failure
            raise
        except BaseException:
            self._failure = faults.must_reopen(self._path)
            raise
        self._owes = False

    def note_time(self, game: int, at: float) -> None:
        """Store a reading of the latest game's clock, in seconds, replacing the previous reading.
        After a power cut, a countdown continues from the reading. The reading is stored in the
        mark, whose seal covers it."""
        _refuse_no_time(at)
        doing = say("noting the time of game {game}", game=game)
        with self._writing(doing) as mark:
            if game != mark.game:
                raise InputError(
                    say("Game {game} has no clock to note: it is not the latest game.", game=game)
                )
            self._keep(replace(mark, noted_at=at), doing)

    def latest(self) -> StoredGame | None:
        """Return the latest game, verified; None if there is no game."""
        with self._reading(say("reading the latest game")) as mark:
            number = self._contents.latest_number()
            return self._game(number, mark) if number else None

    def read(self, number: int) -> StoredGame:
        """Return a game, verified. Raises JournalMissingError if no game has that number."""
        with self._reading(say("reading game {number}", number=number)) as mark:
            self._refuse_missing(number)
            return self._game(number, mark)

    def games(self) -> list[Listed]:
        """Return an entry for each game, verified. The first game comes first."""
        with self._reading(say("listing the games")):
            return self._contents.list_games()

    def latest_number(self) -> int:
        """Return the number of the latest game; 0 if there is no game."""
        with self._reading(say("finding the latest game")):
            return self._contents.latest_number()

    def identity(self, number: int) -> str:
        """Return a game's id: 32 random hexadecimal digits that never change.

        It is a hash of the salt of the game's chain and does not reveal the salt. Raises
        JournalMissingError if no game has that number.
        """
        with self._reading(say("finding the id of game {number}", number=number)):
            self._refuse_missing(number)
            salt, _, _ = self._contents.seal_of(number)
        return sha256(IDENTITY + salt).hexdigest()[:32]

    def openings(self) -> Iterator[bytes]:
        """Yield the body of each game's first event, verified. The newest game comes first. Each
        body is read when the caller asks for it; no transaction stays open between two bodies."""
        for number in range(self.latest_number(), 0, -1):
            with self._reading(say("reading how game {number} began", number=number)):
                first = self._contents.first(number)
            yield first.body

    def check(self) -> None:
        """Verify every game and the file. Raises JournalDamagedError with all findings."""
        mark = self._current_mark()
        with self._moment(mark, say("checking it")):
            findings = self._contents.findings()
            try:
                self._compare(mark)
            except JournalDamagedError as damage:
                findings.append(damage.finding)
        if findings:
            raise JournalDamagedError(self._path, join_texts("; ", findings))

    @contextmanager
    def _transaction(self, doing: str) -> Iterator[None]:
        with storage_errors(self._path, doing):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite undoes some failures by itself
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self, doing: str) -> Iterator[Mark | None]:
        """Context manager in which all reads see one state of the journal; yields the mark. At the
        end it checks that nothing of this state is missing."""
        mark = self._current_mark()  # read before the tables, which may only be newer
        with self._moment(mark, doing):
            yield mark
            self._compare(mark)

    @contextmanager
    def _moment(self, mark: Mark | None, doing: str) -> Iterator[None]:
        """Context manager in which all reads see one state of the tables, with the act of the mark.
        Changes no file."""
        with storage_errors(self._path, doing):
            self._connection.execute("BEGIN DEFERRED")
            try:
                with suppress(JournalDamagedError):  # the read itself reports it
                    if mark is not None and self._contents.awaits_act(mark):
                        self._contents.show(mark)
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def _writing(self, doing: str) -> Iterator[Mark]:
        """Context manager for a write; yields the current mark. It checks before and after the
        write that the files are in place. Without the second check, the table could announce an act
        that was written to a removed file."""
        if self._place is None or self._mark is None:
            raise faults.read_only(self._path, doing)
        if self._failure is not None:
            raise self._failure
        # Step 1: the files are in place, and the tables have all earlier acts.
        self._refuse_gone()
        self.settle()
        # Step 2: the write. If it fails in the middle, its remains may be in the -wal, so nothing
        # more is written before the journal is opened and read again.
        try:
            yield self._mark
        except (InputError, JournalFullError, JournalInUseError):
            raise  # nothing was stored
        except BaseException:
            self._failure = faults.must_reopen(self._path)
            raise
        # Step 3: the files are still in place. Otherwise the act is in a file without a name.
        try:
            self._refuse_gone()
        except JournalGoneError:
            raise
        except StorageError as error:  # it may be stored, so do not report a failed write
            self._failure = faults.must_reopen(self._path)
            raise self._failure from error

    def _refuse_gone(self) -> None:
        """Raise JournalGoneError if one of the journal's names no longer leads to the open file."""
        assert self._footing is not None
        with storage_errors(self._path, say("looking for its files")):
            missing = self._footing.missing()
            if missing is not None:
                kept = rescue(self._path, self._disk, self._connection, self._mark or Mark())
                self._failure = JournalGoneError(self._path, missing, kept)
                raise self._failure

    def _keep(self, mark: Mark, doing: str) -> None:
        """Write the mark. Everything that the mark covers, except its act, must already be in the
        tables and on the disk."""
        assert self._place is not None
        before = self._mark or Mark()
        mark = replace(mark, serial=before.serial + 1)
        with faults.failing_errors(self._path, doing):
            self._place.write(encode(mark), offset(mark))
        self._mark = mark

    def _take_up_mark(self, place: SmallFile | None) -> None:
        """Compare the tables with the mark, and enter the act that only the mark has. If the
        journal has no mark, make one."""
        # Step 1: read the mark, bring the tables up to it, and find their end.
        mark = None if place is None else _decode(place.read(), self._path)
        end = Mark()
        if self._format:
            with self._transaction(say("opening it")):
                if mark is not None and self._contents.awaits_act(mark):
                    self._contents.enter(mark)
                self._compare(mark)
                end = self._contents.end()
                end = replace(end, noted_at=self._noted_time(end.game, mark))
        # Step 2: make the file of the mark if there is none, at its full length: a disk that gets
        # full later still has room for every mark.
        if place is None:
            self._disk.create(mark_of(self._path))
            place = self._disk.hold_mark(self._path)
            assert place is not None
            self._held.callback(place.close)
        if mark is None:
            place.write(image(Mark()))
        # Step 3: write a mark without an act, for its act is in the tables now.
        self._place, self._mark = place, mark
        self._keep(end, say("opening it"))
        self._disk.sync_directory(self._path.parent)  # the names of all its files

    def _compare(self, mark: Mark | None) -> None:
        """Raise JournalDamagedError if the journal lacks something that its mark records."""
        if mark is not None:
            self._contents.compare(mark)
        elif self._format == schema.FORMAT and self._contents.latest_number():
            raise JournalDamagedError(
                self._path,
                say(
                    "{mark_of} is missing or empty, so it is unknown whether something is "
                    "missing at its end",
                    mark_of=mark_of(self._path),
                ),
            )

    def _current_mark(self) -> Mark | None:
        """Return the newest mark. A writer has written that mark itself; a reader reads it from the
        file."""
        if self._place is not None:
            return self._mark
        with storage_errors(self._path, say("reading its mark")):
            return _read_mark(self._path, self._disk)

    def _refuse_missing(self, number: int) -> None:
        if not 0 < number <= self._contents.latest_number():
            raise JournalMissingError(
                say(
                    "There is no game {number} in the journal {path}.",
                    number=number,
                    path=self._path,
                )
            )

    def _game(self, number: int, mark: Mark | None) -> StoredGame:
        entries = self._contents.events(number)
        last = entries[-1].at
        noted = self._noted_time(number, mark)
        at = last if noted is None else max(noted, last)
        return StoredGame(number, entries[0].wall, entries, at)

    def _noted_time(self, number: int, mark: Mark | None) -> float | None:
        """Return the clock reading that was noted for a game; None if there is none."""
        if self._format == schema.FORMAT_WITHOUT_MARK and number:
            last = self._contents.events(number)[-1].at
            return self._contents.clock_without_mark(number, last)
        return mark.noted_at if mark is not None and mark.game == number else None


def read_progress(path: Path, *, disk: Disk = DISK) -> tuple[int, int]:
    """Return the number of the latest game and its number of events. Both are 0 before the first
    game, or if there is no mark.

    This reads only the mark, so it is a quick way to see whether anything new was stored. Raises
    StorageError.
    """
    path = faults.resolve(path, say("reading its mark"))
    with storage_errors(path, say("reading its mark")):
        mark = _read_mark(path, disk) or Mark()
    return mark.game, mark.count


def _refuse_damage(path: Path, disk: Disk) -> None:
    """Verify a journal that is about to be written, without changing it.

    A connection with the right to write cleans up when it closes: it moves the -wal into the
    database and removes the -wal. If the -wal is damaged, this would lose all data behind the first
    damage.
    """
    _, _, rollback = companions(path)
    if disk.size(rollback):
        return  # its creation was interrupted: only a connection that may write can read it
    with suppress(JournalMissingError), closing(Journal.open_to_read(path, disk=disk)) as journal:
        journal.latest()


def _read_mark(path: Path, disk: Disk) -> Mark | None:
    return _decode(disk.read_mark(path), path)


def _decode(data: bytes, path: Path) -> Mark | None:
    try:
        return decode(data)
    except ValueError as error:
        raise JournalDamagedError(
            path, say("its mark {mark_of} is: {error}", mark_of=mark_of(path), error=error)
        ) from None


def _refuse_no_times(entries: Sequence[Entry]) -> None:
    for entry in entries:
        _refuse_no_time(entry.at)


def _refuse_no_time(at: float) -> None:
    if not math.isfinite(at):
        raise InputError(f"An event's time is a number of seconds, and {at} is none.")
