"""An agent's identikit, and the two codes that the fragments of six agents make.

An identikit contains the truth. It also shows the truth (`Identikit.says`), with one exception: the
identikit of the infiltrator shows the other faction (CX-12).
"""

import enum
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from pi_table.games.rules.team import Team

ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of fragments: no 0, O, 1 or I, which are confused with one another (CX-1)."""
FRAGMENT_LENGTH: Final = 4
CODE_LENGTH: Final = 3 * FRAGMENT_LENGTH
POSITIONS: Final = (1, 2, 3)
NAME_LENGTH: Final = 12
OWN_CODE_LENGTH: Final = 4
"""Number of digits of a personal code (CX-19)."""
WRONG_CODES: Final = 3
"""Number of wrong personal codes that ends an agent's visit (CX-19)."""

Value = str | int
"""The value of a fact: text, or a position."""


class Role(enum.Enum):
    """The roles of agents, each with a power of its own (CX-11 to CX-16)."""

    HACKER = "hacker"
    INFILTRATOR = "infiltrator"
    INFORMER = "informer"
    INQUISITOR = "inquisitor"
    LEADER = "leader"
    PROFILER = "profiler"

    # Each value has one member, so its address can be the hash. Enum would hash the name: slow.
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
"""Facts that a message can contain besides the fragment (CX-5), and that a profiler can ask for
(CX-16)."""
REVEALABLE: Final = (Fact.FACTION, Fact.ROLE, Fact.POSITION, Fact.FRAGMENT)
"""Facts that can be revealed at the truth machine (CX-9), and demanded there (CX-14)."""


class Hides:
    """A mixin that hides the contents of a value whenever it is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("content", "hidden")]  # what rich prints; msgspec's own would show the fields


class Identikit(Hides, msgspec.Struct, frozen=True, gc=False):
    """The identity of an agent. `deal.read_deal` checks a deal; nothing is checked here."""

    nickname: str
    faction: Team
    """The true faction, which decides about code, fragment and victory."""
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
    """Return the faction's three fragments in the order of their positions (CX-2)."""
    members = [identikit for identikit in identikits if identikit.faction is faction]
    members.sort(key=lambda identikit: identikit.position)
    return "".join(identikit.fragment for identikit in members)
