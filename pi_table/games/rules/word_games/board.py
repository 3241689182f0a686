"""What lies open on the table, and, apart from it, the key.

`Board` holds everything that anybody may know, and nothing else; `State` is a board and its key.
What happens after the deal is public the moment it happens, so nearly all of the rules work on
boards, and a function that is given no `State` cannot betray the key.
"""

import enum
from functools import lru_cache
from typing import Final, Literal

import msgspec

from pi_table.common.geometry import CELL_COUNT
from pi_table.common.lettering import misfit, same
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import LAYOUTS, Identity, Key, Layout

RED, BLUE = Team

WORD_LENGTH: Final = 40
"""The most characters of a word that somebody types."""
NUMBERS: Final = frozenset(range(1, 26))
"""The numbers that a clue may have in every game (CN-5)."""
UNLIMITED: Final = "unlimited"
Number = int | Literal["unlimited"]


class Phase(enum.Enum):
    """What the table is waiting for."""

    PLACE = "place"
    CLUE = "clue"
    GUESS = "guess"
    CHALLENGE = "challenge"
    PENALTY = "penalty"
    COVER = "cover"
    OVER = "over"

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
    __hash__ = object.__hash__


PLACE, CLUE, GUESS, CHALLENGE, PENALTY, COVER, OVER = Phase


# Both are asked of one word again and again: as it is typed, given, and with every card laid.
@lru_cache(maxsize=256)
def is_word(text: str) -> bool:
    """True if this can be a clue, or stand on a card that a player writes."""
    return len(text) <= WORD_LENGTH and misfit(text) is None


alike = lru_cache(maxsize=256)(same)


class Clue(msgspec.Struct, frozen=True, gc=False):
    """A clue; its word is None where it was only spoken."""

    team: Team
    word: str | None
    number: Number


Hands = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of red's hand, and of blue's."""


def hand_sizes(layout: Layout, settings: Settings, starts: Team) -> tuple[int, int]:
    """How many words red, and blue, have to lay (DU-2): by turns, from the team that starts; a
    group lays all (NC-3)."""
    others = 0 if settings.players == "cooperative" else layout.cards // 2
    first = layout.cards - others
    return (first, others) if starts is RED else (others, first)


class Laying(msgspec.Struct, frozen=True, gc=False):
    """How far the teams are with laying out the cards (DU-2)."""

    placed: tuple[int, ...] = ()
    """The cells that have a card, the latest last."""
    hands: Hands = ((), ())
    """The words of a pack that red, and blue, have still to lay; a group has all of them. Both are
    empty where the teams lay cards of their own."""
    chosen: str | None = None
    """The word of its hand that the team whose turn it is has chosen; None before it chooses."""

    def hand(self, team: Team) -> tuple[str, ...]:
        red, blue = self.hands
        return red if team is RED else blue


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The word on each cell, None for a cell whose word the table does not know. None instead of
    all where the table knows no word."""
    starts: Team
    """The team that gives the first clue."""
    phase: Phase
    """What the table is waiting for."""
    turn: Team
    """The team whose turn it is. In a challenge it is the team that was challenged, in a penalty
    the team that may cover a cell, and while the cards are laid out the team that lays the next."""
    left: tuple[int, int]
    """How many cells of red, and of blue, are not covered yet."""
    covered: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """What each cell was found to be, None for a cell that is not covered."""
    clue: Clue | None = None
    """The clue of this turn; None before it is given."""
    guesses: int = 0
    """How many guesses were made for this clue."""
    challenged: bool = False
    """True once this clue was challenged. A clue that was challenged and allowed keeps it."""
    clues: tuple[Clue, ...] = ()
    """Every clue of the game, the current one last."""
    countdown: Countdown | None = None
    """The hourglass or the clock; None while neither is there."""
    paused: bool = False
    """True while the game and its time stand still."""
    outcome: Outcome | None = None
    """How the game ended; None before that."""
    before: "Board | None" = None
    """The board as it was before the latest guess, or before the latest card was laid. None where
    neither can be taken back any more (ALL-3)."""
    abandoned: "Board | None" = None
    """The board as it was before the game was abandoned; None unless it was (ALL-3)."""
    shown: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """What each cell was shown to be by a guess that was taken back: nobody forgets it (ALL-3)."""
    corrections: int = 0
    """How many corrections the operator made."""
    new_keys: int = 0
    """How many times a new key was drawn; that it was is public (CN-2)."""
    open_key: Key | None = None
    """The whole key after it was made public (ALL-5); None before that."""
    laying: Laying | None = None
    """How far the cards are laid out. None unless the teams are laying them out (DU-2); there is no
    key while they do."""

    @property
    def layout(self) -> Layout:
        """What keys are like in this game."""
        return LAYOUTS[self.profile]

    @property
    def is_group(self) -> bool:
        """Does one group, the team that starts, play against the table (NC-3)?"""
        return self.settings.players == "cooperative"

    @property
    def keeps_starting(self) -> Team | None:
        """The team that any further key must let start; None for either."""
        return self.starts if self.is_group or self.settings.dealing == "shared" else None

    @property
    def next_team(self) -> Team:
        """Whose turn comes after this one."""
        return self.turn if self.settings.players == "cooperative" else self.turn.other

    @property
    def known_words(self) -> tuple[str, ...]:
        """The words that the table knows to lie on cells."""
        return tuple(word for word in self.words or () if word is not None)

    @property
    def hand(self) -> tuple[str, ...]:
        """The words of a pack that the team whose turn it is has still to lay."""
        return () if self.laying is None else self.laying.hand(self.turn)

    @property
    def next_word(self) -> str | None:
        """The word of a pack that is laid next, if nothing else is said: the chosen one, which is
        the first of the hand before the team chooses. None where it lays a card of its own."""
        if self.laying is not None and self.laying.chosen is not None:
            return self.laying.chosen
        return next(iter(self.hand), None)

    def in_hand(self, word: str) -> str | None:
        """The word as the hand of the team whose turn it is has it; None where it has it not."""
        # Old games may have two words in a hand that are the same today.
        if word in self.hand:
            return word
        return next((own for own in self.hand if alike(own) == alike(word)), None)

    @property
    def is_last_card(self) -> bool:
        """Will the next card that is laid fill the grid (DU-2)?"""
        return self.laying is not None and len(self.laying.placed) == self.layout.cards - 1

    @property
    def to_cover(self) -> Team:
        """Whose cell the spymaster covers, in a penalty (CN-18, AL-14) or a cover (NC-4)."""
        return self.turn.other if self.phase is COVER else self.layout.quarry(self.turn)

    @property
    def has_nuke(self) -> bool:
        return self.layout.fatal is Identity.NUKE

    @property
    def is_armed(self) -> bool:
        """AL-11: would the nuke take both teams with it?"""
        targeted = sum(found is not None and found is not Identity.NUKE for found in self.covered)
        return self.settings.nuke == "mad" and targeted >= ARMED_AT

    @property
    def guesses_left(self) -> int | None:
        """How many guesses the clue allows still: its number and one more (CN-11). None without a
        clue or a limit: unlimited and zero have none (CN-16, CN-17)."""
        number = None if self.clue is None else self.clue.number
        return number + 1 - self.guesses if isinstance(number, int) and number else None

    def agents_left(self, team: Team) -> int:
        red, blue = self.left
        return red if team is RED else blue

    def urging(self, now: float) -> bool:
        """Has the hourglass or the clock run down?"""
        return self.countdown is not None and self.countdown.remaining(now) <= 0.0


ARMED_AT: Final = 13
"""AL-11: so many aliases beside the nuke."""


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: what lies open, and the key, which only spymasters may see."""

    board: Board
    """Everything that lies open."""
    key: Key | None
    """The key of the game. None while the teams lay out the cards (DU-2)."""
    kept: Key | None = None
    """A key that was given before the cards were laid out. It becomes the key of the game when all
    of them lie, and until then nobody may see it, the spymasters included. None where the key is to
    be drawn, and where it is in force already."""
