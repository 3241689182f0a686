"""What happens in a word game, besides what happens in any (`pi_table.rules.events`).

Only `Dealt`, `KeyDrawn` and `KeyRedrawn` hold anything that is not public; a `Key` hides itself in
every text made of them.
"""

import enum

import msgspec

from pi_table.rules.events import Event, GameEnded, Paused, Resumed, Revealed
from pi_table.rules.profile import Settings
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import Number
from pi_table.rules.word_games.key import Identity, Key


class FromPack(msgspec.Struct, frozen=True):
    """Where dealt words came from, so that none comes again before its pack is used up."""

    pack: str
    round: int
    fresh: tuple[str, ...]
    """Those of the words that count as used in this round of the pack."""
    blanks: tuple[str, ...] = ()
    """Those of the words that are no words of the pack: guests wrote them (DU-3)."""


class Dealt(Event, frozen=True):
    """The first event of every game."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """One for each cell, None for one that holds no card; None where the table knows none, or the
    teams are still to lay them out."""
    key: Key | None
    """Where the teams lay out the cards: one that was given for then, or None (DU-2)."""
    deck: FromPack | None = None
    """None where the words are the players' own, or none."""
    starts: Team | None = None
    """The team that starts; None where the key alone says it."""
    hands: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Where the teams lay out words of a pack: those of red, and of blue, each in its order."""

    @property
    def is_shared(self) -> bool:
        """Are the teams to lay out the cards (DU-2)?"""
        return self.settings.dealing == "shared" and self.words is None


class Placed(Event, frozen=True):
    """A team laid a card on a cell; its word is None where the table does not know it."""

    team: Team
    cell: int
    word: str | None


class CardTakenBack(Event, frozen=True):
    """The operator corrected: the latest card is off the table again."""


class KeyDrawn(Event, frozen=True):
    """The last card lies, and so there is a key: its first."""

    key: Key


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
    """``then`` is the team whose turn begins; the same again where no other team plays, and then
    its spymaster covers a cell first (NC-4)."""

    then: Team
    why: Ended


class Challenged(Event, frozen=True):
    by: Team


class Allowed(Event, frozen=True):
    pass


class PenaltyDue(Event, frozen=True):
    """The clue was invalid: before its own clue ``team`` may cover one of those it looks for."""

    team: Team


class Covered(Event, frozen=True):
    """The spymaster of ``team`` covered a cell: the penalty was taken, or it was one of the absent
    team."""

    team: Team
    cell: int


class Declined(Event, frozen=True):
    """The penalty was left."""


class HourglassTurned(Event, frozen=True):
    pass


class GuessTakenBack(Event, frozen=True):
    """The operator corrected: the board stands as before the latest guess."""


class NumberCorrected(Event, frozen=True):
    number: Number


AnyEvent = (
    Dealt
    | Placed
    | CardTakenBack
    | KeyDrawn
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
