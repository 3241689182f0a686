"""What finished games come to: how many an evening, how long, how soon a clue, which words.

All of it is made of what everybody saw: of a key nothing is read. Pure: events in, numbers out.
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
from pi_table.protocols.ipc.house import evening_of
from pi_table.table.engine.storage.finished import Reading
from pi_table.table.engine.storage.history import making_sense, played_back
from pi_table.table.store.entries import StoredGame
from pi_table.table.store.journal import Journal

LENGTH_STEP: Final = 5
"""Minutes of a step of the lengths of games."""
CLUE_STEP: Final = 15
"""Seconds of a step of the times to a clue."""
LAST_STEP: Final = 24
"""The last step of each, which has all that is longer."""
MOST_EVENINGS: Final = 60
MOST_WORDS: Final = 12
"""How many words are told of each kind."""
MOST_COUNTED: Final = 5000
"""Of how many different words it is counted what became of them, for each game and language."""


class Fate(msgspec.Struct, frozen=True):
    """What a guess came to."""

    word: str | None
    """The word of the cell; None where the table did not know it."""
    was: str
    """``right``, ``nobody`` (a bystander or decoy), ``other`` (the other team's), ``fatal``."""


class Facts(msgspec.Struct, frozen=True):
    """What one finished game tells."""

    profile: str
    lang: str
    evening: date
    seconds: float
    """How long the game was, in seconds of game time."""
    outcome: Outcome
    dealt: tuple[str, ...] = ()
    """The words that lay on the table, as far as it knew them."""
    clues: tuple[float, ...] = ()
    """The seconds from the beginning of a turn to its clue."""
    guesses: tuple[Fate, ...] = ()


def facts(begun: str, history: Sequence[Event], zone: tzinfo | None = None) -> Facts | None:
    """What a game tells that began at ``begun`` (ISO 8601); None where it is not finished.

    ``zone`` is where the table stands; None: where this machine thinks it is.
    """
    opening = opening_of(history)
    read = Reading(opening)
    for event in history:
        read.take(event)
    if read.outcome is None:
        return None
    evening = evening_of(datetime.fromisoformat(begun), zone)
    return Facts(
        opening.profile,
        opening.settings.lang,
        evening,
        read.ended,
        read.outcome,
        tuple(read.words.values()),
        tuple(clue.seconds for clue in read.clues),
        tuple(Fate(guess.word, guess.was) for guess in read.guesses),
    )


class Bar(msgspec.Struct, frozen=True):
    """A step of something that is counted, such as the games of 10 to 15 minutes."""

    begins: int
    count: int


class Evening(msgspec.Struct, frozen=True):
    day: str
    """The day on which the evening began: ISO 8601."""
    games: int


class WordFate(msgspec.Struct, frozen=True):
    """A word, how often it was guessed with one result, and how often it lay on the table."""

    word: str
    times: int
    dealt: int


class Kind(msgspec.Struct, frozen=True):
    """A game and a language of which there are finished games."""

    profile: str
    lang: str
    games: int


class Statistics(msgspec.Struct, frozen=True):
    """What the finished games of some kinds come to."""

    read: int
    """How many games of the journal were looked at so far."""
    of: int
    """How many are to be looked at; the numbers are whole when all were."""
    kinds: tuple[Kind, ...]
    """All that there is, also what was not asked for."""
    games: int = 0
    won: dict[str, int] = {}
    """How many were won by ``red`` and ``blue``, by ``nobody``, and how many were ``ended``."""
    evenings: tuple[Evening, ...] = ()
    """The latest evenings with games, the first of them first."""
    lengths: tuple[Bar, ...] = ()
    """Games played to their end, by minutes."""
    clues: tuple[Bar, ...] = ()
    """Clues, by the seconds that they took."""
    guesses: dict[str, int] = {}
    """Guesses, by what they came to."""
    found: tuple[WordFate, ...] = ()
    """The words that were found by who looked for them most often."""
    missed: tuple[WordFate, ...] = ()
    """The words that were guessed in vain most often."""
    lost: tuple[WordFate, ...] = ()
    """The words that lost a game most often."""


class _Sum:
    """What the games of one profile and language come to."""

    def __init__(self) -> None:
        self.games = 0
        self.won: Counter[str] = Counter()
        self.evenings: Counter[date] = Counter()
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
        self.clues.update(min(int(each // CLUE_STEP), LAST_STEP) for each in game.clues)
        self.guesses.update(guess.was for guess in game.guesses)
        if game.outcome.why is not Why.STOPPED:
            self.lengths[min(int(game.seconds // 60 // LENGTH_STEP), LAST_STEP)] += 1
        for word in game.dealt:
            if word in self.dealt or len(self.dealt) < MOST_COUNTED:
                self.dealt[word] += 1
        for guess in game.guesses:
            if guess.word is not None and guess.word in self.dealt:
                kind = guess.was if guess.was in self.fates else "vain"
                self.fates[kind][guess.word] += 1

    def take_in(self, other: "_Sum") -> None:
        self.games += other.games
        self.won.update(other.won)
        self.evenings.update(other.evenings)
        self.lengths.update(other.lengths)
        self.clues.update(other.clues)
        self.guesses.update(other.guesses)
        self.dealt.update(other.dealt)
        for kind, fates in self.fates.items():
            fates.update(other.fates[kind])


class Sums:
    """What games come to, counted up one after another."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], _Sum] = {}

    def add(self, game: Facts) -> None:
        """Count one more finished game."""
        self._sums.setdefault((game.profile, game.lang), _Sum()).add(game)

    def told(
        self,
        read: int,
        of: int,
        profile: str | None = None,
        lang: str | None = None,
        besides: Iterable[Facts] = (),
    ) -> Statistics:
        """What the games come to, of one ``profile`` and in one ``lang``, or in all; and with some
        ``besides`` that are not counted for good."""
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
                for day, games in sorted(total.evenings.items())[-MOST_EVENINGS:]
            ),
            _bars(total.lengths, LENGTH_STEP),
            _bars(total.clues, CLUE_STEP),
            dict(total.guesses),
            *(_most(total, kind) for kind in ("right", "vain", "fatal")),
        )


def _who(outcome: Outcome) -> str:
    if outcome.why is Why.STOPPED:
        return "ended"
    return "nobody" if outcome.winner is None else outcome.winner.value


def _bars(counts: Counter[int], step: int) -> tuple[Bar, ...]:
    """Every step from 0 to the last that has anything."""
    return tuple(Bar(at * step, counts[at]) for at in range(max(counts, default=-1) + 1))


def _most(total: _Sum, kind: str) -> tuple[WordFate, ...]:
    """The words with most of such guesses; of two with as many, the one that was dealt less."""
    fates = total.fates[kind]
    ranked = sorted(fates, key=lambda word: (-fates[word], total.dealt[word], word))
    return tuple(WordFate(word, fates[word], total.dealt[word]) for word in ranked[:MOST_WORDS])


AT_A_TIME: Final = 50
"""How many games are read before others get their turn on the thread."""
MOST_GAMES: Final = 5000
"""Of a journal with more, the latest are counted."""


class Counted:
    """The statistics of the journal at a path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sums = Sums()
        self._next: int | None = None
        """The number of the game that is read next; None before the first."""
        self._first = 1

    def statistics(
        self, playing: int | None, profile: str | None = None, lang: str | None = None
    ) -> Statistics:
        """What finished games come to, as far as they were read: some more are, each time.

        ``playing`` is the number of the game that is being played; None where none is. A game that
        no other has followed may still be corrected, and is counted for this answer alone. Raises
        StorageError.
        """
        with closing(Journal.open_to_read(self._path)) as journal:
            latest = journal.latest_number()
            settled = (playing or latest) - 1
            if self._next is None:
                self._next = self._first = max(1, settled - MOST_GAMES + 1)
            until = min(settled, self._next + AT_A_TIME - 1)
            for number in range(self._next, until + 1):
                if (game := _facts(journal.read(number))) is not None:
                    self._sums.add(game)
                self._next = number + 1
            besides = []
            if playing is None and latest and (game := _facts(journal.read(latest))) is not None:
                besides.append(game)
        of = max(0, settled - self._first + 1)
        return self._sums.told(self._next - self._first, of, profile, lang, besides)


def _facts(stored: StoredGame) -> Facts | None:
    """What a game tells, None where it is not finished. Raises StorageError where it cannot be
    read."""
    history, _ = played_back(stored)
    with making_sense(stored):
        return facts(stored.begun, history)
