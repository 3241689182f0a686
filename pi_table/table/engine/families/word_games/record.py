"""The record of a word game, made from its events."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from pi_table.common.geometry import CELLS, SIDE
from pi_table.common.language import Words, say
from pi_table.games.names import TEAMS, number_words
from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.board import Board, State
from pi_table.games.rules.word_games.key import LAYOUTS, Identity
from pi_table.table.engine.families.sentences import ABANDON_TAKEN_BACK, Sentence, begins, ending

_ROWS: Final = range(0, len(CELLS), SIDE)


def sentences(history: Iterable[Event]) -> Iterator[Sentence]:
    """Yield sentences for each clue, for its results (marked ``under``), and for other public
    events."""
    hostile, under = False, False
    cards: dict[int, str] = {}
    for event in history:
        match event:
            case events.Dealt(profile=profile, words=words):
                hostile = LAYOUTS[profile].hostile
                cards = {cell: word for cell, word in enumerate(words or ()) if word}
            case events.Placed(cell=cell, word=str(word)):
                cards[cell] = word
            case GameEnded():
                under = False
        if isinstance(event, events.Guessed):
            said: Iterable[Words] = _guess(event, cards.get(event.cell))
        elif hostile and type(event) in _WHERE_TEAMS_HUNT_EACH_OTHER:
            said = _WHERE_TEAMS_HUNT_EACH_OTHER[type(event)](event)
        else:
            said = _SENTENCES[type(event)](event)
        for sentence in said:
            yield Sentence(event.at, sentence, under)
        if isinstance(event, events.ClueGiven | events.TurnEnded):
            under = isinstance(event, events.ClueGiven)


def is_open(board: Board) -> bool:
    return board.open_key is not None


def secrets(state: State) -> Iterator[Words]:
    """Yield the key: one sentence for each row of cells."""
    if state.key is None:  # the game ended before all cards were laid
        return
    for start in _ROWS:
        letters = " ".join(state.key.letters[start : start + SIDE])
        first, last = CELLS[start], CELLS[start + SIDE - 1]
        yield say("The key: {first} to {last}  {letters}", first=first, last=last, letters=letters)


def _deal(event: events.Dealt) -> Iterable[Words]:
    yield begins(event.profile)
    starts = event.starts
    if starts is None and event.key is not None:
        starts = event.key.starts
    if starts is not None:
        yield say("{team} starts.", team=TEAMS[starts])
    for team, hand in zip(Team, event.hands or (), strict=False):
        if hand:
            yield say("{team}’s hand: {words}.", team=TEAMS[team], words=", ".join(hand))
    if event.words is not None:
        cards = [
            f"{cell} {word}" if word else "" for cell, word in zip(CELLS, event.words, strict=True)
        ]
        for start in _ROWS:
            row = filter(None, cards[start : start + SIDE])
            yield say("Words: {words}.", words=", ".join(row))


def _placement(event: events.Placed) -> Iterable[Words]:
    team, cell = TEAMS[event.team], CELLS[event.cell]
    if event.word is None:
        yield say("{team} lays a card on {cell}.", team=team, cell=cell)
    else:
        yield say("{team} lays {word} on {cell}.", team=team, word=event.word, cell=cell)


def _clue(event: events.ClueGiven) -> Iterable[Words]:
    team = TEAMS[event.team]
    number = number_words(event.number)
    if event.word is None:
        yield say("{team} gives the clue {number}.", team=team, number=number)
    else:
        yield say(
            "{team} gives the clue “{word}”, {number}.", team=team, word=event.word, number=number
        )


_IDENTITIES: Final = {
    Identity.RED: say("red"),
    Identity.BLUE: say("blue"),
    Identity.BYSTANDER: say("bystander"),
    Identity.ASSASSIN: say("assassin"),
    Identity.DECOY: say("decoy"),
    Identity.NUKE: say("nuke"),
}


def _guess(event: events.Guessed, word: str | None) -> Iterable[Words]:
    team, cell, identity = TEAMS[event.team], CELLS[event.cell], _IDENTITIES[event.identity]
    if word is None:
        yield say("{team} guesses {cell}: {identity}.", team=team, cell=cell, identity=identity)
    else:
        yield say(
            "{team} guesses {word} ({cell}): {identity}.",
            team=team,
            word=word,
            cell=cell,
            identity=identity,
        )


_TURN_ENDS: Final = {
    events.Ended.GUESS: say("That ends the turn"),
    events.Ended.LAST_GUESS: say("That was the last guess"),
    events.Ended.STOPPED: say("The team ends its turn"),
    events.Ended.CLOCK: say("The time is up"),
    events.Ended.INVALID_CLUE: say("The clue was invalid"),
}


def _turn_end(event: events.TurnEnded) -> Iterable[Words]:
    yield say("{why}; it is {team}’s turn.", why=_TURN_ENDS[event.why], team=TEAMS[event.then])


_SENTENCES: Final[dict[type[Event], Callable[[Any], Iterable[Words]]]] = {
    events.Dealt: _deal,
    events.Chosen: lambda event: [],  # the chosen card is reported when it is laid
    events.Placed: _placement,
    events.CardTakenBack: lambda event: [say("Correction: the latest card is taken off again.")],
    events.KeyDrawn: lambda event: [say("All the cards are down; the key is drawn.")],
    events.KeyRedrawn: lambda event: [
        say("A new key is drawn; {team} starts.", team=TEAMS[event.key.starts])
    ],
    events.ClueGiven: _clue,
    events.TurnEnded: _turn_end,
    events.Challenged: lambda event: [say("{team} challenges the clue.", team=TEAMS[event.by])],
    events.Allowed: lambda event: [say("The clue is allowed.")],
    events.PenaltyDue: lambda event: [
        say("{team} may cover one of its agents.", team=TEAMS[event.team])
    ],
    events.Covered: lambda event: [
        say("{team} covers {cell}.", team=TEAMS[event.team], cell=CELLS[event.cell])
    ],
    events.Declined: lambda event: [say("The penalty is declined.")],
    events.HourglassTurned: lambda event: [say("The hourglass is turned over.")],
    Paused: lambda event: [say("A pause.")],
    Resumed: lambda event: [say("The game goes on.")],
    events.GuessTakenBack: lambda event: [say("Correction: the latest guess is taken back.")],
    events.NumberCorrected: lambda event: [
        say("Correction: the clue’s number is {number}.", number=number_words(event.number))
    ],
    GameEnded: ending,
    AbandonTakenBack: lambda event: [ABANDON_TAKEN_BACK],
    Revealed: lambda event: [say("The key is revealed.")],
}

_WHERE_TEAMS_HUNT_EACH_OTHER: Final[dict[type[Event], Callable[[Any], Iterable[Words]]]] = {
    events.PenaltyDue: lambda event: [
        say(
            "{team} may eliminate one of the assets of {other}.",
            team=TEAMS[event.team],
            other=TEAMS[event.team.other],
        )
    ],
    events.Covered: lambda event: [
        say("{team} eliminates {cell}.", team=TEAMS[event.team], cell=CELLS[event.cell])
    ],
}
"""Sentences for Alias 24 only, in which a team covers cards that the other team hides (AL-14)."""
