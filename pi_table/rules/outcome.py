"""How a game ended, whichever it was."""

import enum

import msgspec

from pi_table.rules.team import Team


class Why(enum.Enum):
    """What ended a game."""

    AGENTS = "agents"
    ASSASSIN = "assassin"
    ABSENT_TEAM = "absent-team"
    ASSETS = "assets"
    NUKE = "nuke"
    CODE = "code"
    STOPPED = "stopped"


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended; ``score`` is that of a group's victory: 1 … 8 (NC-6)."""

    winner: Team | None
    losers: tuple[Team, ...]
    why: Why
    score: int | None = None
