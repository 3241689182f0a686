"""How a game ended, whichever it was."""

import enum

import msgspec

from pi_table.games.rules.team import Team


class Why(enum.Enum):
    """What ended a game."""

    AGENTS = "agents"
    ASSASSIN = "assassin"
    ABSENT_TEAM = "absent-team"
    ASSETS = "assets"
    NUKE = "nuke"
    CODE = "code"
    STOPPED = "stopped"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a game ended."""

    winner: Team | None
    """The team that won; None where nobody did."""
    losers: tuple[Team, ...]
    """The teams that lost: none, one or both."""
    why: Why
    """What ended the game."""
    score: int | None = None
    """The score of a group that won, 1 to 8 (NC-6); None in every other game."""
