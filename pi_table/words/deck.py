"""Dealing words so that none comes again before its pack is used up. Pure: chance is an argument.

A *round* is one passage through a pack. When its last words do not fill a deal, they are dealt all
the same, and the next round begins by filling up that deal. What was dealt is not kept here: the
stored deals tell it (``used_so_far``).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from pi_table.geometry import CELL_COUNT
from pi_table.words.pack import Pack


class Chooser(Protocol):
    """The part of ``random.Random`` that dealing needs; ``random.SystemRandom()`` in life."""

    def sample(self, population: Sequence[str], k: int, /) -> list[str]: ...
    def shuffle(self, x: list[str], /) -> None: ...


class Deal(msgspec.Struct, frozen=True):
    """The words of one game, and what the next deal from the same pack has to know.

    ``words``: 25 different words in the order of the cells, A1 B1 … E5.
    ``round``: the round that the next deal goes on with, from 0.
    ``fresh``: those of the words that are used up in that round. The others, if any, were the last
    of the round before.
    """

    words: tuple[str, ...]
    round: int
    fresh: tuple[str, ...]


def deal(pack: Pack, round: int, used: Collection[str], chooser: Chooser) -> Deal:
    """Draw 25 words, each free arrangement equally likely.

    ``round`` and ``used`` (the words already dealt in that round, whether the pack still has them
    or not) are what ``used_so_far`` gives for the earlier deals of this pack.
    """
    gone = frozenset(used)
    unused = [word for word in pack.words if word not in gone]
    if len(unused) >= CELL_COUNT:
        words = tuple(chooser.sample(unused, CELL_COUNT))
        return Deal(words=words, round=round, fresh=words)

    last = frozenset(unused)
    others = [word for word in pack.words if word not in last]
    fresh = chooser.sample(others, CELL_COUNT - len(unused))
    words_in_place = unused + fresh
    chooser.shuffle(words_in_place)
    return Deal(words=tuple(words_in_place), round=round + 1, fresh=tuple(fresh))


def used_so_far(deals_newest_first: Iterable[Deal]) -> tuple[int, frozenset[str]]:
    """The current round of a pack and the words dealt in it, from the stored deals of that pack.

    Stops at the deal that began the round, or, where no words were left over for it, at the one
    before it. Without any deal: round 0, nothing used.
    """
    current: int | None = None
    used: set[str] = set()
    for dealt in deals_newest_first:
        if current is None:
            current = dealt.round
        elif dealt.round != current:
            break
        used.update(dealt.fresh)
        if len(dealt.fresh) < len(dealt.words):
            break
    return current or 0, frozenset(used)
