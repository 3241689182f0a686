"""The key: whose each of the 25 cells is, how it is written, how it is hidden, how it is drawn.

What there is under the cells is its game's `Layout`. As text a key is 25 letters, in the order of
the cells: ``r`` and ``b`` for the agents (Alias 24: assets) of red and blue, ``n`` for a bystander
or decoy, ``a`` for the assassin or nuke, ``-`` for a cell that holds no card.
"""

import enum
import secrets
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, product
from typing import Any, Final

import msgspec

from pi_table.errors import InputError
from pi_table.geometry import CELL_COUNT, CELLS
from pi_table.rules.team import Team

NO_CARD: Final = "-"


class Identity(enum.Enum):
    """What lies under a cell: its ``letter`` in the text of a key, its ``team`` if it has one."""

    RED = "red", "r", Team.RED
    BLUE = "blue", "b", Team.BLUE
    BYSTANDER = "bystander", "n", None
    ASSASSIN = "assassin", "a", None
    DECOY = "decoy", "n", None
    NUKE = "nuke", "a", None

    letter: str
    team: Team | None

    def __new__(cls, value: str, letter: str, team: Team | None) -> "Identity":
        identity = object.__new__(cls)
        identity._value_ = value
        identity.letter = letter
        identity.team = team
        return identity

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Layout:
    """What lies under the cells of a game, and who looks for what."""

    more: int
    """Cells of the team that has the more of them, and"""
    fewer: int
    """of the other."""
    harmless: int
    """How many are nobody's, and"""
    of_nobody: Identity
    """what those are."""
    fatal: Identity
    """What the one cell is that a team loses by."""
    without_card: int | None = None
    """The cell that holds no card."""
    hostile: bool = False
    """Does each team look for the other's cells (AL-3), not for its own?"""

    def quarry(self, team: Team) -> Team:
        """Whose cells the team looks for; the same way back: who looks for the team's cells."""
        return team.other if self.hostile else team

    @cached_property
    def by_letter(self) -> dict[str, Identity]:
        """What each letter of a key stands for."""
        there_are = (Identity.RED, Identity.BLUE, self.of_nobody, self.fatal)
        return {identity.letter: identity for identity in there_are}

    @cached_property
    def numbering(self) -> "Numbering":
        return Numbering(self.more, self.fewer, self.harmless)

    def letters(self, number: int) -> str:
        """The text of the key with this number, 0 … ``numbering.count`` - 1."""
        letters, without = self.numbering.letters(number), self.without_card
        return letters if without is None else letters[:without] + NO_CARD + letters[without:]


CLASSIC: Final = Layout(9, 8, 7, Identity.BYSTANDER, Identity.ASSASSIN)
"""CN-2."""
ALIAS: Final = Layout(9, 8, 6, Identity.DECOY, Identity.NUKE, CELLS.index("C3"), hostile=True)
"""AL-1."""


def layout_of(letters: str) -> Layout:
    """The layout of a key with these letters: one of them alone has a cell without a card."""
    return ALIAS if NO_CARD in letters else CLASSIC


def identity_at(letters: str, cell: int) -> Identity | None:
    """What these 25 letters say of the cell (0 … 24); None if it holds no card."""
    return layout_of(letters).by_letter.get(letters[cell])


class Key(msgspec.Struct, frozen=True):
    """Whose each cell is. Printing one, in whatever way, shows nothing of it.

    ``letters`` holds it in the clear: that is what pickle and msgspec store. It is not checked
    here; what comes from outside goes through ``Key.read``.
    """

    letters: str

    @classmethod
    def read(cls, text: object, layout: Layout = CLASSIC) -> "Key":
        """The key of this layout that these 25 letters spell.

        Raises InputError, which tells nothing of the text: it may be a key but for a slip.
        """
        if not isinstance(text, str) or not _are_letters_of(text, layout):
            wrong = "has other letters than it can have"
            if not isinstance(text, str) or len(text) != CELL_COUNT:
                wrong = f"is not {CELL_COUNT} letters"
            raise InputError(
                f"The key {wrong}. Give one small letter for each cell, in the order A1 B1 C1 D1 "
                f"E1 A2 … E5: r (red), b (blue), n ({layout.of_nobody.value}) or a "
                f"({layout.fatal.value}){_but_for_the_cell_without_card(layout)}."
            )
        of_teams = {text.count(team.letter) for team in Team}
        if of_teams != {layout.more, layout.fewer} or text.count("n") != layout.harmless:
            raise InputError(
                f"The key has the wrong number of some letter. Give {layout.more} cells to one "
                f"team, {layout.fewer} to the other; {layout.harmless} are n "
                f"({layout.of_nobody.value}), and 1 is a ({layout.fatal.value})."
            )
        return cls(text)

    def identity(self, cell: int) -> Identity:
        """Whose the cell (0 … 24) is; KeyError if it holds no card."""
        letters = self.letters
        return layout_of(letters).by_letter[letters[cell]]

    @property
    def starts(self) -> Team:
        """The team that starts: it has the more to look for."""
        layout = layout_of(self.letters)
        red_has_more = self.letters.count(Team.RED.letter) == layout.more
        return layout.quarry(Team.RED if red_has_more else Team.BLUE)

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("letters", "hidden")]  # what rich prints; msgspec's own would show them


def _are_letters_of(text: str, layout: Layout) -> bool:
    """Is there one of the layout's letters for each cell, and none where there is no card?"""
    without = layout.without_card
    letters = text if without is None else text[:without] + text[without + 1 :]
    no_card = without is None or text[without : without + 1] == NO_CARD
    return len(text) == CELL_COUNT and no_card and layout.by_letter.keys() >= {*letters}


def _but_for_the_cell_without_card(layout: Layout) -> str:
    without = layout.without_card
    return "" if without is None else f"; and {NO_CARD} for {CELLS[without]}, which holds no card"


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
    numbers of words. The splits stand in a row, first those where red has the more: to find a key
    is one search for its split and three look-ups. The two teams' counts must differ; if they did
    not, every key would be there twice.
    """

    def __init__(self, more: int, fewer: int, harmless: int) -> None:
        others = more + fewer + harmless
        left, middle, right = (_words((others + extra) // 3) for extra in range(3))
        self._splits = [
            (first, second, third)
            for red, blue in ((more, fewer), (fewer, more))
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


def draw(
    below: Callable[[int], int] = secrets.randbelow,
    layout: Layout = CLASSIC,
    starts: Team | None = None,
) -> Key:
    """A new key, every one as likely as any other, among those in which ``starts`` starts; with
    None, among all, and so either team is as likely to.

    In the classic game there are 2 · 25! / (9! · 8! · 7! · 1!) = 420,689,412,000 keys: the orders
    of 25 cards of which 9, 8, 7 and 1 are alike, for either team that starts. One number is drawn
    below that count, or below half of it, and it is the number of the key; nothing else is left to
    chance. That is log₂ of the count, 38.6 bits: a key can be found from a bare hash or checksum of
    it in minutes.

    ``below(n)`` gives an integer from 0 to n - 1, each equally likely; by default the operating
    system's generator does.
    """
    count = layout.numbering.count
    if starts is None:
        return Key(layout.letters(below(count)))
    half = count // 2  # below it red has the more cells, from it on blue
    first = 0 if layout.quarry(starts) is Team.RED else half
    return Key(layout.letters(first + below(half)))
