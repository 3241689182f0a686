"""The events of word games, besides those of any game (`pi_table.games.rules.events`).

Only `Dealt`, `KeyDrawn` and `KeyRedrawn` contain anything that is not public; a `Key` hides itself
in every text made from them.
"""

import enum

import msgspec

from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Hands, Number
from pi_table.games.rules.word_games.key import Identity, Key


class FromPack(msgspec.Struct, frozen=True):
    """The source of dealt words, recorded so that no word repeats before its pack is used up."""

    pack: str
    round: int
    """Number of the pack's round to which the next deal belongs, from 0."""
    fresh: tuple[str, ...]
    """The words that this deal uses up in ``round``."""
    blanks: tuple[str, ...] = ()
    """The words that guests wrote (DU-3): they are not in the pack."""


class Dealt(Event, frozen=True):
    """The first event of every game."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The word on each cell, None for a cell without a card. None instead of all if no word is
    known, and if the teams will lay out the cards."""
    key: Key | None
    """The key of the game. If the teams lay out the cards, the key is used only when all cards are
    on the table; None if it will be drawn then (DU-2)."""
    deck: FromPack | None = None
    """The pack of the words; None if they came from no pack."""
    starts: Team | None = None
    """The team that starts; None if only the key decides which team starts."""
    hands: Hands | None = None
    """The words of a pack that each team must lay, public from the start. None in other deals."""

    @property
    def is_shared(self) -> bool:
        """True if the teams will lay out the cards (DU-2)."""
        return self.settings.dealing == "shared" and self.words is None


class Chosen(Event, frozen=True):
    """A team chose the next card of its hand."""

    team: Team
    word: str


class Placed(Event, frozen=True):
    """A team laid a card on a cell. The word is None if the table does not know the card's word."""

    team: Team
    cell: int
    word: str | None


class CardTakenBack(Event, frozen=True):
    """A correction of the operator: the latest card is off the table again."""


class KeyDrawn(Event, frozen=True):
    """The last card is on the table, so the first key was drawn."""

    key: Key


class KeyRedrawn(Event, frozen=True):
    """A new key was drawn for the same words."""

    key: Key


class ClueGiven(Event, frozen=True):
    """The spymaster of ``team`` gave a clue. Its word is None if the clue was only spoken."""

    team: Team
    word: str | None
    number: Number


class Guessed(Event, frozen=True):
    """The operatives of ``team`` touched a cell, whose identity is ``identity``."""

    team: Team
    cell: int
    identity: Identity


class Ended(enum.Enum):
    """Reasons for the end of a turn."""

    GUESS = "guess"
    LAST_GUESS = "last-guess"
    STOPPED = "stopped"
    CLOCK = "clock"
    INVALID_CLUE = "invalid-clue"


class TurnEnded(Event, frozen=True):
    """A turn ended, and the next one begins."""

    then: Team
    """The team whose turn begins. A group that plays alone also has the next turn, and its
    spymaster covers a cell first (NC-4)."""
    why: Ended


class Challenged(Event, frozen=True):
    """The clue was challenged."""

    by: Team


class Allowed(Event, frozen=True):
    """The challenged clue is allowed."""


class PenaltyDue(Event, frozen=True):
    """The clue was invalid. Before its own clue, ``team`` may cover a cell that it looks for."""

    team: Team


class Covered(Event, frozen=True):
    """The spymaster of ``team`` covered a cell: as a penalty (CN-18), or because the team of the
    cell is absent (NC-4)."""

    team: Team
    cell: int


class Declined(Event, frozen=True):
    """The penalty was declined."""


class HourglassTurned(Event, frozen=True):
    """Somebody turned the hourglass over."""


class GuessTakenBack(Event, frozen=True):
    """A correction of the operator: the board is as before the latest guess."""


class NumberCorrected(Event, frozen=True):
    """A correction of the operator: the clue's number is now ``number``."""

    number: Number


AnyEvent = (
    Dealt
    | Chosen
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
    | AbandonTakenBack
    | Revealed
)
