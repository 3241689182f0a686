"""A finished game as everybody saw it: its clues, its guesses and its words, without a name.

All of it is made of what was public: of a key nothing is read. Words that guests wrote themselves
are left out. Pure: events in, a value out.
"""

from collections.abc import Sequence

from pi_table.ipc.house import FinishedClue, FinishedGame, FinishedGuess
from pi_table.rules.events import AbandonTakenBack, Event, GameEnded
from pi_table.rules.games import opening_of
from pi_table.rules.outcome import Outcome
from pi_table.rules.team import Team
from pi_table.rules.word_games import events
from pi_table.rules.word_games.key import LAYOUTS, Identity


def finished(game: str, number: int, begun: str, history: Sequence[Event]) -> FinishedGame | None:
    """What is told of a game that began at ``begun`` (ISO 8601) and has the id ``game``; None where
    the game is not finished."""
    opening = opening_of(history)
    read = Reading(opening)
    for event in history:
        read.take(event)
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
    """The words on cards that guests wrote themselves; None where none of the words is known to be
    of a pack."""
    if not isinstance(opening, events.Dealt) or opening.deck is None:
        return None
    return frozenset(opening.deck.blanks)


class Reading:
    """A game, as far as its events were read."""

    def __init__(self, opening: Event) -> None:
        self.outcome: Outcome | None = None
        self.ended = 0.0
        """When the game ended, in seconds of the game."""
        self.ends = 0
        """How often the game ended. How many events it has would tell of Codex how often agents did
        what nobody else is to know (ALL-1)."""
        self.turns = 0
        """How many turns began."""
        self.words: dict[int, str] = {}
        """The words on the cells, by their numbers."""
        self.clues: list[FinishedClue] = []
        self.guesses: list[FinishedGuess] = []
        self._turn: float | None = None
        """When the turn began whose clue is still to come; None while there is a clue."""
        self._guessed = False
        """Was there a guess since the latest clue, also one that was taken back?"""
        self._ended_since = False
        """Has the turn of the latest guess ended?"""
        self._layout = None
        if isinstance(opening, events.Dealt):
            self._layout = LAYOUTS[opening.profile]
            self.words = {cell: word for cell, word in enumerate(opening.words or ()) if word}
            self.turns = 1

    def take(self, event: Event) -> None:
        """Read the next event."""
        match event:
            case events.TurnEnded():
                self._turn = event.at
                self.turns += 1
                self._ended_since = self._guessed
            case events.Dealt() | events.KeyDrawn() | events.KeyRedrawn():
                self._turn = event.at
            case events.Covered() | events.Declined():
                self._turn = event.at  # a penalty, or a cover, came before the clue
            case events.Placed(cell=cell, word=str(word)):
                self.words[cell] = word
            case events.ClueGiven(team=team, word=clue, number=number):
                if self._turn is not None:
                    seconds = round(event.at - self._turn, 3)
                    self.clues.append(FinishedClue(team, clue, number, seconds))
                self._turn = None
                self._guessed = False
            case events.NumberCorrected(number=number):
                if self.clues:
                    last = self.clues[-1]
                    self.clues[-1] = FinishedClue(last.team, last.word, number, last.seconds)
            case events.Guessed(team=team, cell=cell, identity=identity):
                was = self._was(team, identity)
                self.guesses.append(FinishedGuess(team, self.words.get(cell), was))
                self._guessed, self._ended_since = True, False
            case events.GuessTakenBack():
                # And with it all that came of it, and after it: the turn's end, the game's.
                if self.guesses:
                    self.guesses.pop()
                self.turns -= self._ended_since
                self._ended_since = False
                self.outcome = None
            case events.CardTakenBack() | AbandonTakenBack():
                self.outcome = None
            case GameEnded(outcome=outcome):
                self.outcome, self.ended = outcome, event.at
                self.ends += 1

    def _was(self, team: Team, identity: Identity) -> str:
        assert self._layout is not None
        if identity is self._layout.fatal:
            return "fatal"
        if identity.team is None:
            return "nobody"
        return "right" if identity.team is self._layout.quarry(team) else "other"
