"""The result of a game, for all families of games."""

import enum

import msgspec

from pi_table.games.rules.team import Team


class Why(enum.Enum):
    """Reasons why a game ended."""

    AGENTS = "agents"
    ASSASSIN = "assassin"
    ABSENT_TEAM = "absent-team"
    ASSETS = "assets"
    NUKE = "nuke"
    CODE = "code"
    STOPPED = "stopped"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The result of a game."""

    winner: Team | None
    """The winning team; None if no team won."""
    losers: tuple[Team, ...]
    """The losing teams: none, one or both."""
    why: Why
    """The reason for the end."""
    score: int | None = None
    """The score, 1 to 8, of a group that won (NC-6); None for any other result."""
