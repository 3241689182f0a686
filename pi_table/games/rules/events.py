"""The events that all families of games share.

A game is the series of its events: the journal stores them, and the family's ``evolve`` replays
them. Every event has a time, ``at``, in seconds of game time.
"""

import msgspec

from pi_table.games.rules.outcome import Outcome


def _event_name(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=_event_name):
    """Something that happened in a game. Its tag is its name in the journal."""

    at: float
    """Time of the event, in seconds of game time."""


class Paused(Event, frozen=True):
    """The game is paused, and its countdown stops."""


class Resumed(Event, frozen=True):
    """The game goes on after a pause."""


class GameEnded(Event, frozen=True):
    """The game is over."""

    outcome: Outcome


class AbandonTakenBack(Event, frozen=True):
    """The operator took back the end of an abandoned game. The game goes on from its last state
    (ALL-3)."""


class Revealed(Event, frozen=True):
    """The hidden information of a finished game becomes public."""
