"""The records of finished games, made from the journal (ALL-4).

A record includes the game's secrets only if the game can no longer be corrected: it was revealed
after its end, or another game has followed. The code of the game's family describes the events
(`table.engine.families.registry`).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, say, translate
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyState
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.house import NIGHT
from pi_table.protocols.ipc.records import Line, Record, Summary, Tally, Won
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.families.sentences import Sentence
from pi_table.table.engine.storage.history import making_sense, replay_stored
from pi_table.table.engine.storage.statistics import facts
from pi_table.table.store.entries import StoredGame
from pi_table.table.store.journal import Journal, read_progress

MAX_CACHED_GAMES: Final = 200
"""Maximum number of games whose list entries are cached. An evening has fewer games."""


class Records:
    """Reads the finished games of the journal at ``path``. List entries are cached, so repeated
    requests for the list read only new games and do not delay other requests."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._over: dict[int, tuple[Summary, ...]] = {}
        """For the number of each game that another game has followed: its list entry, or nothing if
        that game was not finished."""
        self._listed: tuple[object, list[Summary]] | None = None
        """The last list, with the journal's progress and the limit for which it was made."""

    def games(self, playing: int | None = None, most: int = 50) -> list[Summary]:
        """Return the latest finished games, at most ``most``, newest first. ``playing`` is the
        number of the game in play; None if unknown. Raises StorageError."""
        asked = playing or read_progress(self._path), most
        if self._listed is None or self._listed[0] != asked:
            with closing(Journal.open_to_read(self._path)) as journal:
                self._listed = asked, list(islice(self._read_finished(journal, playing), most))
        return self._listed[1]

    def tonight(self, now: str, playing: int | None = None) -> Tally:
        """Return this evening's wins. ``now`` is the time of the wall clock (ISO 8601). Raises
        StorageError."""
        with closing(Journal.open_to_read(self._path)) as journal:
            return tonight(self._read_finished(journal, playing), now)

    def _read_finished(self, journal: Journal, playing: int | None) -> Iterator[Summary]:
        """Yield the finished games, newest first. Each is read only when the caller asks for the
        next game."""
        latest = playing or journal.latest_number()
        if playing is None and latest:
            yield from _summary(journal.read(latest))
        for number in range(latest - 1, 0, -1):
            if number not in self._over:
                self._over[number] = tuple(_summary(journal.read(number)))
            summaries = self._over[number]
            if len(self._over) > MAX_CACHED_GAMES:
                del self._over[min(self._over)]
            yield from summaries

    def record(self, number: int, lang: Lang | None = None) -> Record:
        """Return the record of a finished game in ``lang``, or in the game's own language. Raises
        InputError if no finished game has this number, and StorageError."""
        with closing(Journal.open_to_read(self._path)) as journal:
            latest = journal.latest_number()
            if not 0 < number <= latest:
                raise InputError(say("There is no game of that number in the record."))
            stored = journal.read(number)
        history, state = replay_stored(stored)
        if state.board.outcome is None:
            raise InputError(
                say("That game is still being played: its record can be read when it is over.")
            )
        with making_sense(stored):
            said = _story(history, state, keeps=number == latest)
            lang = lang or state.board.settings.lang
            lines = tuple(Line(it.at, translate(it.words, lang), it.under) for it in said)
        return Record(number, stored.begun, lines)


def _summary(stored: StoredGame) -> Iterator[Summary]:
    """Yield the list entry of a game if the game is finished; otherwise yield nothing."""
    _, state = replay_stored(stored)
    with making_sense(stored):
        if datetime.fromisoformat(stored.begun).tzinfo is None:
            raise ValueError  # without a zone its age is unknown
    board = state.board
    if board.outcome is not None:
        yield Summary(stored.number, stored.begun, board.profile, board.outcome)


def _story(history: Sequence[Event], state: AnyState, keeps: bool) -> list[Sentence]:
    """Return the sentences of a finished game's record. If ``keeps`` is True, the game's secrets
    are included only if the game was revealed."""
    family = family_of(state.board)
    said = [*family.sentences(history)]
    end = history[-1].at
    if keeps and not family.is_open(state.board):
        still = say("What is hidden is still hidden, until the act `reveal`.")
        return [*said, Sentence(end, still)]
    return said + [Sentence(end, words) for words in family.secrets(state)]


def check_that_it_can_be_told(stored: StoredGame) -> None:
    """Raise UnreadableGameError if this finished game cannot be shown as a record."""
    history, state = replay_stored(stored)
    for summary in _summary(stored):
        with making_sense(stored):
            lang = state.board.settings.lang
            for it in _story(history, state, keeps=False):
                translate(it.words, lang)
            facts(summary.begun, history)


def tonight(games: Iterable[Summary], now: str) -> Tally:
    """For each profile, count the games that each team has won this evening.

    An evening is over when six hours have passed between the starts of two games, or between the
    last start and ``now``. The times are from the wall clock (ISO 8601). If that clock was set
    back, the evening goes on. ``games`` begin with the newest; only this evening's games and one
    more are read.
    """
    won: dict[str, Won] = {}
    since = None
    for game in _of_the_evening(games, now):
        so_far = won.pop(game.profile, Won(game.profile))
        # Move the profile to the end: after `reversed`, the evening's first profile comes first.
        won[game.profile] = _count_win(so_far, game.outcome)
        since = game.begun
    return Tally(since, tuple(reversed(won.values())))


def _of_the_evening(games: Iterable[Summary], now: str) -> Iterable[Summary]:
    later = now
    for game in games:
        if _is_a_night(game.begun, later):
            return
        yield game
        later = game.begun


def _is_a_night(begun: str, later: str) -> bool:
    """True if `NIGHT` or more has passed between two times, or if they cannot be compared."""
    try:
        return datetime.fromisoformat(later) - datetime.fromisoformat(begun) >= NIGHT
    except (ValueError, TypeError):  # no time, or only one of them has a time zone
        return True


def _count_win(won: Won, outcome: Outcome | None) -> Won:
    """Return the wins after one more game. A game that was stopped is not a win."""
    if outcome is None or outcome.why is Why.STOPPED:
        return won
    red, blue = (won.red + (outcome.winner is Team.RED), won.blue + (outcome.winner is Team.BLUE))
    return Won(won.profile, red, blue, won.nobody + (outcome.winner is None))
