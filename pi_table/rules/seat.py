"""Who may sit at the table."""

import enum

from pi_table.rules.key import Team


class Role(enum.Enum):
    SPYMASTER = "spymaster"
    OPERATIVES = "operatives"
    OPERATOR = "operator"


class Seat(enum.Enum):
    RED_SPYMASTER = "red-spymaster"
    BLUE_SPYMASTER = "blue-spymaster"
    RED_OPERATIVES = "red-operatives"
    BLUE_OPERATIVES = "blue-operatives"
    OPERATOR = "operator"

    team: Team | None
    role: Role

    def __new__(cls, name: str) -> "Seat":
        seat = object.__new__(cls)
        seat._value_ = name
        of, _, plays = name.rpartition("-")
        seat.team = Team(of) if of else None
        seat.role = Role(plays)
        return seat

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
    __hash__ = object.__hash__


def seat_of(team: Team, role: Role) -> Seat:
    """The seat that plays this role for this team."""
    return _SEATS[team, role]


_SEATS = {(seat.team, seat.role): seat for seat in Seat if seat.team}
