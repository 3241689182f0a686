"""The public content of a finished game: its clues, guesses and words, without names.

This content is made from public events only; no key is read. Words that guests wrote themselves are
left out. The functions that make it are pure: they take events and return a value.
"""

import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from pi_table.games.rules.events import AbandonTakenBack, Event, GameEnded, Paused, Resumed
from pi_table.games.rules.games import opening_of
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.key import LAYOUTS, Identity
from pi_table.protocols.ipc.house import (
    MAX_FINISHED_GAMES,
    FinishedClue,
    FinishedGame,
    FinishedGuess,
    Latest,
)
from pi_table.table.engine.storage.history import UnreadableGameError, making_sense, replay_stored
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.journal import Journal


def build_finished_game(
    game: str, number: int, begun: str, history: Sequence[Event]
) -> FinishedGame | None:
    """Return the public content of a game; None if it is not finished. ``game`` is the game's id,
    and ``begun`` the time of its start (ISO 8601)."""
    opening, read = opening_of(history), PublicContent(history)
    if read.outcome is None:
        return None
    own = words_of_guests(opening)
    return FinishedGame(
        game=game,
        number=number,
        revision=read.ends,
        begun=begun,
        profile=opening.profile,
        lang=opening.settings.lang,
        seconds=round(read.ended, 3),
        outcome=read.outcome,
        turns=read.turns,
        clues=tuple(read.clues),
        guesses=tuple(
            FinishedGuess(
                guess.team, None if own is None or guess.word in own else guess.word, guess.was
            )
            for guess in read.guesses
        ),
        dealt=() if own is None else tuple(word for word in read.words.values() if word not in own),
    )


def words_of_guests(opening: Event) -> frozenset[str] | None:
    """Return the words that guests wrote on blank cards. Return None if the cards were not dealt
    from a pack, because then guests may have written all the words."""
    if not isinstance(opening, events.Dealt) or opening.deck is None:
        return None
    return frozenset(opening.deck.blanks)


class PublicContent:
    """The public content of a game, collected event by event."""

    def __init__(self, history: Sequence[Event]) -> None:
        self.outcome: Outcome | None = None
        self.ended = 0.0
        """Time of the game's end, in seconds of play."""
        self.ends = 0
        """Number of times that the game has ended: the revision of this content. The number of
        events is not used, because it would reveal how often Codex agents acted secretly (ALL-1).
        """
        self.turns = 0
        """Number of turns that have begun."""
        self.words: dict[int, str] = {}
        """The words on the cells, by cell number."""
        self.clues: list[FinishedClue] = []
        self.guesses: list[FinishedGuess] = []
        self._turn: float | None = None
        """Time at which the current turn began, in seconds of play; None after its clue."""
        self._turns_before: list[int] = []
        """For each of ``guesses``, the number of turns that had begun before it."""
        self._paused = False
        self._latest = 0.0
        """Time of the latest event, in seconds of game time."""
        self._rest = 0.0
        """Seconds of game time without play: in a pause, or between an end and its correction."""
        self._layout = None
        opening = opening_of(history)
        if isinstance(opening, events.Dealt):
            self._layout = LAYOUTS[opening.profile]
            self.words = {cell: word for cell, word in enumerate(opening.words or ()) if word}
            self.turns = 1
        for event in history:
            self._take(event)

    def _take(self, event: Event) -> None:
        # The time of a game goes on in a pause. Only its countdowns stop.
        if self._paused or self.outcome is not None:
            self._rest += event.at - self._latest
        self._latest = event.at
        played = event.at - self._rest
        match event:
            case Paused():
                self._paused = True
            case Resumed():
                self._paused = False
            case events.TurnEnded():
                self._turn = played
                self.turns += 1
            case events.Dealt() | events.KeyDrawn() | events.KeyRedrawn():
                self._turn = played
            case events.Covered() | events.Declined():
                self._turn = played  # the clue's time starts after a penalty or a cover
            case events.Placed(cell=cell, word=str(word)):
                self.words[cell] = word
            case events.ClueGiven(team=team, word=clue, number=number):
                if self._turn is not None:
                    seconds = round(played - self._turn, 3)
                    self.clues.append(FinishedClue(team, clue, number, seconds))
                self._turn = None
            case events.NumberCorrected(number=number):
                if self.clues:
                    last = self.clues[-1]
                    self.clues[-1] = FinishedClue(last.team, last.word, number, last.seconds)
            case events.Guessed(team=team, cell=cell, identity=identity):
                was = self._was(team, identity)
                self.guesses.append(FinishedGuess(team, self.words.get(cell), was))
                self._turns_before.append(self.turns)
            case events.GuessTakenBack():
                # This also takes back what followed the guess: the end of its turn or of the game,
                # and all turns without a clue that the clock ended since.
                if self.guesses:
                    self.guesses.pop()
                    self.turns = self._turns_before.pop()
                self.outcome = None
            case events.CardTakenBack() | AbandonTakenBack():
                self.outcome = None
            case GameEnded(outcome=outcome):
                self.outcome, self.ended = outcome, played
                self.ends += 1

    def _was(self, team: Team, identity: Identity) -> str:
        assert self._layout is not None
        if identity is self._layout.fatal:
            return "fatal"
        if identity.team is None:
            return "nobody"
        return "right" if identity.team is self._layout.quarry(team) else "other"


log = logging.getLogger("pi_table")

MAX_GAMES_PER_ANSWER: Final = 64


def latest(path: Path) -> Latest | None:
    """Return the last finished game in the journal at ``path``; None if none of the latest games is
    finished. Raises StorageError."""
    with closing(Journal.open_to_read(path)) as journal:
        number = journal.latest_number()
        for each in range(number, max(0, number - MAX_GAMES_PER_ANSWER), -1):
            game = _read_finished_game(journal, each)
            if game is not None:
                return Latest(game.number, game.game, game.revision)
    return None


def games_after(path: Path, after: Latest | None) -> tuple[FinishedGame, ...]:
    """Return the finished games that come after a known game in the journal at ``path``.

    `protocols.ipc.house.Order.FINISHED` defines which games these are. The result is empty only if
    there is no such game. Raises StorageError.
    """
    told: list[FinishedGame] = []
    with closing(Journal.open_to_read(path)) as journal:
        last = journal.latest_number()
        if after is not None and (after.number > last or after.number < 1):
            after = None
        if after is not None and _is_another(journal, after):
            after = None
        first = 1 if after is None else after.number
        for number in range(first, last + 1):
            game = _read_finished_game(journal, number)
            if game is None or (
                after is not None and number == after.number and game.revision <= after.revision
            ):
                continue
            told.append(game)
            if len(told) == MAX_FINISHED_GAMES:
                break
    return tuple(told)


def _is_another(journal: Journal, told: Latest) -> bool:
    """True if this journal does not have the game ``told``, and must therefore be another journal.
    False if this cannot be known because the game with that number is damaged."""
    try:
        return journal.identity(told.number) != told.game
    except JournalDamagedError:
        return False


def _read_finished_game(journal: Journal, number: int) -> FinishedGame | None:
    """Return a game of the journal; None if it is not finished or cannot be read. A game that is
    damaged, or of another version, is only logged, so that later games are still read."""
    try:
        stored = journal.read(number)
        history, _ = replay_stored(stored)
        with making_sense(stored):
            return build_finished_game(journal.identity(number), number, stored.begun, history)
    except (UnreadableGameError, JournalDamagedError) as error:
        log.warning("A game is not reported: %s", error)
        return None
