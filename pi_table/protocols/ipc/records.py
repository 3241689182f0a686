"""Clues and finished games: the answers to `clues` and `record`."""

import msgspec

from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Number


class GivenClue(msgspec.Struct, frozen=True):
    """A clue of the game in play."""

    team: Team
    word: str | None
    """The word of the clue; None if the clue was only spoken."""
    number: Number


class Summary(msgspec.Struct, frozen=True):
    """An entry in the list of finished games."""

    number: int
    begun: str
    """Time at which the game started: ISO 8601."""
    profile: str
    outcome: Outcome | None


class Won(msgspec.Struct, frozen=True):
    """Number of games of one profile that each team, or nobody, has won this evening."""

    profile: str
    red: int = 0
    blue: int = 0
    nobody: int = 0


class Tally(msgspec.Struct, frozen=True):
    """The wins of this evening's games."""

    since: str | None
    """Start of the first game of the evening, ISO 8601; None before that game."""
    won: tuple[Won, ...]
    """Results by profile. The profile that was played first comes first."""

    @property
    def red(self) -> int:
        return sum(won.red for won in self.won)

    @property
    def blue(self) -> int:
        return sum(won.blue for won in self.won)


class Line(msgspec.Struct, frozen=True):
    """An event of a game, as a sentence."""

    at: float
    """Time of the event in seconds of game time."""
    text: str
    under: bool = False
    """True if the sentence belongs to the clue above it."""


class Record(msgspec.Struct, frozen=True):
    """All events of a finished game, as sentences."""

    number: int
    begun: str
    """Time at which the game started: ISO 8601."""
    lines: tuple[Line, ...]
