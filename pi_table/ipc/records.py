"""What the table tells of clues and of finished games: the answers to `clues` and `record`."""

import msgspec

from pi_table.rules.outcome import Outcome
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import Number


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


class Line(msgspec.Struct, frozen=True):
    """Something that happened in a game, as a sentence."""

    at: float
    """Seconds of game time."""
    text: str


class Record(msgspec.Struct, frozen=True):
    """Everything that happened in a finished game, as sentences."""

    number: int
    begun: str
    """The instant of its beginning in ISO 8601."""
    lines: tuple[Line, ...]
