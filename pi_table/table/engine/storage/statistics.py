"""Statistics of finished games: games per evening, lengths of games, times to a clue, words.

The statistics are made from public events only; no key is read. The functions are pure: they take
events and return numbers.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Final

import msgspec

from pi_table.games.rules.events import Event
from pi_table.games.rules.games import opening_of
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.protocols.ipc.house import NIGHT, evening_of
from pi_table.table.engine.storage.finished import PublicContent
from pi_table.table.engine.storage.history import making_sense, replay_stored
from pi_table.table.store.entries import StoredGame
from pi_table.table.store.journal import Journal

LENGTH_STEP: Final = 5
"""Width of a bin in the histogram of game lengths, in minutes."""
CLUE_STEP: Final = 15
"""Width of a bin in the histogram of times to a clue, in seconds."""
LAST_STEP: Final = 24
"""Index of the last bin of a histogram. This bin also counts all greater values."""
MAX_EVENINGS: Final = 60
NIGHT_HOURS: Final = int(NIGHT.total_seconds() // 3600)
MAX_LISTED_WORDS: Final = 12
MIN_CASES: Final = 5
"""Minimum number of games in which a word was dealt, for the word to be listed. A rate from fewer
games means nothing."""
MAX_COUNTED_WORDS: Final = 5000
"""Maximum number of different words that are counted for each profile and language."""


class Fate(msgspec.Struct, frozen=True):
    """The result of one guess."""

    word: str | None
    """The guessed word; None if the table does not know the word of that cell."""
    was: str
    """The result: ``right``, ``nobody`` (a bystander or decoy), ``other`` (the other team's) or
    ``fatal``."""


class Facts(msgspec.Struct, frozen=True):
    """The facts of one finished game that the statistics count."""

    profile: str
    lang: str
    evening: date
    hour: int
    """Hour of the day at which the game began."""
    seconds: float
    """Length of the game, in seconds of play, without pauses."""
    outcome: Outcome
    dealt: tuple[str, ...] = ()
    """The words on the board, if the table knew them."""
    clues: tuple[float, ...] = ()
    """For each clue, the seconds of play from the start of the turn to the clue."""
    guesses: tuple[Fate, ...] = ()


def facts(begun: str, history: Sequence[Event], zone: tzinfo | None = None) -> Facts | None:
    """Return the facts of a game that began at ``begun`` (ISO 8601); None if the game is not
    finished. ``zone`` is the table's time zone; None means the computer's time zone."""
    opening, read = opening_of(history), PublicContent(history)
    if read.outcome is None:
        return None
    at = datetime.fromisoformat(begun).astimezone(zone)
    return Facts(
        opening.profile,
        opening.settings.lang,
        evening_of(at, zone),
        at.hour,
        read.ended,
        read.outcome,
        tuple(read.words.values()),
        tuple(clue.seconds for clue in read.clues),
        tuple(Fate(guess.word, guess.was) for guess in read.guesses),
    )


class Bin(msgspec.Struct, frozen=True):
    """One bin of a histogram, such as the games of 10 to 15 minutes."""

    begins: int
    count: int


class Evening(msgspec.Struct, frozen=True):
    day: str
    """The date on which the evening began: ISO 8601."""
    games: int


class WordFate(msgspec.Struct, frozen=True):
    """A word, the number of its guesses with one result, and the number of games in which it was
    dealt."""

    word: str
    times: int
    dealt: int


class Kind(msgspec.Struct, frozen=True):
    """A profile and a language, with the number of their finished games."""

    profile: str
    lang: str
    games: int


class Statistics(msgspec.Struct, frozen=True):
    read: int
    """Number of games of the journal read so far."""
    of: int
    """Number of games to read. The statistics are complete when all are read."""
    kinds: tuple[Kind, ...]
    """Every profile and language with finished games, even if they were not requested."""
    games: int = 0
    won: dict[str, int] = {}
    """Number of games by result: won by ``red``, ``blue`` or ``nobody``, or ``ended`` (stopped
    early)."""
    evenings: tuple[Evening, ...] = ()
    """The latest evenings with games, the oldest first."""
    lengths: tuple[Bin, ...] = ()
    """Histogram of the games played to their end, by their length in minutes."""
    clues: tuple[Bin, ...] = ()
    """Histogram of the clues, by the seconds from the start of the turn to the clue."""
    guesses: dict[str, int] = {}
    found: tuple[WordFate, ...] = ()
    """Words with the highest rates of right guesses, the highest first. Each was dealt at least
    `MIN_CASES` times."""
    missed: tuple[WordFate, ...] = ()
    """Words with the highest rates of wrong guesses, the highest first. Guesses that lost the game
    do not count."""
    lost: tuple[WordFate, ...] = ()
    """Words with the highest rates of guesses that lost the game, the highest first."""
    hours: tuple[Bin, ...] = ()
    """Number of games that began in each hour. The earliest hour of an evening comes first."""
    weekdays: tuple[int, ...] = ()
    """Number of games by the weekday on which their evening began. Monday comes first."""


class _Sum:
    """The sums of the games of one profile and language."""

    def __init__(self) -> None:
        self.games = 0
        self.won: Counter[str] = Counter()
        self.evenings: Counter[date] = Counter()
        self.hours: Counter[int] = Counter()
        self.lengths: Counter[int] = Counter()
        self.clues: Counter[int] = Counter()
        self.guesses: Counter[str] = Counter()
        self.dealt: Counter[str] = Counter()
        self.fates: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("right", "vain", "fatal")
        }

    def add(self, game: Facts) -> None:
        self.games += 1
        self.won[_who(game.outcome)] += 1
        self.evenings[game.evening] += 1
        self.hours[(game.hour - NIGHT_HOURS) % 24] += 1
        self.clues.update(min(int(each // CLUE_STEP), LAST_STEP) for each in game.clues)
        self.guesses.update(guess.was for guess in game.guesses)
        if game.outcome.why is not Why.STOPPED:
            self.lengths[min(int(game.seconds // 60 // LENGTH_STEP), LAST_STEP)] += 1
        for word in game.dealt:
            if word in self.dealt or len(self.dealt) < MAX_COUNTED_WORDS:
                self.dealt[word] += 1
        for guess in game.guesses:
            if guess.word is not None and guess.word in self.dealt:
                kind = guess.was if guess.was in self.fates else "vain"
                self.fates[kind][guess.word] += 1

    def take_in(self, other: "_Sum") -> None:
        self.games += other.games
        self.won.update(other.won)
        self.evenings.update(other.evenings)
        self.hours.update(other.hours)
        self.lengths.update(other.lengths)
        self.clues.update(other.clues)
        self.guesses.update(other.guesses)
        self.dealt.update(other.dealt)
        for kind, fates in self.fates.items():
            fates.update(other.fates[kind])


class Sums:
    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], _Sum] = {}

    def add(self, game: Facts) -> None:
        self._sums.setdefault((game.profile, game.lang), _Sum()).add(game)

    def statistics(
        self,
        read: int,
        of: int,
        profile: str | None = None,
        lang: str | None = None,
        besides: Iterable[Facts] = (),
    ) -> Statistics:
        """Return the statistics for one ``profile`` and ``lang``; None means all. ``besides`` are
        more games that count in this result, but are not added to the sums."""
        whole = Sums()
        for kind, each in self._sums.items():
            whole._sums[kind] = _Sum()
            whole._sums[kind].take_in(each)
        for game in besides:
            whole.add(game)
        total = _Sum()
        for (its_profile, its_lang), each in whole._sums.items():
            if profile in (None, its_profile) and lang in (None, its_lang):
                total.take_in(each)
        kinds = (Kind(*kind, each.games) for kind, each in sorted(whole._sums.items()))
        return Statistics(
            read,
            of,
            tuple(kinds),
            total.games,
            dict(total.won),
            tuple(
                Evening(day.isoformat(), games)
                for day, games in sorted(total.evenings.items())[-MAX_EVENINGS:]
            ),
            _bins(total.lengths, LENGTH_STEP),
            _bins(total.clues, CLUE_STEP),
            dict(total.guesses),
            _most(total, "right"),
            _most(total, "vain"),
            _most(total, "fatal"),
            _hours(total.hours),
            _weekdays(total.evenings),
        )


def _who(outcome: Outcome) -> str:
    if outcome.why is Why.STOPPED:
        return "ended"
    return "nobody" if outcome.winner is None else outcome.winner.value


def _bins(counts: Counter[int], step: int) -> tuple[Bin, ...]:
    """Return the bins from 0 to the last one that is not empty."""
    return tuple(Bin(at * step, counts[at]) for at in range(max(counts, default=-1) + 1))


def _hours(counts: Counter[int]) -> tuple[Bin, ...]:
    """Return a bin for each hour, from the first hour with a game to the last. A key of ``counts``
    is the number of hours since `NIGHT_HOURS` o'clock."""
    if not counts:
        return ()
    return tuple(
        Bin((hour + NIGHT_HOURS) % 24, counts[hour]) for hour in range(min(counts), max(counts) + 1)
    )


def _weekdays(evenings: Counter[date]) -> tuple[int, ...]:
    games = [0] * 7
    for day, count in evenings.items():
        games[day.weekday()] += count
    return tuple(games)


def _most(total: _Sum, kind: str) -> tuple[WordFate, ...]:
    """Return the words with the highest rates of one result. In a tie, the word that was dealt more
    often comes first."""
    fates, dealt = total.fates[kind], total.dealt
    enough = [word for word in fates if dealt[word] >= MIN_CASES]
    ranked = sorted(enough, key=lambda word: (-fates[word] / dealt[word], -dealt[word], word))
    return tuple(
        WordFate(word, fates[word], total.dealt[word]) for word in ranked[:MAX_LISTED_WORDS]
    )


MAX_GAMES_A_CALL: Final = 50
"""Maximum number of games that one call reads. It is small, so that other orders on the same thread
need not wait long."""
MAX_COUNTED_GAMES: Final = 5000
"""Maximum number of games that are counted: the latest ones of the journal."""


class Counted:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._sums = Sums()
        self._next: int | None = None
        """The number of the next game to read; None before the first call."""
        self._first = 1

    def statistics(
        self, playing: int | None, profile: str | None = None, lang: str | None = None
    ) -> Statistics:
        """Read some more games; return the statistics of all games read so far.

        ``playing`` is the number of the game in play, or None. The latest game can still be
        corrected, so it is counted in this result only. Raises StorageError.
        """
        with closing(Journal.open_to_read(self._path)) as journal:
            latest = journal.latest_number()
            settled = (playing or latest) - 1
            if self._next is None:
                self._next = self._first = max(1, settled - MAX_COUNTED_GAMES + 1)
            until = min(settled, self._next + MAX_GAMES_A_CALL - 1)
            for number in range(self._next, until + 1):
                if (game := _facts(journal.read(number))) is not None:
                    self._sums.add(game)
                self._next = number + 1
            besides = []
            if playing is None and latest and (game := _facts(journal.read(latest))) is not None:
                besides.append(game)
        of = max(0, settled - self._first + 1)
        return self._sums.statistics(self._next - self._first, of, profile, lang, besides)


def _facts(stored: StoredGame) -> Facts | None:
    history, _ = replay_stored(stored)
    with making_sense(stored):
        return facts(stored.begun, history)
