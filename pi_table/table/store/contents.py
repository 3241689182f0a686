"""The contents of a journal's tables. All rows are verified as they are read.

Call each method within a transaction: it then sees one consistent state, even while a table writes
the journal.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from pi_table.common.language import say
from pi_table.table.store.chain import Chain
from pi_table.table.store.disk import Connection
from pi_table.table.store.entries import Entry, Listed, StoredEntry
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.mark import Mark

EVENTS_OF_GAME: Final = (
    "SELECT seq, at, wall, body, link FROM events WHERE game = ? ORDER BY seq LIMIT ?"
)
FIRST_EVENTS: Final = (
    "SELECT number, salt, count, (SELECT max(seq) FROM events WHERE game = number),"
    " at, wall, body, link"
    " FROM games LEFT JOIN events ON game = number AND seq = 1 ORDER BY number"
)
NEXT_NUMBER: Final = (
    "SELECT number FROM games WHERE number > ? UNION SELECT game FROM events WHERE game > ?"
    " ORDER BY 1 LIMIT 1"
)
"""SQL for the next number of a game, in the list of games or of an event. It takes a few steps,
however many games there are."""
MAX_CLOCK_AHEAD_SECONDS: Final = 86_400.0
"""Maximum number of seconds by which a game's stored clock may be ahead of the game's last event. A
clock that is further ahead counts as damaged."""

AWAITED: Final = (
    "CREATE TEMP TABLE awaited_games AS SELECT * FROM main.games WHERE false",
    "CREATE TEMP TABLE awaited_events AS SELECT * FROM main.events WHERE false",
    "CREATE TEMP VIEW games AS SELECT * FROM awaited_games UNION ALL"
    " SELECT * FROM main.games WHERE number NOT IN (SELECT number FROM awaited_games)",
    "CREATE TEMP VIEW events AS SELECT * FROM awaited_events UNION ALL SELECT * FROM main.events",
)
"""SQL for temporary views in memory. They show an act as if it were in the tables."""

Row = TypeVar("Row")
Event = tuple[int, float, str, bytes, bytes]
First = tuple[int, bytes, int, int, float, str, bytes, bytes]


class Contents:
    """The contents of the journal at ``path``."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self._path = path
        self._connection = connection

    def latest_number(self) -> int:
        """Return the number of the latest game; 0 if there is no game."""
        row = self._connection.execute(
            "SELECT (SELECT max(number) FROM games), (SELECT max(game) FROM events)"
        ).fetchone()
        newest, active = self._as_type(row, tuple[int | None, int | None], say("the list of games"))
        if newest != active:
            raise self._damage(
                say(
                    "its events end in game {active}, its list of games in {newest}",
                    active=active,
                    newest=newest,
                )
            )
        return newest or 0

    def seal_of(self, number: int) -> tuple[bytes, int, bytes]:
        """Return a game's salt, number of events and last link."""
        row = self._connection.execute(
            "SELECT salt, count, last FROM games WHERE number = ?", (number,)
        ).fetchone()
        if row is None:
            raise self._damage(say("game {number} is not in the list of games", number=number))
        return self._as_type(row, tuple[bytes, int, bytes], say("game {number}", number=number))

    def events(self, number: int) -> tuple[StoredEntry, ...]:
        salt, count, last = self.seal_of(number)
        chain = Chain(salt)
        entries = self._read_events(chain, number)
        if (chain.count, chain.last) != (count, last):
            raise self._damage(
                say(
                    "game {number} has {count} events, and {count_2} were stored",
                    number=number,
                    count=chain.count,
                    count_2=count,
                )
            )
        return entries

    def first(self, number: int) -> StoredEntry:
        salt, _, _ = self.seal_of(number)
        return self._read_events(Chain(salt), number, 1)[0]

    def list_games(self) -> list[Listed]:
        rows = self._connection.execute(FIRST_EVENTS).fetchall()
        lines: list[Listed] = []
        for row in self._as_type(rows, list[First], say("the list of games")):
            number, salt, count, last, at, wall, body, link = row
            if number != len(lines) + 1:
                raise self._damage(say("game {len} is missing", len=len(lines) + 1))
            if Chain(salt).extend(at, wall.encode(), body) != link:
                raise self._damage(
                    say("event 1 of game {number} is not as it was stored", number=number)
                )
            if last != count:
                raise self._damage(
                    say(
                        "game {number} has {last} events, and {count} were stored",
                        number=number,
                        last=last,
                        count=count,
                    )
                )
            lines.append(Listed(number, wall, count))
        return lines

    def end(self) -> Mark:
        """Return the end of the journal as a mark: the latest game, its number of events and its
        last link. The mark has no clock reading."""
        number = self.latest_number()
        if not number:
            return Mark()
        _, count, last = self.seal_of(number)
        return Mark(number, count, last)

    def awaits_act(self, mark: Mark) -> bool:
        """True if the mark's act is the only thing that the tables lack."""
        if mark.act is None:
            return False
        end = self.end()
        return (end.game, end.last) == (mark.game, mark.act.follows)

    def begin(self, game: int, entries: Sequence[Entry], wall: str, salt: bytes) -> None:
        self._enter(game, salt, Chain(salt), entries, wall)

    def enter(self, mark: Mark, where: str = "main.") -> None:
        """Write the mark's act into the tables. ``where`` is the prefix of the tables' names."""
        act = mark.act
        assert act is not None
        salt, count, _ = self.seal_of(mark.game)
        self._enter(mark.game, salt, Chain(act.follows, count), act.entries, act.wall, where)

    def show(self, mark: Mark) -> None:
        """Until the transaction is rolled back, let all reads find the mark's act as if it were in
        the tables."""
        for statement in AWAITED:
            self._connection.execute(statement)
        self.enter(mark, "awaited_")

    def _enter(
        self,
        game: int,
        salt: bytes,
        chain: Chain,
        entries: Sequence[Entry],
        wall: str,
        where: str = "main.",
    ) -> None:
        for entry in entries:
            link = chain.extend(entry.at, wall.encode(), entry.body)
            self._connection.execute(
                f"INSERT INTO {where}events (game, seq, at, wall, body, link)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (game, chain.count, entry.at, wall, entry.body, link),
            )
        self._connection.execute(
            f"INSERT OR REPLACE INTO {where}games (number, salt, count, last) VALUES (?, ?, ?, ?)",
            (game, salt, chain.count, chain.last),
        )

    def compare(self, mark: Mark) -> None:
        """Raise JournalDamagedError if the journal lacks something that ``mark`` records."""
        if not mark.game:
            return
        link = self._link(mark.game, mark.count)
        if not link:
            raise self._damage(say("{mark} was stored, and is missing", mark=mark))
        if link != mark.last:
            raise self._damage(say("{mark} is not the one that was stored", mark=mark))

    def clock_without_mark(self, number: int, last: float) -> float:
        """Return the clock reading of a journal that has no mark. ``last`` is the time of the last
        event, in seconds of game time. No hash chain covers the reading, so only its range is
        checked."""
        row = self._connection.execute("SELECT at FROM clock WHERE game = ?", (number,)).fetchone()
        (at,) = self._as_type(row or (last,), tuple[float], say("the clock"))
        if not (math.isfinite(at) and 0.0 <= at <= last + MAX_CLOCK_AHEAD_SECONDS):
            raise self._damage(
                say(
                    "its clock says {at} seconds, and its last event is of {last}", at=at, last=last
                )
            )
        return at

    def findings(self) -> list[str]:
        """Return the faults of the file and of each game. Each fault is a part of a sentence."""
        found: list[str] = []
        for (line,) in self._connection.execute("PRAGMA integrity_check(1)").fetchall():
            if line != "ok":
                found.append(say("SQLite finds: {splitlines}", splitlines=line.splitlines()[-1]))
        due = 1
        try:
            for number in self._numbers():
                if number != due:
                    found.append(
                        say("games {due} to {number} are missing", due=due, number=number - 1)
                    )
                due = number + 1
                try:
                    self.events(number)
                except JournalDamagedError as damage:
                    found.append(damage.finding)
        except JournalDamagedError as damage:
            found.append(damage.finding)
        return found

    def _numbers(self) -> Iterator[int]:
        """Yield the number of each game, in order. Each is looked up only when it is needed, so the
        memory for it does not grow with the games."""
        reached = -math.inf
        while row := self._connection.execute(NEXT_NUMBER, (reached, reached)).fetchone():
            (number,) = self._as_type(row, tuple[int], say("the list of games"))
            if number <= reached:  # a damaged index may lead in a circle
                raise self._damage(say("the list of games is not in order"))
            yield number
            reached = number

    def _link(self, number: int, seq: int) -> bytes:
        """Return the stored link of an event; empty if the event does not exist."""
        row = self._connection.execute(
            "SELECT link FROM events WHERE game = ? AND seq = ?", (number, seq)
        ).fetchone()
        return (
            b""
            if row is None
            else self._as_type(row, tuple[bytes], say("game {number}", number=number))[0]
        )

    def _read_events(self, chain: Chain, number: int, most: int = -1) -> tuple[StoredEntry, ...]:
        """Return all events of a game, or the first ``most``. The chain verifies each event."""
        rows = self._connection.execute(EVENTS_OF_GAME, (number, most)).fetchall()
        entries = []
        for seq, at, wall, body, link in self._as_type(
            rows, list[Event], say("game {number}", number=number)
        ):
            fits = chain.extend(at, wall.encode(), body) == link
            if seq != chain.count:
                raise self._damage(
                    say(
                        "event {count} of game {number} is missing",
                        count=chain.count,
                        number=number,
                    )
                )
            if not fits:
                raise self._damage(
                    say(
                        "event {seq} of game {number} is not as it was stored",
                        seq=seq,
                        number=number,
                    )
                )
            entries.append(StoredEntry(at, body, wall))
        if not entries:
            raise self._damage(say("game {number} has no events", number=number))
        return tuple(entries)

    def _as_type(self, value: Any, kind: type[Row], place: str) -> Row:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self._damage(say("{place} holds values of another type", place=place)) from error

    def _damage(self, finding: str) -> JournalDamagedError:
        return JournalDamagedError(self._path, finding)
