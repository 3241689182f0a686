"""What happens in a game of any family. A game is its events: the journal keeps them, and the
family's ``evolve`` plays them back.

Every event says when it happened (``at``: seconds of game time).
"""

import msgspec

from pi_table.games.rules.outcome import Outcome


def _dashed(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=_dashed):
    """Something that happened in a game. Its tag is its name in the journal."""

    at: float
    """When it happened, in seconds of game time."""


class Paused(Event, frozen=True):
    """The game and its time stand still."""


class Resumed(Event, frozen=True):
    """The game goes on after a pause."""


class GameEnded(Event, frozen=True):
    """The game is over."""

    outcome: Outcome


class AbandonTakenBack(Event, frozen=True):
    """The operator corrected: the game that was abandoned goes on where it was (ALL-3)."""


class Revealed(Event, frozen=True):
    """What was hidden in the game, which is over, was made public."""
