"""The events that only word games have. `pi_table.games.rules.events` has those of all games.

Only `Dealt`, `KeyDrawn` and `KeyRedrawn` contain hidden information. A `Key` does not show its
contents when it is printed or logged.
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
    """The pack from which words were dealt. It is stored so that no word repeats before the pack is
    used up."""

    pack: str
    round: int
    """Round (pass through the pack) to which the pack's next deal belongs, counted from 0."""
    fresh: tuple[str, ...]
    """The words of this deal that count as used in the round ``round``."""
    blanks: tuple[str, ...] = ()
    """The words that guests wrote (DU-3). They do not come from the pack."""


class Dealt(Event, frozen=True):
    """The first event of every word game."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The word on each cell; None for a cell without a card. The whole value is None if no word is
    known, or if the teams will lay out the cards."""
    key: Key | None
    """The key of the game. If the teams lay out the cards, it is used only when all cards are on
    the table; None if it will be drawn then (DU-2)."""
    deck: FromPack | None = None
    """The pack of the words; None if they came from no pack."""
    starts: Team | None = None
    """The team that starts; None if the key decides it."""
    hands: Hands | None = None
    """The words of a pack that each team must lay, public from the start. None if the teams do not
    lay words of a pack."""

    @property
    def is_shared(self) -> bool:
        """True if the teams will lay out the cards (DU-2)."""
        return self.settings.dealing == "shared" and self.words is None


class Chosen(Event, frozen=True):
    """A team chose which card of its hand it lays next."""

    team: Team
    word: str


class Placed(Event, frozen=True):
    """A team laid a card on a cell. The word is None if the table does not know the card's word."""

    team: Team
    cell: int
    word: str | None


class CardTakenBack(Event, frozen=True):
    """The operator took back the latest card: it is off the table again."""


class KeyDrawn(Event, frozen=True):
    """All cards are on the table, so the first key was drawn."""

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
    """The operatives of ``team`` guessed a cell, which has this ``identity``."""

    team: Team
    cell: int
    identity: Identity


class Ended(enum.Enum):
    """Reasons why a turn ended."""

    GUESS = "guess"
    LAST_GUESS = "last-guess"
    STOPPED = "stopped"
    CLOCK = "clock"
    INVALID_CLUE = "invalid-clue"


class TurnEnded(Event, frozen=True):
    """A turn ended, and the next one begins."""

    then: Team
    """The team whose turn begins. If a group plays alone, this is the same team, and its spymaster
    covers a cell first (NC-4)."""
    why: Ended


class Challenged(Event, frozen=True):
    """The clue was challenged."""

    by: Team


class Allowed(Event, frozen=True):
    """The challenged clue is allowed."""


class PenaltyDue(Event, frozen=True):
    """The other team's clue was invalid. Before its own clue, ``team`` may cover one of the cells
    that it seeks."""

    team: Team


class Covered(Event, frozen=True):
    """The spymaster of ``team`` covered a cell: because of a penalty (CN-18), or in place of the
    absent team (NC-4)."""

    team: Team
    cell: int


class Declined(Event, frozen=True):
    """The penalty was declined."""


class HourglassTurned(Event, frozen=True):
    """Somebody turned the hourglass over."""


class GuessTakenBack(Event, frozen=True):
    """The operator took back the latest guess: the board is as it was before that guess."""


class NumberCorrected(Event, frozen=True):
    """The operator corrected the clue's number to ``number``."""

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
