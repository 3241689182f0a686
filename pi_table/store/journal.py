"""The journal: every event of every game, in order, durable before anybody sees it.

One SQLite file in WAL mode with synchronous=FULL: when a method that writes returns, what it
wrote survives the plug being pulled; when it raises, it has written nothing (but see
JournalFailingError) and the journal can be used further. Events are only ever added, and their
bodies are opaque here. Each game carries a hash chain over its events; its row holds their number
and the last link, written in the same transaction, so that any change or loss shows.

What goes wrong is a StorageError, of a kind from pi_table.store.faults; what no journal could hold
is an InputError. Methods may be called from any thread, but not two at once.
"""

import math
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import msgspec

from pi_table.errors import InputError
from pi_table.store import schema
from pi_table.store.chain import SALT_BYTES, Chain
from pi_table.store.disk import DISK, Connection, Disk
from pi_table.store.entries import Entry, Listed, StoredEntry, StoredGame
from pi_table.store.faults import JournalDamagedError, JournalMissingError, told

EVENTS_OF_GAME: Final = (
    "SELECT seq, at, wall, body, link FROM events WHERE game = ? ORDER BY seq LIMIT ?"
)
FIRST_EVENTS: Final = (
    "SELECT number, wall, count FROM games"
    " LEFT JOIN events ON game = number AND seq = 1 ORDER BY number"
)

Row = TypeVar("Row")


class Journal:
    """An open journal; ``open`` and ``open_to_read`` make one."""

    def __init__(self, path: Path, connection: Connection, held: ExitStack) -> None:
        self._path = path
        self._connection = connection
        self._held = held

    @classmethod
    def open(cls, path: Path, *, disk: Disk = DISK) -> "Journal":
        """Opens a journal as its only writer. Creates it, and the last level of its folder.

        The latest game is verified; the others are by ``check``, so that the time this takes does
        not grow with their number.
        """
        path = path.resolve()
        with told(path, "opening it"), ExitStack() as held:
            held.enter_context(disk.claim(path))
            disk.create(path)
            connection = held.enter_context(closing(disk.connect(path, read_only=False)))
            journal = cls(path, connection, held)
            fresh = schema.is_fresh(connection, path)
            disk.keep_private(path)
            schema.settle(connection, path)
            with journal._transaction("IMMEDIATE", "opening it"):
                if fresh:
                    schema.create_tables(connection)
                connection.execute("UPDATE clock SET at = at WHERE false")  # may we write at all?
            disk.sync_directory(path.parent)  # the names of the database and of its -wal
            # A process that was killed as it committed leaves what is not on the disk yet, and
            # is about to be read and shown. A checkpoint syncs it first.
            connection.execute("PRAGMA wal_checkpoint").fetchall()
            journal.latest()
            journal._held = held.pop_all()
            return journal

    @classmethod
    def open_to_read(cls, path: Path, *, disk: Disk = DISK) -> "Journal":
        """Opens a journal to read what is committed, also while a table is writing it.

        Creates no journal, changes nothing in one, and verifies only what is read. To be closed
        when that is done: opened while no table runs, it does not notice one that begins.
        """
        path = path.resolve()
        with told(path, "opening it to read"), ExitStack() as held:
            if path.exists():
                connection = held.enter_context(closing(disk.connect(path, read_only=True)))
                if not schema.is_fresh(connection, path):
                    return cls(path, connection, held.pop_all())
            raise JournalMissingError(f"There is no journal at {path} yet. Begin a game first.")

    def close(self) -> None:
        """Lets go of the file, and of the right to write it. May be called again."""
        with told(self._path, "closing it"):
            self._held.close()

    def begin(self, entries: Sequence[Entry], wall: str) -> int:
        """Stores a new game with its first events, at least one, all or none of them.

        ``wall`` is the wall clock: ISO 8601, UTC. Returns the game's number; it is now the latest.
        """
        if not entries:
            raise InputError("A game begins with at least one event; give its opening.")
        with self._transaction("IMMEDIATE", "beginning a game"):
            game = self._latest_number() + 1
            salt = secrets.token_bytes(SALT_BYTES)
            chain = Chain(salt)
            self._add(game, chain, entries, wall)
            self._connection.execute(
                "INSERT INTO games (number, salt, count, last) VALUES (?, ?, ?, ?)",
                (game, salt, chain.count, chain.last),
            )
        return game

    def append(self, game: int, entries: Sequence[Entry], wall: str) -> None:
        """Stores the next events of the latest game, all or none of them; ``wall`` as in begin."""
        with self._transaction("IMMEDIATE", f"storing what happened in game {game}"):
            if game != self._latest_number():
                raise InputError(f"Game {game} takes no more events: it is not the latest game.")
            _, count, last = self._sealed(game)
            chain = Chain(last, count)
            self._add(game, chain, entries, wall)
            self._connection.execute(
                "UPDATE games SET count = ?, last = ? WHERE number = ?",
                (chain.count, chain.last, game),
            )

    def note_time(self, game: int, at: float) -> None:
        """Keeps a reading of the game's clock, in seconds, in the place of the one before.

        From it a countdown goes on after a power cut. It stands outside the chain.
        """
        _refuse_no_time(at)
        with self._transaction("IMMEDIATE", f"noting the time of game {game}"):
            self._connection.execute(
                "REPLACE INTO clock (id, game, at) VALUES (1, ?, ?)", (game, at)
            )

    def latest(self) -> StoredGame | None:
        """The game begun last, verified; None if none has begun."""
        with self._transaction("DEFERRED", "reading the latest game"):
            number = self._latest_number()
            return self._game(number) if number else None

    def read(self, number: int) -> StoredGame:
        """A game, verified. Raises JournalMissingError if there is none of that number."""
        with self._transaction("DEFERRED", f"reading game {number}"):
            if not 0 < number <= self._latest_number():
                raise JournalMissingError(f"There is no game {number} in the journal {self._path}.")
            return self._game(number)

    def games(self) -> list[Listed]:
        """A line for each game, the first game first; not verified."""
        with self._transaction("DEFERRED", "listing the games"):
            rows = self._connection.execute(FIRST_EVENTS).fetchall()
        lines = self._typed(rows, list[tuple[int, str, int]], "the list of games")
        return [Listed(number, wall, count) for number, wall, count in lines]

    def openings(self) -> Iterator[bytes]:
        """The body of each game's first event, verified, the newest game first.

        Each is read when it is asked for, and no transaction stays open in between.
        """
        with self._transaction("DEFERRED", "finding the latest game"):
            latest = self._latest_number()
        for number in range(latest, 0, -1):
            with self._transaction("DEFERRED", f"reading how game {number} began"):
                salt, _, _ = self._sealed(number)
                entries = self._entries(number, Chain(salt), limit=1)
            if not entries:
                raise self._damage(f"game {number} has no events")
            yield entries[0].body

    def check(self) -> None:
        """Verifies every game, and the file. Raises JournalDamagedError with all that it found."""
        findings = []
        with self._transaction("DEFERRED", "checking it"):
            for (line,) in self._connection.execute("PRAGMA integrity_check(1)").fetchall():
                if line != "ok":
                    findings.append(f"SQLite finds: {line.splitlines()[-1]}")
            numbers = self._connection.execute(
                "SELECT number FROM games UNION SELECT game FROM events ORDER BY 1"
            ).fetchall()
            due = 1
            for (number,) in self._typed(numbers, list[tuple[int]], "the list of games"):
                if number != due:
                    findings.append(f"games {due} to {number - 1} are missing")
                due = number + 1
                try:
                    self._game(number)
                except JournalDamagedError as damage:
                    findings.append(damage.finding)
        if findings:
            raise JournalDamagedError(self._path, "; ".join(findings))

    @contextmanager
    def _transaction(self, kind: Literal["IMMEDIATE", "DEFERRED"], doing: str) -> Iterator[None]:
        with told(self._path, doing):
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite undoes some failures by itself
                    self._connection.execute("ROLLBACK")
                raise

    def _add(self, game: int, chain: Chain, entries: Sequence[Entry], wall: str) -> None:
        for entry in entries:
            _refuse_no_time(entry.at)
            link = chain.extend(entry.at, wall.encode(), entry.body)
            self._connection.execute(
                "INSERT INTO events (game, seq, at, wall, body, link) VALUES (?, ?, ?, ?, ?, ?)",
                (game, chain.count, entry.at, wall, entry.body, link),
            )

    def _latest_number(self) -> int:
        """The number of the game begun last, 0 if none has."""
        row = self._connection.execute(
            "SELECT (SELECT max(number) FROM games), (SELECT max(game) FROM events)"
        ).fetchone()
        newest, active = self._typed(row, tuple[int | None, int | None], "the list of games")
        if newest != active:
            raise self._damage(f"its events end in game {active}, its list of games in {newest}")
        return newest or 0

    def _sealed(self, number: int) -> tuple[bytes, int, bytes]:
        """A game's salt, number of events and last link."""
        row = self._connection.execute(
            "SELECT salt, count, last FROM games WHERE number = ?", (number,)
        ).fetchone()
        if row is None:
            raise self._damage(f"game {number} is not in the list of games")
        return self._typed(row, tuple[bytes, int, bytes], f"game {number}")

    def _game(self, number: int) -> StoredGame:
        salt, count, last = self._sealed(number)
        chain = Chain(salt)
        entries = self._entries(number, chain)
        if not entries:
            raise self._damage(f"game {number} has no events")
        if (chain.count, chain.last) != (count, last):
            raise self._damage(f"game {number} has {chain.count} events, and {count} were stored")
        noted = self._connection.execute(
            "SELECT at FROM clock WHERE game = ?", (number,)
        ).fetchone()
        (noted_at,) = self._typed(noted or (entries[-1].at,), tuple[float], "the clock")
        return StoredGame(number, entries[0].wall, tuple(entries), max(noted_at, entries[-1].at))

    def _entries(self, number: int, chain: Chain, limit: int = -1) -> list[StoredEntry]:
        """The events of a game, each verified as it extends the chain; at most so many of them."""
        rows = self._connection.execute(EVENTS_OF_GAME, (number, limit)).fetchall()
        events = self._typed(rows, list[tuple[int, float, str, bytes, bytes]], f"game {number}")
        entries = []
        for seq, at, wall, body, link in events:
            fits = chain.extend(at, wall.encode(), body) == link
            if seq != chain.count:
                raise self._damage(f"event {chain.count} of game {number} is missing")
            if not fits:
                raise self._damage(f"event {seq} of game {number} is not as it was stored")
            entries.append(StoredEntry(at, body, wall))
        return entries

    def _typed(self, value: Any, kind: type[Row], place: str) -> Row:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self._damage(f"{place} holds values of another type") from error

    def _damage(self, finding: str) -> JournalDamagedError:
        return JournalDamagedError(self._path, finding)


def _refuse_no_time(at: float) -> None:
    if not math.isfinite(at):
        raise InputError(f"An event's time is a number of seconds, and {at} is none.")
