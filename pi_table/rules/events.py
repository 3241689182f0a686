"""What has happened. A game is its events: the journal keeps them, and `evolve` plays them back.

Every event says when (``at``: seconds of game time). Only `Dealt` and `KeyRedrawn` hold anything
that is not public; a `Key` hides itself in every text made of them.
"""

import enum

import msgspec

from pi_table.rules.board import Number, Outcome
from pi_table.rules.key import Identity, Key, Team
from pi_table.rules.profile import Settings


def _dashed(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=_dashed):
    at: float


class FromPack(msgspec.Struct, frozen=True):
    """Where dealt words came from, so that none comes again before its pack is used up."""

    pack: str
    round: int
    fresh: tuple[str, ...]
    """Those of the words that count as used in this round of the pack."""


class Dealt(Event, frozen=True):
    """The first event of every game."""

    profile: str
    settings: Settings
    words: tuple[str, ...] | None
    key: Key
    deck: FromPack | None = None
    """None where the words are the players' own, or none."""


class KeyRedrawn(Event, frozen=True):
    key: Key


class ClueGiven(Event, frozen=True):
    team: Team
    word: str | None
    number: Number


class Guessed(Event, frozen=True):
    team: Team
    cell: int
    identity: Identity


class Ended(enum.Enum):
    """What ended a turn."""

    GUESS = "guess"
    LAST_GUESS = "last-guess"
    STOPPED = "stopped"
    CLOCK = "clock"
    INVALID_CLUE = "invalid-clue"


class TurnEnded(Event, frozen=True):
    """``then`` is the team whose turn begins."""

    then: Team
    why: Ended


class Challenged(Event, frozen=True):
    by: Team


class Allowed(Event, frozen=True):
    pass


class PenaltyDue(Event, frozen=True):
    """The clue was invalid: before its own clue ``team`` may cover one of its agents."""

    team: Team


class Covered(Event, frozen=True):
    """The penalty was taken."""

    team: Team
    cell: int


class Declined(Event, frozen=True):
    """The penalty was left."""


class HourglassTurned(Event, frozen=True):
    pass


class Paused(Event, frozen=True):
    pass


class Resumed(Event, frozen=True):
    pass


class GuessTakenBack(Event, frozen=True):
    """The operator corrected: the board stands as before the latest guess."""


class NumberCorrected(Event, frozen=True):
    number: Number


class GameEnded(Event, frozen=True):
    outcome: Outcome


class Revealed(Event, frozen=True):
    """The key of the game, which is over, was made public."""


AnyEvent = (
    Dealt
    | KeyRedrawn
    | ClueGiven
    | Guessed
    | TurnEnded
    | Challenged
    | Allowed
    | PenaltyDue
    | Covered
    | Declined
    | HourglassTurned
    | Paused
    | Resumed
    | GuessTakenBack
    | NumberCorrected
    | GameEnded
    | Revealed
)


def encode(event: Event) -> bytes:
    """An event as JSON. `Dealt` and `KeyRedrawn` hold the key: this is for the journal alone."""
    return msgspec.json.encode(event)


def decode(body: bytes) -> AnyEvent:
    """The event that `encode` wrote. Raises msgspec.DecodeError (a ValueError)."""
    return _DECODER.decode(body)


_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
