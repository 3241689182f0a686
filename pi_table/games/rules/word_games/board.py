"""The public part of a word game and, separately, its key.

`Board` contains everything that anybody may know, and nothing else. `State` is a board and its key.
Everything that happens after the deal is public at once, so nearly all rules need only a board. A
function that receives no `State` cannot leak the key.
"""

import enum
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from pi_table.common.lettering import misfit, same
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import RED, Team
from pi_table.games.rules.word_games.key import LAYOUTS, Identity, Key, Layout

WORD_LENGTH: Final = 40
"""Maximum number of characters of a word that somebody types."""
NUMBERS: Final = frozenset(range(1, 26))
"""Numbers that are allowed for a clue in every game (CN-5)."""
UNLIMITED: Final = "unlimited"
Number = int | Literal["unlimited"]


class Phase(enum.Enum):
    """The phases of a word game. The phase decides which acts the table waits for."""

    PLACE = "place"
    CLUE = "clue"
    GUESS = "guess"
    CHALLENGE = "challenge"
    PENALTY = "penalty"
    COVER = "cover"
    OVER = "over"

    # Each member exists only once, so its address can be the hash. Enum's own hash is slower.
    __hash__ = object.__hash__


PLACE, CLUE, GUESS, CHALLENGE, PENALTY, COVER, OVER = Phase


# `is_word` and `alike` are cached, because the same word is checked when a player types it, when
# a clue is given, and for every card.
@lru_cache(maxsize=256)
def is_word(text: str) -> bool:
    """True if ``text`` can be a clue, or the word on a card that a player writes."""
    return len(text) <= WORD_LENGTH and misfit(text) is None


alike = lru_cache(maxsize=256)(same)


class Clue(msgspec.Struct, frozen=True, gc=False):
    """A clue. Its word is None if the clue was only spoken."""

    team: Team
    word: str | None
    number: Number


Hands = tuple[tuple[str, ...], tuple[str, ...]]
"""The words of red's hand, and the words of blue's hand."""


def hand_sizes(layout: Layout, settings: Settings, starts: Team) -> tuple[int, int]:
    """Return how many words red and blue must lay (DU-2).

    The teams take turns, and the team that starts the game lays first. A group lays all words
    (NC-3).
    """
    others = 0 if settings.players == "cooperative" else layout.cards // 2
    first = layout.cards - others
    return (first, others) if starts is RED else (others, first)


class Laying(msgspec.Struct, frozen=True, gc=False):
    """The progress of the teams in laying out the cards (DU-2)."""

    placed: tuple[int, ...] = ()
    """The cells that have a card, in the order in which the cards were laid."""
    hands: Hands = ((), ())
    """The words of a pack that red and blue must still lay. A group has only one hand.

    Both hands are empty if the teams lay their own cards.
    """
    chosen: str | None = None
    """The word that the team in turn has chosen from its hand; None before it chooses."""
    spellings: tuple[str, ...] = ()
    """The words on the cards in the form in which they are compared: results of `alike`."""

    def hand(self, team: Team) -> tuple[str, ...]:
        red, blue = self.hands
        return red if team is RED else blue


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The word on each cell; None for an unknown word. If no word is known, the whole value is
    None."""
    starts: Team
    """The team that gives the first clue."""
    phase: Phase
    """The act that the table waits for."""
    turn: Team
    """The team in turn. In CHALLENGE it is the team whose clue is challenged, in PENALTY the team
    that may cover a cell."""
    left: tuple[int, int]
    """Numbers of red's and of blue's cells that are not covered."""
    covered: Mapping[int, Identity] = {}
    """The identity of each covered cell."""
    clue: Clue | None = None
    """The clue of this turn; None until it is given."""
    guesses: int = 0
    challenged: bool = False
    """True if this clue has been challenged, even if the clue was allowed afterwards."""
    clues: tuple[Clue, ...] = ()
    """All clues of the game, the latest last."""
    guessed: tuple[tuple[int, int], ...] = ()
    """For each guess, in order, its clue (an index of `clues`) and its cell."""
    countdown: Countdown | None = None
    """The hourglass or the clock; None if neither is in use now."""
    paused: bool = False
    outcome: Outcome | None = None
    before: "Board | None" = None
    """The board before the latest guess or card; None if neither can be undone (ALL-3)."""
    abandoned: "Board | None" = None
    """The board before the game was abandoned; None if the game was not abandoned (ALL-3)."""
    shown: Mapping[int, Identity] = {}
    """For each cell that a correction uncovered again, the identity that people saw there
    (ALL-3)."""
    corrections: int = 0
    """Number of corrections by the operator."""
    new_keys: int = 0
    """Number of times that a new key was drawn. This number is public (CN-2)."""
    open_key: Key | None = None
    """The whole key, once it is public (ALL-5); None before."""
    laying: Laying | None = None
    """The progress in laying out the cards (DU-2); None if all are laid out. During the layout the
    game has no key."""

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.profile]

    @property
    def is_group(self) -> bool:
        """True if one group plays against the table (NC-3). The group is the team that starts."""
        return self.settings.players == "cooperative"

    @property
    def keeps_starting(self) -> Team | None:
        """The team that must start again if a new key is drawn; None if either team may start."""
        return self.starts if self.is_group or self.settings.dealing == "shared" else None

    @property
    def next_team(self) -> Team:
        return self.turn if self.settings.players == "cooperative" else self.turn.other

    @property
    def known_words(self) -> tuple[str, ...]:
        return tuple(word for word in self.words or () if word is not None)

    @property
    def hand(self) -> tuple[str, ...]:
        """The words of a pack that the team in turn must still lay."""
        return () if self.laying is None else self.laying.hand(self.turn)

    @property
    def next_word(self) -> str | None:
        """The word to lay by default: the chosen one, or the first of the hand. None if the team
        lays its own cards."""
        if self.laying is not None and self.laying.chosen is not None:
            return self.laying.chosen
        return next(iter(self.hand), None)

    def in_hand(self, word: str) -> str | None:
        """Return the word as it is spelled in the hand of the team whose turn it is. None if the
        hand does not have it."""
        # Old games may have two words in a hand that count as the same today.
        if word in self.hand:
            return word
        return next((own for own in self.hand if alike(own) == alike(word)), None)

    @property
    def is_last_card(self) -> bool:
        """True if the next card fills the grid (DU-2)."""
        return self.laying is not None and len(self.laying.placed) == self.layout.cards - 1

    @property
    def to_cover(self) -> Team:
        """The team whose cell is to be covered in PENALTY (CN-18, AL-14) or COVER (NC-4)."""
        return self.turn.other if self.phase is COVER else self.layout.quarry(self.turn)

    @property
    def has_nuke(self) -> bool:
        return self.layout.fatal is Identity.NUKE

    @property
    def is_armed(self) -> bool:
        """True if both teams now lose when a team hits the nuke (AL-11)."""
        targeted = sum(found is not Identity.NUKE for found in self.covered.values())
        return self.settings.nuke == "mad" and targeted >= ARMED_AT

    @property
    def guesses_left(self) -> int | None:
        """Number of guesses that the clue still allows: its number plus one, minus the guesses made
        (CN-11).

        None if there is no clue, or if the clue is unlimited or zero (CN-16, CN-17).
        """
        number = None if self.clue is None else self.clue.number
        return number + 1 - self.guesses if isinstance(number, int) and number else None

    def agents_left(self, team: Team) -> int:
        red, blue = self.left
        return red if team is RED else blue

    def urging(self, now: float) -> bool:
        """True if the hourglass or the clock has run out."""
        return self.countdown is not None and self.countdown.remaining(now) <= 0.0


ARMED_AT: Final = 13
"""Number of covered cells, without the nuke's, at which the nuke becomes armed (AL-11)."""


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: its public board, and the key, which only spymasters may see."""

    board: Board
    key: Key | None
    """The key of the game. None while the teams lay out the cards (DU-2)."""
    kept: Key | None = None
    """A key that came with a game whose cards the teams lay out. Nobody may see it until all cards
    are laid out."""
