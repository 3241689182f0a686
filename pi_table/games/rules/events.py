"""The events that every family of games shares.

A game is its events: the journal stores them, and the family's ``evolve`` replays them. Every event
has its time (``at``: seconds of game time).
"""

import msgspec

from pi_table.games.rules.outcome import Outcome


def _event_name(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=_event_name):
    """Something that happened in a game. Its tag is its name in the journal."""

    at: float
    """Seconds of game time."""


class Paused(Event, frozen=True):
    """The game and its time are stopped."""


class Resumed(Event, frozen=True):
    """The game goes on after a pause."""


class GameEnded(Event, frozen=True):
    """The game is over."""

    outcome: Outcome


class AbandonTakenBack(Event, frozen=True):
    """A correction of the operator: the abandoned game goes on from the same state (ALL-3)."""


class Revealed(Event, frozen=True):
    """The hidden information of a finished game was made public."""
