"""Draw a key. Every key of a layout has a number, and chance chooses the number."""

from bisect import bisect_right
from collections import defaultdict
from functools import cache
from itertools import accumulate, product
from typing import Final

import msgspec

from pi_table.games.rules.chance import Chance
from pi_table.games.rules.team import BLUE, Team
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.key import CLASSIC, NO_CARD, Key, Layout


@cache
def _words(length: int) -> dict[tuple[int, int], list[str]]:
    """Return all words of this length made of the letters r, b and n, grouped by how many r and b
    they contain."""
    words = defaultdict(list)
    for letters in product("rbn", repeat=length):
        word = "".join(letters)
        words[word.count("r"), word.count("b")].append(word)
    return words


class Numbering:
    """Gives each key with the given counts and one assassin its own number, 0 … ``count`` - 1.

    1. The number encodes the assassin's cell, and the arrangement of the other cells.
    2. The other cells are cut into three blocks. A *split* says how many letters r, b and n each
       block has. Each block can have its letters in any order. So a split has as many keys as the
       product of the numbers of orders in its three blocks.
    3. The splits are in a list; those in which red has more cells come first. Finding a key takes
       one search for its split and three look-ups.

    The counts of the two teams must differ. Otherwise every key would have two numbers.
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
        """Return the key with this number, 0 … ``count`` - 1, as text."""
        number, assassin = divmod(number, self._places)
        split = bisect_right(self._starts, number) - 1
        first, second, third = self._splits[split]
        number, in_third = divmod(number - self._starts[split], len(third))
        in_first, in_second = divmod(number, len(second))
        agents_and_bystanders = first[in_first] + second[in_second] + third[in_third]
        return f"{agents_and_bystanders[:assassin]}a{agents_and_bystanders[assassin:]}"


@cache
def _numbering(layout: Layout) -> Numbering:
    return Numbering(layout.more, layout.fewer, layout.harmless)


class EveryKey(msgspec.Struct, frozen=True, gc=False):
    """All keys of a layout, each with a number, 0 … ``count`` - 1.

    In the classic game there are 2 · 25! / (9! · 8! · 7! · 1!) = 420,689,412,000 keys: the orders
    of 25 cards of which 9, 8, 7 and 1 are alike, for either team that starts. Only the number of a
    key is random, with 38.6 bits (log₂ of the count). Therefore anybody who has a plain hash or
    checksum of a key can find the key within minutes.
    """

    layout: Layout = CLASSIC
    starts: Team | None = None
    """Only keys with which this team starts are included. None includes all keys."""

    @property
    def count(self) -> int:
        every = _numbering(self.layout).count
        return every if self.starts is None else every // 2

    def item(self, number: int) -> Key:
        """Return the key with this number. Keys in which red has more cells come first."""
        numbering, without = _numbering(self.layout), self.layout.without_card
        if self.starts is not None and self.layout.quarry(self.starts) is BLUE:
            number += numbering.count // 2
        letters = numbering.letters(number)
        if without is not None:
            letters = letters[:without] + NO_CARD + letters[without:]
        return Key(letters)


def key_with_card(state: State, chance: Chance) -> Key | None:
    """Return the game's key if the next card fills the grid (DU-2), else None.

    A new key is drawn, unless the game was given one.
    """
    board = state.board
    if not board.is_last_card:
        return None
    return state.kept or chance.one_of(EveryKey(board.layout, board.starts))
