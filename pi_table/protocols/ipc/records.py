"""What the table tells of clues and of finished games: the answers to `clues` and `record`."""

import msgspec

from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Number


class GivenClue(msgspec.Struct, frozen=True):
    """A clue of the game in play."""

    team: Team
    word: str | None
    """None where it was only spoken."""
    number: Number


class Summary(msgspec.Struct, frozen=True):
    """A finished game in the list of them."""

    number: int
    begun: str
    """The instant of its beginning in ISO 8601."""
    profile: str
    outcome: Outcome | None


class Won(msgspec.Struct, frozen=True):
    """How often each team has won one game this evening."""

    profile: str
    red: int = 0
    blue: int = 0
    nobody: int = 0
    """Games that were played to their end and that nobody won."""


class Tally(msgspec.Struct, frozen=True):
    """What was won this evening."""

    since: str | None
    """When the first game of the evening was begun, ISO 8601; None where there is none yet."""
    won: tuple[Won, ...]
    """Each game that was played, the first of the evening first."""

    @property
    def red(self) -> int:
        return sum(won.red for won in self.won)

    @property
    def blue(self) -> int:
        return sum(won.blue for won in self.won)


class Line(msgspec.Struct, frozen=True):
    """Something that happened in a game, as a sentence."""

    at: float
    """Seconds of game time."""
    text: str
    under: bool = False
    """Does the sentence belong to the clue above it?"""


class Record(msgspec.Struct, frozen=True):
    """Everything that happened in a finished game, as sentences."""

    number: int
    begun: str
    """The instant of its beginning in ISO 8601."""
    lines: tuple[Line, ...]
