"""The record of finished games, read from the journal (ALL-4).

The key is told only of a game in which nothing can be corrected any more: one that was revealed
after its end, or that another game has followed.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.errors import InputError, StorageError
from pi_table.geometry import CELLS, SIDE
from pi_table.rules import events
from pi_table.rules.board import Outcome, Phase, State
from pi_table.rules.evolve import replay
from pi_table.rules.key import Key, Team
from pi_table.store.entries import StoredGame
from pi_table.store.journal import Journal


class Summary(msgspec.Struct, frozen=True):
    """A finished game in the list of them."""

    number: int
    begun: str
    profile: str
    outcome: Outcome | None


class Line(msgspec.Struct, frozen=True):
    at: float
    """Seconds of game time."""
    text: str


class Record(msgspec.Struct, frozen=True):
    """Everything that happened in a finished game, as sentences."""

    number: int
    begun: str
    lines: tuple[Line, ...]


class Archive:
    """The finished games of the journal at ``path``. It is read afresh each time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def games(self, most: int = 50) -> list[Summary]:
        """The latest finished games, newest first. Raises StorageError."""
        journal = Journal.open_to_read(self._path)
        try:
            found: list[Summary] = []
            for listed in reversed(journal.games()):
                stored = journal.read(listed.number)
                state = _state(stored)
                if state.board.phase is Phase.OVER and len(found) < most:
                    board = state.board
                    found.append(Summary(stored.number, stored.begun, board.profile, board.outcome))
                if len(found) == most:
                    break
            return found
        finally:
            journal.close()

    def record(self, number: int) -> Record:
        """One finished game. Raises InputError if there is none of that number, StorageError."""
        journal = Journal.open_to_read(self._path)
        try:
            numbers = [listed.number for listed in journal.games()]
            if number not in numbers:
                raise InputError(f"There is no game {number} in the journal {self._path}.")
            is_latest = number == numbers[-1]
            stored = journal.read(number)
        finally:
            journal.close()
        state = _state(stored)
        if state.board.phase is not Phase.OVER:
            raise InputError(
                f"Game {number} is still being played: its record can be read when it is over."
            )
        lines = [line for entry in stored.entries for line in _told(events.decode(entry.body))]
        end = stored.entries[-1].at
        if is_latest and state.board.open_key is None:
            lines.append(Line(end, "The key is still hidden: it is revealed on the console."))
        else:
            lines += [Line(end, f"The key: {row}") for row in _rows(state.key)]
        return Record(number, stored.begun, tuple(lines))


def _state(stored: StoredGame) -> State:
    try:
        state = replay(events.decode(entry.body) for entry in stored.entries)
    except ValueError:
        raise StorageError(
            f"Game {stored.number} of the journal holds an event that this version of pi-table "
            "cannot read. Read it with the version that wrote it."
        ) from None
    assert state is not None
    return state


def _rows(key: Key) -> Iterable[str]:
    for row in range(SIDE):
        start = row * SIDE
        letters = key.letters[start : start + SIDE]
        yield f"{CELLS[start]} to {CELLS[start + SIDE - 1]}  {' '.join(letters)}"


def _told(event: events.Event) -> Iterable[Line]:
    """What an event says in a record, without the key."""
    for text in _SENTENCES[type(event)](event):
        yield Line(event.at, text)


def _dealt(event: events.Dealt) -> Iterable[str]:
    yield f"A game of {event.profile} begins; {event.key.starts.value} starts."
    if event.words is not None:
        for start in range(0, len(CELLS), SIDE):
            row = zip(CELLS[start : start + SIDE], event.words[start : start + SIDE], strict=True)
            yield "Words: " + ", ".join(f"{cell} {word}" for cell, word in row) + "."


def _clue(event: events.ClueGiven) -> Iterable[str]:
    word = "" if event.word is None else f"{event.word!r}, "
    yield f"{_name(event.team)} gives the clue {word}{event.number}."


def _guessed(event: events.Guessed) -> Iterable[str]:
    yield f"{_name(event.team)} guesses {CELLS[event.cell]}: {event.identity.value}."


_TURN_ENDS: Final = {
    events.Ended.GUESS: "That ends the turn",
    events.Ended.LAST_GUESS: "That was the last guess",
    events.Ended.STOPPED: "The team ends its turn",
    events.Ended.CLOCK: "The time is up",
    events.Ended.INVALID_CLUE: "The clue was invalid",
}


def _turn_ended(event: events.TurnEnded) -> Iterable[str]:
    yield f"{_TURN_ENDS[event.why]}; it is {event.then.value}'s turn."


def _ended(event: events.GameEnded) -> Iterable[str]:
    outcome = event.outcome
    winner = "nobody wins" if outcome.winner is None else f"{outcome.winner.value} wins"
    yield f"The game is over: {winner} ({outcome.why.value})."


def _name(team: Team) -> str:
    return str(team.value).capitalize()


_SENTENCES: Final[dict[type[events.Event], Callable[[Any], Iterable[str]]]] = {
    events.Dealt: _dealt,
    events.KeyRedrawn: lambda event: [f"A new key is drawn; {event.key.starts.value} starts."],
    events.ClueGiven: _clue,
    events.Guessed: _guessed,
    events.TurnEnded: _turn_ended,
    events.Challenged: lambda event: [f"{_name(event.by)} challenges the clue."],
    events.Allowed: lambda event: ["The clue is allowed."],
    events.PenaltyDue: lambda event: [f"{_name(event.team)} may cover one of its agents."],
    events.Covered: lambda event: [f"{_name(event.team)} covers {CELLS[event.cell]}."],
    events.Declined: lambda event: ["The penalty is declined."],
    events.HourglassTurned: lambda event: ["The hourglass is turned over."],
    events.Paused: lambda event: ["A pause."],
    events.Resumed: lambda event: ["The game goes on."],
    events.GuessTakenBack: lambda event: ["Correction: the latest guess is taken back."],
    events.NumberCorrected: lambda event: [f"Correction: the clue's number is {event.number}."],
    events.GameEnded: _ended,
    events.Revealed: lambda event: ["The key is revealed."],
}
