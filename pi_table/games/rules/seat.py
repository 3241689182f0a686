"""The seats of a game: who plays or operates it."""

import enum
from typing import Final

from pi_table.games.rules.team import Team


class Role(enum.Enum):
    """The roles that people have in a game."""

    SPYMASTER = "spymaster"
    OPERATIVES = "operatives"
    AGENT = "agent"
    OPERATOR = "operator"


_TEAMS = {team.value for team in Team}


class Seat(enum.Enum):
    """A seat: the spymaster or the operatives of a team, an agent, or the operator."""

    RED_SPYMASTER = "red-spymaster"
    BLUE_SPYMASTER = "blue-spymaster"
    RED_OPERATIVES = "red-operatives"
    BLUE_OPERATIVES = "blue-operatives"
    AGENT_1 = "agent-1"
    AGENT_2 = "agent-2"
    AGENT_3 = "agent-3"
    AGENT_4 = "agent-4"
    AGENT_5 = "agent-5"
    AGENT_6 = "agent-6"
    OPERATOR = "operator"

    team: Team | None
    """The team of the seat; None for the operator, and for agents, whose team is secret."""
    role: Role

    def __new__(cls, name: str) -> "Seat":
        seat = object.__new__(cls)
        seat._value_ = name
        first, _, second = name.partition("-")
        seat.team = Team(first) if first in _TEAMS else None
        seat.role = Role(second if seat.team else first)
        return seat

    # Each member exists only once, so its address can be the hash. Enum's own hash is slower.
    __hash__ = object.__hash__


def seat_of(team: Team, role: Role) -> Seat:
    return _SEATS[team, role]


_SEATS = {(seat.team, seat.role): seat for seat in Seat if seat.team}
AGENTS: Final = tuple(seat for seat in Seat if seat.role is Role.AGENT)
"""The six agents of Codex, in the order of their seats at the table."""
