"""Clues and finished games: data of the answers to the acts `clues`, `record` and `tally`."""

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
    """Results of this evening's games of one profile: how many each team won, and how many nobody
    won."""

    profile: str
    red: int = 0
    blue: int = 0
    nobody: int = 0


class Tally(msgspec.Struct, frozen=True):
    """The results of all games of this evening."""

    since: str | None
    """Time at which the first game of the evening started (ISO 8601); None without such a game."""
    won: tuple[Won, ...]
    """Results by profile, in the order in which the profiles were first played."""

    @property
    def red(self) -> int:
        return sum(won.red for won in self.won)

    @property
    def blue(self) -> int:
        return sum(won.blue for won in self.won)


class Line(msgspec.Struct, frozen=True):
    """An event of a game, as a sentence."""

    at: float
    """Seconds of game time from the start of the game to the event."""
    text: str
    under: bool = False
    """True if the event belongs to the clue that precedes it."""


class Record(msgspec.Struct, frozen=True):
    """All events of a finished game, as sentences."""

    number: int
    begun: str
    """Time at which the game started: ISO 8601."""
    lines: tuple[Line, ...]
