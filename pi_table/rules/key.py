"""The key: whose each of the 25 cells is, how it is written, how it is hidden, how it is drawn.

A key has 9 cells of the team that starts, 8 of the other, 7 bystanders and the assassin. As text it
is 25 letters, in the order of the cells: ``r`` and ``b`` for the agents of red and blue, ``n`` for
a bystander, ``a`` for the assassin.
"""

import enum
import secrets
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import accumulate, product
from typing import Any, Final

import msgspec

from pi_table.errors import InputError
from pi_table.geometry import CELL_COUNT

STARTING_AGENTS: Final = 9
OTHER_AGENTS: Final = 8
BYSTANDERS: Final = 7


class Team(enum.Enum):
    """One of the two teams; ``letter`` stands for its agents in the text of a key."""

    RED = "red"
    BLUE = "blue"

    letter: str
    other: "Team"

    def __init__(self, value: str) -> None:
        self.letter = value[0]

    # A member is the only one of its value, so its address will do; Enum hashes the name, slowly.
    __hash__ = object.__hash__


Team.RED.other, Team.BLUE.other = Team.BLUE, Team.RED


class Identity(enum.Enum):
    """What lies under a cell: its ``letter`` in the text of a key, its ``team`` if it has one."""

    RED = "red", "r", Team.RED
    BLUE = "blue", "b", Team.BLUE
    BYSTANDER = "bystander", "n", None
    ASSASSIN = "assassin", "a", None

    letter: str
    team: Team | None

    def __new__(cls, value: str, letter: str, team: Team | None) -> "Identity":
        identity = object.__new__(cls)
        identity._value_ = value
        identity.letter = letter
        identity.team = team
        return identity

    __hash__ = object.__hash__


_BY_LETTER: Final = {identity.letter: identity for identity in Identity}


def identity_of_letter(letter: str) -> Identity:
    """The identity that ``r``, ``b``, ``n`` or ``a`` stands for; KeyError for anything else."""
    return _BY_LETTER[letter]


class Key(msgspec.Struct, frozen=True):
    """Whose each cell is. Printing one, in whatever way, shows nothing of it.

    ``letters`` holds it in the clear: that is what pickle and msgspec store. It is not checked
    here; what comes from outside goes through ``Key.read``.
    """

    letters: str

    @classmethod
    def read(cls, text: object) -> "Key":
        """The key that these 25 letters spell.

        Raises InputError, which tells nothing of the text: it may be a key but for a slip.
        """
        if not isinstance(text, str) or len(text) != CELL_COUNT or not _BY_LETTER.keys() >= {*text}:
            raise InputError(
                f"The key is not {CELL_COUNT} letters. Give one for each cell, in the order "
                "A1 B1 C1 D1 E1 A2 … E5: r (red), b (blue), n (bystander) or a (assassin)."
            )
        agents = {text.count(team.letter) for team in Team}
        if agents != {STARTING_AGENTS, OTHER_AGENTS} or text.count("n") != BYSTANDERS:
            raise InputError(
                f"The key has the wrong number of some letter. Give {STARTING_AGENTS} cells to the "
                f"team that starts, {OTHER_AGENTS} to the other, {BYSTANDERS} to bystanders and 1 "
                "to the assassin."
            )
        return cls(text)

    def identity(self, cell: int) -> Identity:
        """Whose the cell (0 … 24) is."""
        return _BY_LETTER[self.letters[cell]]

    @property
    def starts(self) -> Team:
        """The team that starts: it has one agent more."""
        return Team.RED if self.letters.count("r") == STARTING_AGENTS else Team.BLUE

    def agents(self, team: Team) -> int:
        """How many cells are the team's, covered or not: 9 or 8."""
        return self.letters.count(team.letter)

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("letters", "hidden")]  # what rich prints; msgspec's own would show them


@cache
def _words(length: int) -> dict[tuple[int, int], list[str]]:
    """Every word of this length in the letters r, b and n, by how many r and b it has."""
    words = defaultdict(list)
    for letters in product("rbn", repeat=length):
        word = "".join(letters)
        words[word.count("r"), word.count("b")].append(word)
    return words


class Numbering:
    """Numbers every key with the given counts and one assassin: 0 … ``count`` - 1, each key once.

    A number is taken apart into the assassin's cell and what lies under the others. These are cut
    into three blocks. A *split* says how many r, b and n each block has; every word of such counts
    goes with every word of the next block, so a split has as many keys as the product of the three
    numbers of words. The splits stand in a row, those where red starts first: to find a key is one
    search for its split and three look-ups. The two teams' counts must differ; if they did not,
    every key would be there twice.
    """

    def __init__(self, starting: int, other: int, bystanders: int) -> None:
        others = starting + other + bystanders
        left, middle, right = (_words((others + extra) // 3) for extra in range(3))
        self._splits = [
            (first, second, third)
            for red, blue in ((starting, other), (other, starting))
            for (red1, blue1), first in left.items()
            for (red2, blue2), second in middle.items()
            if (third := right.get((red - red1 - red2, blue - blue1 - blue2)))
        ]
        sizes = (len(first) * len(second) * len(third) for first, second, third in self._splits)
        *self._starts, arrangements = accumulate(sizes, initial=0)
        self._places = others + 1
        self.count: Final = self._places * arrangements

    def letters(self, number: int) -> str:
        """The text of the key with this number, 0 … ``count`` - 1."""
        number, assassin = divmod(number, self._places)
        split = bisect_right(self._starts, number) - 1
        first, second, third = self._splits[split]
        number, in_third = divmod(number - self._starts[split], len(third))
        in_first, in_second = divmod(number, len(second))
        agents_and_bystanders = first[in_first] + second[in_second] + third[in_third]
        return f"{agents_and_bystanders[:assassin]}a{agents_and_bystanders[assassin:]}"


KEYS: Final = Numbering(STARTING_AGENTS, OTHER_AGENTS, BYSTANDERS)


def draw(below: Callable[[int], int] = secrets.randbelow) -> Key:
    """A new key, every one as likely as any other, and so either team to start.

    There are 2 · 25! / (9! · 8! · 7! · 1!) = 420,689,412,000 keys: the orders of 25 cards of which
    9, 8, 7 and 1 are alike, for either team that starts. One number is drawn below that count, and
    it is the number of the key; nothing else is left to chance. That is log₂ of the count, 38.6
    bits: a key can be found from a bare hash or checksum of it in minutes.

    ``below(n)`` gives an integer from 0 to n - 1, each equally likely; by default the operating
    system's generator does.
    """
    return Key(KEYS.letters(below(KEYS.count)))
