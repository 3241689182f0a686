"""An agent's identikit, and the codes of the two factions, which consist of the agents' fragments.

An identikit contains the truth and shows it (`Identikit.says`), with one exception: an
infiltrator's identikit shows the other faction (CX-12).
"""

import enum
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from pi_table.games.rules.team import Team

ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of fragments. 0, O, 1 and I are missing, because people confuse them (CX-1)."""
FRAGMENT_LENGTH: Final = 4
CODE_LENGTH: Final = 3 * FRAGMENT_LENGTH
POSITIONS: Final = (1, 2, 3)
NAME_LENGTH: Final = 12
OWN_CODE_LENGTH: Final = 4
"""Number of digits of a personal code (CX-19)."""
WRONG_CODES: Final = 3
"""Number of wrong personal codes after which an agent's visit is lost (CX-19)."""

Value = str | int
"""The value of a fact: a text, or an integer for a position."""


class Role(enum.Enum):
    """The roles of agents. CX-6 and CX-11 to CX-16 describe their powers."""

    HACKER = "hacker"
    INFILTRATOR = "infiltrator"
    INFORMER = "informer"
    INQUISITOR = "inquisitor"
    LEADER = "leader"
    PROFILER = "profiler"

    # Each member exists only once, so its address can be the hash. Enum's own hash is slower.
    __hash__ = object.__hash__


class Fact(enum.Enum):
    """One entry of an identikit."""

    NICKNAME = "nickname"
    FACTION = "faction"
    ROLE = "role"
    POSITION = "position"
    FRAGMENT = "fragment"

    __hash__ = object.__hash__


TELLABLE: Final = (Fact.NICKNAME, Fact.FACTION, Fact.ROLE, Fact.POSITION)
"""Facts that a message can contain besides the fragment (CX-5), and for which a profiler can ask
(CX-16)."""
REVEALABLE: Final = (Fact.FACTION, Fact.ROLE, Fact.POSITION, Fact.FRAGMENT)
"""Facts that an agent can reveal at the truth machine (CX-9), and that an inquisitor can demand
(CX-14)."""


class Hides:
    """A mixin for values that must not show their contents when they are printed or logged."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("content", "hidden")]  # for rich; msgspec's own method would show the fields


class Identikit(Hides, msgspec.Struct, frozen=True, gc=False):
    """The identity of an agent. Its fields are not checked here; `deal.read_deal` checks them."""

    nickname: str
    faction: Team
    """The true faction, with which the agent wins. Its code contains the agent's fragment."""
    role: Role
    position: int
    fragment: str

    @property
    def shown_faction(self) -> Team:
        return self.faction.other if self.role is Role.INFILTRATOR else self.faction

    def says(self, fact: Fact) -> Value:
        """Return the value of a fact as the identikit shows it. No other value is ever revealed."""
        match fact:
            case Fact.NICKNAME:
                return self.nickname
            case Fact.FACTION:
                return str(self.shown_faction.value)
            case Fact.ROLE:
                return self.role.value
            case Fact.POSITION:
                return self.position
            case Fact.FRAGMENT:
                return self.fragment


def code_of(faction: Team, identikits: Iterable[Identikit]) -> str:
    """Return the code of a faction: its three fragments in the order of their positions (CX-2)."""
    members = [identikit for identikit in identikits if identikit.faction is faction]
    members.sort(key=lambda identikit: identikit.position)
    return "".join(identikit.fragment for identikit in members)
