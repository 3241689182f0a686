"""The figures of a report: games, lengths, words and faults, by table, bar and kind of game.

All functions are pure except `read`, which reads the database.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Any, Final

import msgspec

from pi_table.common.language import from_line
from pi_table.fleet.collector.database import Database, as_text, as_time
from pi_table.fleet.collector.sheet import plain
from pi_table.fleet.collector.spread import NO_VALUES, Values, spread_of
from pi_table.games.rules.outcome import Why
from pi_table.protocols.ipc.house import NIGHT, evening_of

FIRST_EVENING: Final = date(1971, 1, 1)
LAST_EVENING: Final = date(9998, 1, 1)
"""Latest evening of any period; `FIRST_EVENING` is the earliest. Python's dates and times can
represent both."""
LENGTH_STEP: Final = 300
"""Seconds in each bin of the histogram of lengths."""
FIRST_CLUE_STEP: Final = 15
"""Seconds in each bin of the histogram of first clues."""
ENDINGS: Final = ("red", "blue", "nobody", "stopped")
"""The ways in which a game ends: with a winner, without a winner, or stopped by a person."""


class Period(msgspec.Struct, frozen=True):
    """The evenings of a report, including the first and the last. None means no limit."""

    since: date | None = None
    until: date | None = None

    def begins(self, zone: tzinfo | None) -> datetime:
        """Return the time at which the period begins: 6:00 on its first day. Without ``zone``, the
        time zone of this machine counts."""
        first = max(self.since or FIRST_EVENING, FIRST_EVENING)
        return (datetime.combine(first, time()) + NIGHT).replace(tzinfo=zone).astimezone()

    def ends(self, zone: tzinfo | None) -> datetime:
        """Return the time at which the period ends: 6:00 on the day after its last evening."""
        last = min(self.until or LAST_EVENING, LAST_EVENING)
        after = datetime.combine(last, time()) + timedelta(days=1) + NIGHT
        return after.replace(tzinfo=zone).astimezone()

    def before(self, today: date) -> "Period | None":
        """Return the earlier period with which this period is compared; None if this period has no
        first evening. Evenings after ``today`` do not count.

        - For a whole month, the result is the previous month.
        - For the first days of a month, it is the same days of the previous month.
        - For any other period, it is the same number of evenings just before.
        """
        first, last = self.since, min(self.until or today, today)
        if first is None or first <= FIRST_EVENING or last < first:
            return None
        end = first - timedelta(days=1)
        if first.day > 1 or (first.year, first.month) != (last.year, last.month):
            return Period(max(FIRST_EVENING, first - (last - first) - timedelta(days=1)), end)
        is_whole = (last + timedelta(days=1)).month != last.month
        return Period(
            end.replace(day=1), end if is_whole else min(end, end.replace(day=1) + (last - first))
        )


WHOLE: Final = Period()


class Played(msgspec.Struct, frozen=True):
    """The facts about a finished game that the figures need."""

    table: str
    bar: str
    """Name of the bar (venue) in which the game was played; "" if unknown."""
    profile: str
    lang: str
    at: datetime
    """The time that counts as the beginning of the game."""
    doubtful: bool
    """True if the table's clock was wrong. Then ``at`` is the arrival of the game's record."""
    seconds: float
    winner: str | None
    stopped: bool
    clued: bool
    """True if a clue was given."""


class Games:
    """Totals of a group of games, such as the games of one table."""

    def __init__(self) -> None:
        self.games = 0
        self.seconds = 0.0
        self.ended: Counter[str] = Counter()
        """Number of games for each ending in `ENDINGS`."""
        self.clued = 0
        """Number of games in which a clue was given."""
        self.evenings: Counter[date] = Counter()
        """Number of games for each evening."""
        self.lengths = NO_VALUES
        """Lengths in seconds of the games that were not stopped; only for tables and kinds."""
        self.turns = NO_VALUES
        """Turns of the games that were not stopped; only for kinds."""
        self.first_clues = NO_VALUES
        """Seconds until the first clue; only for kinds."""

    @property
    def first(self) -> date | None:
        return min(self.evenings, default=None)

    @property
    def last(self) -> date | None:
        return max(self.evenings, default=None)

    @property
    def finished(self) -> int:
        """Number of games that were not stopped."""
        return self.games - self.ended["stopped"]

    def add(self, game: Played, evening: date) -> None:
        self.games += 1
        self.seconds += game.seconds
        self.ended["stopped" if game.stopped else game.winner or "nobody"] += 1
        self.clued += game.clued
        self.evenings[evening] += 1


NOTHING: Final = Games()


class Word(msgspec.Struct, frozen=True):
    """A word: how many times it was dealt, and how many times a guess of it had each result."""

    word: str
    lang: str
    dealt: int
    right: int = 0
    nobody: int = 0
    other: int = 0
    fatal: int = 0

    @property
    def missed(self) -> int:
        """Return how many times a guess of the word was wrong but did not lose the game."""
        return self.nobody + self.other


class Trouble(msgspec.Struct, frozen=True):
    """A fault of a table: how many times the fault began, and for how many seconds it lasted in
    total."""

    table: str
    sentence: str
    times: int
    seconds: float
    still: bool
    """True if the fault was still present at the end of the period, even if it is over now."""


class Figures:
    """All figures of a report. In a name, "kind" means a game's profile and language."""

    def __init__(self, period: Period = WHOLE) -> None:
        self.period = period
        self.zone: tzinfo | None = None
        self.end: datetime | None = None
        """The end of the period or the time of reading the database, whichever is earlier."""
        self.before: Figures | None = None
        """The figures of `Period.before`, without words; None if there is no such period."""
        self.all = Games()
        self.of_table: defaultdict[str, Games] = defaultdict(Games)
        self.of_bar: defaultdict[str, Games] = defaultdict(Games)
        self.of_kind: defaultdict[tuple[str, str], Games] = defaultdict(Games)
        self.where: Counter[tuple[str, tuple[str, str]]] = Counter()
        """Number of games by table and kind."""
        self.hours: Counter[tuple[int, int]] = Counter()
        """Number of games by two keys: the weekday of their evening (0 is Monday), and the hour at
        which they began."""
        self.doubtful = 0
        self.words: tuple[Word, ...] = ()
        self.troubles: tuple[Trouble, ...] = ()
        self.faulty: dict[str, float] = {}
        """For each table, the number of seconds during which it had at least one fault."""
        self.versions: dict[str, str | None] = {}
        self.known: frozenset[str] = frozenset()
        """Names of the tables whose first message came before the end of the period, with or
        without a game."""
        self.bars: dict[str, str] = {}
        self.heard: dict[str, datetime] = {}
        """Time of the latest message of each table."""
        self.rejects = 0
        """Number of stored messages that arrived in the period and could not be counted."""

    @property
    def is_finished(self) -> bool:
        """True if the period is over."""
        return self.period.until is not None and self.end == self.period.ends(self.zone)

    def bar_of(self, table: str) -> str:
        """Return the name of a table's bar; "" if unknown."""
        return self.bars.get(table, "")

    @property
    def tables(self) -> set[str]:
        """Return the names of all tables, including tables without a game."""
        return {*self.known, *self.of_table, *self.faulty}

    def evenings(self) -> Iterator[tuple[date, str, int]]:
        """Yield each evening of each table with its number of games."""
        for table, its in self.of_table.items():
            for evening, games in its.evenings.items():
                yield evening, table, games

    def all_bars(self) -> list[str]:
        """Return the names of all bars (venues) in alphabetical order, including bars without a
        game."""
        return sorted({*map(self.bar_of, self.tables), *self.of_bar})

    def add(self, games: Iterable[Played], zone: tzinfo | None = None) -> None:
        for game in games:
            local = game.at.astimezone(zone)
            evening = evening_of(local, local.tzinfo)
            kind = (game.profile, game.lang)
            self.all.add(game, evening)
            self.of_table[game.table].add(game, evening)
            self.of_bar[game.bar].add(game, evening)
            self.of_kind[kind].add(game, evening)
            self.where[game.table, kind] += 1
            if game.doubtful:
                self.doubtful += 1
            else:
                self.hours[evening.weekday(), local.hour] += 1


def read(database: Database, period: Period, now: datetime, zone: tzinfo | None = None) -> Figures:
    """Return the figures of this period. The field ``before`` of the result has the figures of the
    previous period. Raises DatabaseAwayError."""
    with database.snapshot():
        found = _read(database, period, now, zone)
        span = _span(period, zone)
        _read_spreads(database, found, span)
        found.words = _words(database.ask(_DEALT, span), database.ask(_GUESSED, span))
        found.rejects = database.ask(_REJECTS, span)[0][0]
        if (before := period.before(evening_of(now, zone))) is not None:
            found.before = _read(database, before, now, zone)
    return found


def _read(database: Database, period: Period, now: datetime, zone: tzinfo | None) -> Figures:
    """Return the figures of one period, without its words."""
    found = Figures(period)
    begins, ends = period.begins(zone), period.ends(zone)
    found.zone, found.end = zone, min(now, ends)
    span = _span(period, zone)
    found.add((_game_of(row) for row in database.rows(_GAMES, span)), zone)
    faults = [_fault(row, begins, ends, now) for row in database.ask(_FAULTS, span[::-1])]
    found.troubles = _troubles(faults)
    found.faulty = _faulty(faults)
    tables = database.ask("SELECT name, bar, version, first_seen, last_seen FROM tables")
    found.versions = {name: version for name, _, version, _, _ in tables}
    found.bars = {name: bar for name, bar, _, _, _ in tables}
    found.heard = {name: as_time(seen) for name, _, _, _, seen in tables}
    found.known = frozenset(name for name, _, _, seen, _ in tables if as_time(seen) < ends)
    return found


def _span(period: Period, zone: tzinfo | None) -> tuple[str, str]:
    return as_text(period.begins(zone)), as_text(period.ends(zone))


def _game_of(row: tuple[Any, ...]) -> Played:
    table, bar, profile, lang, at, doubtful, seconds, winner, why, clued = row
    stopped = why == Why.STOPPED.value
    return Played(
        table,
        bar,
        profile,
        lang,
        as_time(at),
        bool(doubtful),
        seconds,
        winner,
        stopped,
        bool(clued),
    )


def _read_spreads(database: Database, found: Figures, span: tuple[str, str]) -> None:
    """Read the spreads of lengths, turns and first clues."""
    for (table,), values in _sorted_values(database, "table_name", "seconds", _FINISHED, span):
        games = found.of_table[table]
        games.lengths = spread_of(values, games.finished, LENGTH_STEP)
    for kind, values in _sorted_values(database, _KIND, "seconds", _FINISHED, span):
        games = found.of_kind[kind]
        games.lengths = spread_of(values, games.finished, LENGTH_STEP)
    for kind, values in _sorted_values(database, _KIND, "turns", _FINISHED, span):
        games = found.of_kind[kind]
        games.turns = spread_of(values, games.finished)
    for kind, values in _sorted_values(database, _KIND, "first_clue_seconds", _CLUED, span):
        games = found.of_kind[kind]
        games.first_clues = spread_of(values, games.clued, FIRST_CLUE_STEP)


def _sorted_values(
    database: Database, by: str, value: str, which: str, span: tuple[str, str]
) -> Iterator[tuple[Any, Values]]:
    """Yield each group of games with the values of one column, in ascending order. The database
    sorts them and yields them as they are needed, so memory does not grow with the games."""
    rows = database.rows(_VALUES.format(by=by, value=value, which=which), span)
    for group, its in groupby(rows, key=lambda row: row[:-2]):
        yield group, (row[-2:] for row in its)


def _words(dealt: list[tuple[Any, ...]], guessed: list[tuple[Any, ...]]) -> tuple[Word, ...]:
    """Return the words with their counts. The words that were dealt most often come first."""
    fates: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for word, lang, times in dealt:
        fates[word, lang]["dealt"] = times
    for word, lang, was, times in guessed:
        fates[word, lang][was] = times
    found = [
        Word(word, lang, counts["dealt"], **{each: counts[each] for each in _FATES})
        for (word, lang), counts in fates.items()
    ]
    return tuple(sorted(found, key=lambda word: (-word.dealt, word.word, word.lang)))


class _Fault(msgspec.Struct, frozen=True):
    """A fault of one table. Its time outside the period is cut off."""

    table: str
    sentence: str
    since: datetime
    until: datetime
    still: bool
    """True if the fault lasts now, or lasted beyond the end of a finished period."""


def _fault(row: tuple[Any, ...], begins: datetime, ends: datetime, now: datetime) -> _Fault:
    table, sentence, since, until, made_from = row
    said = plain(sentence)
    if said == sentence and made_from is not None:
        said = from_line(made_from, said)
    ended = None if until is None else as_time(until)
    still = ended is None or ended > ends
    return _Fault(table, said, max(as_time(since), begins), min(ended or now, ends), still)


def _troubles(faults: Sequence[_Fault]) -> tuple[Trouble, ...]:
    """Return the faults. Faults of one table with the same sentence are one entry; for each table,
    the longest comes first."""
    alike: defaultdict[tuple[str, str], list[_Fault]] = defaultdict(list)
    for fault in faults:
        alike[fault.table, fault.sentence].append(fault)
    found = [
        Trouble(table, sentence, len(each), _seconds(each), any(fault.still for fault in each))
        for (table, sentence), each in alike.items()
    ]
    return tuple(sorted(found, key=lambda trouble: (trouble.table, -trouble.seconds)))


def _faulty(faults: Sequence[_Fault]) -> dict[str, float]:
    of_table: defaultdict[str, list[_Fault]] = defaultdict(list)
    for fault in faults:
        of_table[fault.table].append(fault)
    return {table: _seconds(each) for table, each in of_table.items()}


def _seconds(faults: Sequence[_Fault]) -> float:
    """Return the number of seconds during which at least one fault lasted. If faults overlap, the
    common time counts once."""
    total, reached = 0.0, None
    for fault in sorted(faults, key=lambda fault: fault.since):
        since = fault.since if reached is None else max(fault.since, reached)
        if fault.until > since:
            total += (fault.until - since).total_seconds()
            reached = fault.until
    return total


_FATES: Final = ("right", "nobody", "other", "fatal")
_GAMES: Final = """SELECT table_name, bar, profile, lang, played, clock_doubtful, seconds, winner,
    why, first_clue_seconds IS NOT NULL FROM games WHERE played >= ? AND played < ?"""
_KIND: Final = "profile, lang"
_FINISHED: Final = f"why <> '{Why.STOPPED.value}'"
_CLUED: Final = "first_clue_seconds IS NOT NULL"
_VALUES: Final = """SELECT {by}, {value}, count(*) FROM games
    WHERE played >= ? AND played < ? AND {which} GROUP BY {by}, {value} ORDER BY {by}, {value}"""
_DEALT: Final = """SELECT word, lang, count(*) FROM dealt JOIN games ON games.key = dealt.game
    WHERE played >= ? AND played < ? GROUP BY word, lang"""
_GUESSED: Final = """SELECT word, lang, was, count(*) FROM guesses
    JOIN games ON games.key = guesses.game
    WHERE played >= ? AND played < ? AND word IS NOT NULL GROUP BY word, lang, was"""
_REJECTS: Final = "SELECT count(*) FROM rejects WHERE received_at >= ? AND received_at < ?"
_FAULTS: Final = """SELECT table_name, faults.sentence, since, until, made_from FROM faults
    LEFT JOIN texts ON texts.sentence = faults.sentence
    WHERE since < ? AND (until IS NULL OR until > ?)"""
