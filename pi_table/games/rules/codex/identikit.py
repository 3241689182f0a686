"""What an agent's identikit says; and the two codes that the fragments of six agents make.

An identikit holds what is true. What it says (`Identikit.says`) is the same, but for the
faction of the infiltrator, whose papers show the other one (CX-12).
"""

import enum
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from pi_table.games.rules.team import Team

ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What fragments are made of: no 0, O, 1 or I, which are taken for one another (CX-1)."""
FRAGMENT_LENGTH: Final = 4
CODE_LENGTH: Final = 3 * FRAGMENT_LENGTH
POSITIONS: Final = (1, 2, 3)
NAME_LENGTH: Final = 12
OWN_CODE_LENGTH: Final = 4
"""The digits of a code of one's own (CX-19)."""
WRONG_CODES: Final = 3
"""So many wrong codes of their own end an agent's visit (CX-19)."""

Value = str | int
"""What a fact says: text, or a position."""


class Role(enum.Enum):
    """What an agent can do that others cannot (CX-11 to CX-16)."""

    HACKER = "hacker"
    INFILTRATOR = "infiltrator"
    INFORMER = "informer"
    INQUISITOR = "inquisitor"
    LEADER = "leader"
    PROFILER = "profiler"

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
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
"""What a message can tell besides the fragment (CX-5), and what a profiler can ask (CX-16)."""
REVEALABLE: Final = (Fact.FACTION, Fact.ROLE, Fact.POSITION, Fact.FRAGMENT)
"""What can be revealed at the truth machine (CX-9), and what can be demanded there (CX-14)."""


class Hides:
    """Printing one, in whatever way, shows nothing of what it holds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("content", "hidden")]  # what rich prints; msgspec's own would show the fields


class Identikit(Hides, msgspec.Struct, frozen=True, gc=False):
    """Who an agent is. It is not checked here; `deal.check` does that for all six."""

    nickname: str
    faction: Team
    """The true one: its code, its fragment, its victory."""
    role: Role
    position: int
    fragment: str

    @property
    def shown_faction(self) -> Team:
        """The faction that the identikit shows."""
        return self.faction.other if self.role is Role.INFILTRATOR else self.faction

    def says(self, fact: Fact) -> Value:
        """What the identikit says: all that is ever told or revealed of it."""
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
    """The faction's three fragments in the order of their positions (CX-2)."""
    members = [identikit for identikit in identikits if identikit.faction is faction]
    members.sort(key=lambda identikit: identikit.position)
    return "".join(identikit.fragment for identikit in members)
