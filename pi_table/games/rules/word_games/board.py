"""The public part of a word game, and, separate from it, the key.

`Board` contains everything that anybody may know, and nothing else; `State` is a board and its key.
All events after the deal are public at once, so nearly all of the rules work on boards, and a
function that receives no `State` cannot leak the key.
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
"""Characters of the longest word that somebody may type."""
NUMBERS: Final = frozenset(range(1, 26))
"""Numbers that a clue may have in every game (CN-5)."""
UNLIMITED: Final = "unlimited"
Number = int | Literal["unlimited"]


class Phase(enum.Enum):
    """The act that the table waits for."""

    PLACE = "place"
    CLUE = "clue"
    GUESS = "guess"
    CHALLENGE = "challenge"
    PENALTY = "penalty"
    COVER = "cover"
    OVER = "over"

    # Each value has one member, so its address can be the hash. Enum would hash the name: slow.
    __hash__ = object.__hash__


PLACE, CLUE, GUESS, CHALLENGE, PENALTY, COVER, OVER = Phase


# `is_word` and `alike` are cached: the same word comes when typed, given, and with every card.
@lru_cache(maxsize=256)
def is_word(text: str) -> bool:
    """True if this can be a clue, or the word on a card that a player writes."""
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
    """Return how many words red and blue have to lay (DU-2).

    They take turns, and the team that starts lays first; a group lays all (NC-3).
    """
    others = 0 if settings.players == "cooperative" else layout.cards // 2
    first = layout.cards - others
    return (first, others) if starts is RED else (others, first)


class Laying(msgspec.Struct, frozen=True, gc=False):
    """The progress of the teams in laying out the cards (DU-2)."""

    placed: tuple[int, ...] = ()
    """The cells that have a card, the latest last."""
    hands: Hands = ((), ())
    """The words of a pack that red and blue must still lay; a group has one hand.

    Both hands are empty if the teams lay cards of their own.
    """
    chosen: str | None = None
    """The word that the team in turn has chosen from its hand; None before it chooses."""

    def hand(self, team: Team) -> tuple[str, ...]:
        red, blue = self.hands
        return red if team is RED else blue


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    words: tuple[str | None, ...] | None
    """The word on each cell; None for an unknown word. None for the whole if no word is known."""
    starts: Team
    """The team that gives the first clue."""
    phase: Phase
    """The act that the table waits for."""
    turn: Team
    """The team in turn: in CHALLENGE the challenged one, in PENALTY the one that may cover."""
    left: tuple[int, int]
    """Numbers of uncovered cells of red and of blue."""
    covered: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """The identity of each covered cell, None for a cell that is not covered."""
    clue: Clue | None = None
    """The clue of this turn; None before it is given."""
    guesses: int = 0
    challenged: bool = False
    """True once this clue was challenged, even if it was allowed after the challenge."""
    clues: tuple[Clue, ...] = ()
    """Every clue of the game, the current one last."""
    guessed: tuple[tuple[int, ...], ...] = ()
    """The cells that were guessed for each of `clues`, in order."""
    countdown: Countdown | None = None
    """The hourglass or the clock; None if the game has no timer."""
    paused: bool = False
    outcome: Outcome | None = None
    before: "Board | None" = None
    """The board before the latest guess or card; None if neither can be undone (ALL-3)."""
    abandoned: "Board | None" = None
    """The board before the game was abandoned; None if the game was not abandoned (ALL-3)."""
    shown: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """The identity of each cell that an undone guess has shown: people have seen it (ALL-3)."""
    corrections: int = 0
    """Number of corrections by the operator."""
    new_keys: int = 0
    """Number of new keys drawn, which is public (CN-2)."""
    open_key: Key | None = None
    """The whole key after it was made public (ALL-5); None before."""
    laying: Laying | None = None
    """The progress of the layout (DU-2). There is no key until it ends; then this is None."""

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.profile]

    @property
    def is_group(self) -> bool:
        """True if one group, the team that starts, plays against the table (NC-3)."""
        return self.settings.players == "cooperative"

    @property
    def keeps_starting(self) -> Team | None:
        """The team that must start again if a new key is drawn; None if either team may."""
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
        """The word to lay by default: the chosen one, or the hand's first; None for an own card."""
        if self.laying is not None and self.laying.chosen is not None:
            return self.laying.chosen
        return next(iter(self.hand), None)

    def in_hand(self, word: str) -> str | None:
        """Return the word as it is written in the hand of the team in turn, or None."""
        # Old games may have two words in a hand that count as the same today.
        if word in self.hand:
            return word
        return next((own for own in self.hand if alike(own) == alike(word)), None)

    @property
    def is_last_card(self) -> bool:
        """True if the next card will fill the grid (DU-2)."""
        return self.laying is not None and len(self.laying.placed) == self.layout.cards - 1

    @property
    def to_cover(self) -> Team:
        """The team whose cell the spymaster covers: in PENALTY (CN-18, AL-14) or COVER (NC-4)."""
        return self.turn.other if self.phase is COVER else self.layout.quarry(self.turn)

    @property
    def has_nuke(self) -> bool:
        return self.layout.fatal is Identity.NUKE

    @property
    def is_armed(self) -> bool:
        """True if a hit of the nuke would now take both teams with it (AL-11)."""
        targeted = sum(found is not None and found is not Identity.NUKE for found in self.covered)
        return self.settings.nuke == "mad" and targeted >= ARMED_AT

    @property
    def guesses_left(self) -> int | None:
        """Guesses that the clue still allows: its number plus one, minus the guesses made (CN-11).

        None without a clue, and for a clue without a limit: unlimited or zero (CN-16, CN-17).
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
"""Covered aliases that arm the nuke (AL-11), without the one on the nuke's own cell."""


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: its public board, and the key, which only spymasters may see."""

    board: Board
    key: Key | None
    """The key of the game. None while the teams lay out the cards (DU-2)."""
    kept: Key | None = None
    """A key that was given before the layout, which nobody may see until that is finished."""
