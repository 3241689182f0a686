"""What lies open on the table, and, apart from it, the key.

`Board` holds everything that anybody may know, and nothing else; `State` is a board and its key.
What happens after the deal is public the moment it happens, so nearly all of the rules work on
boards, and a function that is given no `State` cannot betray the key.
"""

import enum
from typing import Final, Literal

import msgspec

from pi_table.geometry import CELL_COUNT
from pi_table.rules.key import Identity, Key, Team
from pi_table.rules.profile import Settings

RED, BLUE = Team

UNLIMITED: Final = "unlimited"
Number = int | Literal["unlimited"]


class Phase(enum.Enum):
    """What the table is waiting for."""

    CLUE = "clue"
    GUESS = "guess"
    CHALLENGE = "challenge"
    PENALTY = "penalty"
    OVER = "over"

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
    __hash__ = object.__hash__


CLUE, GUESS, CHALLENGE, PENALTY, OVER = Phase


class Clue(msgspec.Struct, frozen=True, gc=False):
    """A clue; its word is None where it was only spoken."""

    team: Team
    word: str | None
    number: Number

    @property
    def most_guesses(self) -> int | None:
        """CN-11, CN-16, CN-17: number + 1, or None where there is no limit."""
        return self.number + 1 if isinstance(self.number, int) and self.number else None


class Countdown(msgspec.Struct, frozen=True, gc=False):
    """An hourglass or a clock: ``left`` seconds at the instant ``since``, None while it stands."""

    left: float
    since: float | None

    def remaining(self, now: float) -> float:
        """Seconds left at ``now``, 0 when it has run down."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    @property
    def ends(self) -> float | None:
        """The instant at which it runs down, None while it stands."""
        return None if self.since is None else self.since + self.left

    def stopped(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), None)

    def started(self, now: float) -> "Countdown":
        return Countdown(self.remaining(now), now)


class Why(enum.Enum):
    """What ended a game."""

    AGENTS = "agents"
    ASSASSIN = "assassin"
    STOPPED = "stopped"


class Outcome(msgspec.Struct, frozen=True):
    winner: Team | None
    losers: tuple[Team, ...]
    why: Why
    score: int | None = None


class Board(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game that anybody at the table may know."""

    profile: str
    settings: Settings
    words: tuple[str, ...] | None
    """The words on the cells, None where the players laid out cards of their own."""
    starts: Team
    phase: Phase
    turn: Team
    """In a challenge still the challenged team; in a penalty the team that takes it."""
    left: tuple[int, int]
    """Agents not yet covered: of red, of blue."""
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
    """The board before the latest guess, while that can still be taken back (ALL-3)."""
    shown: tuple[Identity | None, ...] = (None,) * CELL_COUNT
    """What a guess that was taken back had shown: nobody forgets it (ALL-3)."""
    corrections: int = 0
    new_keys: int = 0
    """How often a new key was drawn: it is public that it was (CN-2)."""
    open_key: Key | None = None
    """The whole key, once it was made public after the end (ALL-5)."""

    @property
    def guesses_left(self) -> int | None:
        """How many guesses the clue allows still (CN-11); None without a clue or a limit."""
        most = None if self.clue is None else self.clue.most_guesses
        return None if most is None else most - self.guesses

    def agents_left(self, team: Team) -> int:
        red, blue = self.left
        return red if team is RED else blue

    def urging(self, now: float) -> bool:
        """Has the hourglass or the clock run down?"""
        return self.countdown is not None and self.countdown.remaining(now) <= 0.0


class State(msgspec.Struct, frozen=True, gc=False):
    """A whole game: what lies open, and the key, which only spymasters may see."""

    board: Board
    key: Key
