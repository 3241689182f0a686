"""What the games of a database come to: what is played where, how long, which words, which faults.

Pure but for `read`, which asks the database.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final

import msgspec

from pi_table.common.language import from_line
from pi_table.fleet.collector.database import Database, as_text, as_time
from pi_table.fleet.collector.sheet import plain
from pi_table.games.rules.outcome import Why
from pi_table.protocols.ipc.house import NIGHT, evening_of

FIRST: Final = date(1971, 1, 1)
LAST: Final = date(9998, 1, 1)
"""No game counts as played before the one evening, or after the other."""
ENDINGS: Final = ("red", "blue", "nobody", "stopped")
"""How games end: who wins, or that somebody stops them."""


class Period(msgspec.Struct, frozen=True):
    """The evenings of a report, the first and the last included; None: as far as there are any."""

    since: date | None = None
    until: date | None = None

    def begins(self, zone: tzinfo | None) -> datetime:
        """The moment from which games count. ``zone`` is where the tables stand; None: where this
        machine thinks it is."""
        first = max(self.since or FIRST, FIRST)
        return (datetime.combine(first, time()) + NIGHT).replace(tzinfo=zone).astimezone()

    def ends(self, zone: tzinfo | None) -> datetime:
        """The moment from which games do not count any more."""
        last = min(self.until or LAST, LAST)
        after = datetime.combine(last, time()) + timedelta(days=1) + NIGHT
        return after.replace(tzinfo=zone).astimezone()

    def before(self, today: date) -> "Period | None":
        """The period to compare this one with; None where it has no first evening.

        Before days of one month, from its first on, that is as much of the month before; before a
        whole month, the whole month before. Else it is as many evenings, right before.
        """
        first, last = self.since, min(self.until or today, today)
        if first is None or first <= FIRST or last < first:
            return None
        end = first - timedelta(days=1)
        if first.day > 1 or (first.year, first.month) != (last.year, last.month):
            return Period(max(FIRST, first - (last - first) - timedelta(days=1)), end)
        is_whole = (last + timedelta(days=1)).month != last.month
        return Period(
            end.replace(day=1), end if is_whole else min(end, end.replace(day=1) + (last - first))
        )


WHOLE: Final = Period()
"""All evenings."""


class Played(msgspec.Struct, frozen=True):
    """A finished game, as far as figures are made of it."""

    table: str
    bar: str
    """The bar in which it was played; "": none is known."""
    profile: str
    lang: str
    at: datetime
    """When it counts as played."""
    doubtful: bool
    """Is the clock wrong by which it began? Then ``at`` is when its record came."""
    seconds: float
    winner: str | None
    stopped: bool
    turns: int
    first_clue: float | None


class Games:
    """What some games come to."""

    def __init__(self) -> None:
        self.games = 0
        self.seconds = 0.0
        self.ended: Counter[str] = Counter()
        """How many ended in each of `ENDINGS`."""
        self.lengths: list[float] = []
        """Seconds of the games that nobody stopped."""
        self.first_clues: list[float] = []
        self.turns: list[int] = []
        self.first: date | None = None
        self.last: date | None = None
        self.evenings: set[date] = set()
        """The evenings at which any of them was played."""

    def add(self, game: Played, evening: date) -> None:
        self.games += 1
        self.seconds += game.seconds
        self.ended["stopped" if game.stopped else game.winner or "nobody"] += 1
        if not game.stopped:
            self.lengths.append(game.seconds)
            self.turns.append(game.turns)
        if game.first_clue is not None:
            self.first_clues.append(game.first_clue)
        self.first = min(self.first or evening, evening)
        self.last = max(self.last or evening, evening)
        self.evenings.add(evening)


NOTHING: Final = Games()
"""Where nothing was played."""


class Word(msgspec.Struct, frozen=True):
    """A word: how often it lay on a table, and what guesses of it came to."""

    word: str
    lang: str
    dealt: int
    right: int = 0
    nobody: int = 0
    other: int = 0
    fatal: int = 0

    @property
    def missed(self) -> int:
        """How often it was guessed in vain, and the game went on."""
        return self.nobody + self.other


class Trouble(msgspec.Struct, frozen=True):
    """A fault of a table: how often it was there, and for how long altogether."""

    table: str
    sentence: str
    times: int
    seconds: float
    still: bool


class Figures:
    """All that a report tells. Keys of what is counted are tables, and kinds: a profile and a
    language."""

    def __init__(self, period: Period = WHOLE) -> None:
        self.period = period
        self.zone: tzinfo | None = None
        self.end: datetime | None = None
        """When the period ends, or when the figures were read, whichever is earlier."""
        self.before: Figures | None = None
        """The games and faults of the period before."""
        self.all = Games()
        self.of_table: dict[str, Games] = {}
        self.of_bar: dict[str, Games] = {}
        self.of_kind: dict[tuple[str, str], Games] = {}
        self.where: Counter[tuple[str, tuple[str, str]]] = Counter()
        """Games by table and kind."""
        self.evenings: Counter[tuple[date, str]] = Counter()
        """Games by evening and table."""
        self.hours: Counter[tuple[int, int]] = Counter()
        """Games by the weekday of their evening (0: Monday) and the hour in which they began."""
        self.doubtful = 0
        self.words: tuple[Word, ...] = ()
        self.troubles: tuple[Trouble, ...] = ()
        self.faulty: dict[str, float] = {}
        """The seconds in which anything was wrong with a table."""
        self.versions: dict[str, str | None] = {}
        """The version of each table's program, as it was told last."""
        self.known: frozenset[str] = frozenset()
        """Tables that were heard before the period's end, also those at which nothing was
        played."""
        self.bars: dict[str, str] = {}
        """The bar in which each table stands."""
        self.heard: dict[str, datetime] = {}
        """When each table was heard last."""
        self.rejects = 0
        """What came in the period and could not be read, as far as it is still kept."""

    def bar_of(self, table: str) -> str:
        """The bar in which a table stands; "": none is known."""
        return self.bars.get(table, "")

    @property
    def tables(self) -> set[str]:
        """All tables that there are, also those at which nothing was played."""
        return {*self.known, *self.of_table, *self.faulty}

    def all_bars(self) -> list[str]:
        """All bars that there are, also those in which nothing was played, in their order."""
        return sorted({*map(self.bar_of, self.tables), *self.of_bar})

    def add(self, games: Iterable[Played], zone: tzinfo | None = None) -> None:
        """Count games."""
        for game in games:
            local = game.at.astimezone(zone)
            evening = evening_of(game.at, zone)
            kind = (game.profile, game.lang)
            self.all.add(game, evening)
            self.of_table.setdefault(game.table, Games()).add(game, evening)
            self.of_bar.setdefault(game.bar, Games()).add(game, evening)
            self.of_kind.setdefault(kind, Games()).add(game, evening)
            self.where[game.table, kind] += 1
            self.evenings[evening, game.table] += 1
            if game.doubtful:
                self.doubtful += 1
            else:
                self.hours[evening.weekday(), local.hour] += 1


def read(database: Database, period: Period, now: datetime, zone: tzinfo | None = None) -> Figures:
    """What the games of a database come to, beside those of the period before. Raises
    DatabaseAwayError."""
    with database.snapshot():
        found = _read(database, period, now, zone)
        span = _span(period, zone)
        found.words = _words(database.ask(_DEALT, span), database.ask(_GUESSED, span))
        found.rejects = database.ask(_REJECTS, span)[0][0]
        if (before := period.before(evening_of(now, zone))) is not None:
            found.before = _read(database, before, now, zone)
    return found


def _read(database: Database, period: Period, now: datetime, zone: tzinfo | None) -> Figures:
    """Games, faults and tables."""
    found = Figures(period)
    begins, ends = period.begins(zone), period.ends(zone)
    found.zone, found.end = zone, min(now, ends)
    span = _span(period, zone)
    found.add((_played(row) for row in database.rows(_GAMES, span)), zone)
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


def _played(row: tuple[Any, ...]) -> Played:
    table, bar, profile, lang, at, doubtful, seconds, winner, why, turns, first_clue = row
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
        turns,
        first_clue,
    )


def _words(dealt: list[tuple[Any, ...]], guessed: list[tuple[Any, ...]]) -> tuple[Word, ...]:
    """Words by how often they lay on a table. One that was guessed lay there, too."""
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
    """A fault of a table, as far as the period goes."""

    table: str
    sentence: str
    since: datetime
    until: datetime
    still: bool


def _fault(row: tuple[Any, ...], begins: datetime, ends: datetime, now: datetime) -> _Fault:
    table, sentence, since, until, made_from = row
    said = plain(sentence)
    if said == sentence and made_from is not None:
        said = from_line(made_from, said)
    end = min(now if until is None else as_time(until), ends)
    return _Fault(table, said, max(as_time(since), begins), end, until is None)


def _troubles(faults: Sequence[_Fault]) -> tuple[Trouble, ...]:
    """Faults by table and sentence, those of a table that lasted longest first."""
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
    """For how long there was any of some faults: what two of them share counts once."""
    total, reached = 0.0, None
    for fault in sorted(faults, key=lambda fault: fault.since):
        since = fault.since if reached is None else max(fault.since, reached)
        if fault.until > since:
            total += (fault.until - since).total_seconds()
            reached = fault.until
    return total


_FATES: Final = ("right", "nobody", "other", "fatal")
_GAMES: Final = """SELECT table_name, bar, profile, lang, played, clock_doubtful, seconds, winner,
    why, turns, first_clue_seconds FROM games WHERE played >= ? AND played < ?"""
_DEALT: Final = """SELECT word, lang, count(*) FROM dealt JOIN games ON games.key = dealt.game
    WHERE played >= ? AND played < ? GROUP BY word, lang"""
_GUESSED: Final = """SELECT word, lang, was, count(*) FROM guesses
    JOIN games ON games.key = guesses.game
    WHERE played >= ? AND played < ? AND word IS NOT NULL GROUP BY word, lang, was"""
_REJECTS: Final = "SELECT count(*) FROM rejects WHERE received_at >= ? AND received_at < ?"
_FAULTS: Final = """SELECT table_name, faults.sentence, since, until, made_from FROM faults
    LEFT JOIN texts ON texts.sentence = faults.sentence
    WHERE since < ? AND (until IS NULL OR until > ?)"""
