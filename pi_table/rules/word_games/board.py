"""What lies open on the table, and, apart from it, the key.

`Board` holds everything that anybody may know, and nothing else; `State` is a board and its key.
What happens after the deal is public the moment it happens, so nearly all of the rules work on
boards, and a function that is given no `State` cannot betray the key.
"""

import enum
import unicodedata
from functools import lru_cache
from typing import Final, Literal

import msgspec

from pi_table.geometry import CELL_COUNT
from pi_table.rules.countdown import Countdown
from pi_table.rules.outcome import Outcome
from pi_table.rules.profile import Settings
from pi_table.rules.team import Team
from pi_table.rules.word_games.key import LAYOUTS, Identity, Key, Layout

RED, BLUE = Team

WORD_LENGTH: Final = 40
"""The most characters of a word that somebody types."""
NUMBERS: Final = range(1, 26)
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


def is_word(text: str) -> bool:
    """Can this be a clue, or stand on a card that a player writes?"""
    return 0 < len(text) <= WORD_LENGTH and text.isprintable()


@lru_cache(maxsize=256)  # it is asked of the words on the table again with every card laid
def alike(word: str) -> str:
    """The same for two words that are the same but for case and spaces."""
    return unicodedata.normalize("NFC", "".join(word.casefold().split()))


class Clue(msgspec.Struct, frozen=True, gc=False):
    """A clue; its word is None where it was only spoken."""

    team: Team
    word: str | None
    number: Number

    @property
    def most_guesses(self) -> int | None:
        """CN-11, CN-16, CN-17: number + 1, or None where there is no limit."""
        return self.number + 1 if isinstance(self.number, int) and self.number else None


class Laying(msgspec.Struct, frozen=True, gc=False):
    """How far the teams are with laying out the cards."""

    placed: tuple[int, ...] = ()
    """The cells that have their card, the latest last."""
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The words of a pack that red and blue have still to lay; else they lay cards of their own."""


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The words on the cells, None where the table knows none."""
    starts: Team
    phase: Phase
    turn: Team
    """In a challenge still the challenged team; in a penalty the team that takes it; while cards
    are laid out the team that lays the next."""
    left: tuple[int, int]
    """Agents (Alias 24: assets) not yet covered: of red, of blue."""
    covered: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    clue: Clue | None = None
    guesses: int = 0
    """Guesses made for this clue."""
    challenged: bool = False
    """Was this clue challenged (and, in the phase GUESS, allowed)?"""
    clues: tuple[Clue, ...] = ()
    """Every clue of the game, the current one last."""
    countdown: Countdown | None = None
    paused: bool = False
    outcome: Outcome | None = None
    before: "Board | None" = None
    """The board before the latest guess, or card laid, while that can still be taken back (ALL-3).
    """
    shown: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """What a guess that was taken back had shown: nobody forgets it (ALL-3)."""
    corrections: int = 0
    new_keys: int = 0
    """How often a new key was drawn: it is public that it was (CN-2)."""
    open_key: Key | None = None
    """The whole key, once it was made public after the end (ALL-5)."""
    laying: Laying | None = None
    """While the teams lay out the cards (DU-2); there is no key then."""

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
        """The words of a pack that the team whose turn it is has still to lay; a group lays all."""
        if self.laying is None:
            return ()
        red, blue = self.laying.hands
        if self.is_group:
            return red + blue
        return red if self.turn is RED else blue

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
        """How many guesses the clue allows still (CN-11); None without a clue or a limit."""
        if self.clue is None or (most := self.clue.most_guesses) is None:
            return None
        return most - self.guesses

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
    key: Key | None
    """None while the teams lay out the cards (DU-2)."""
    kept: Key | None = None
    """Until then nobody may see it: a key that was given for the time when all cards lie."""
