"""Dealing words so that none comes again before its pack is used up. Pure: chance is an argument.

A *round* is one passage through a pack. When its last words do not fill a deal, they are dealt all
the same, and the next round begins by filling up that deal. What was dealt is not kept here: the
stored deals tell it (``used_so_far``).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from pi_table.errors import InputError
from pi_table.geometry import CELL_COUNT
from pi_table.words.pack import Pack
from pi_table.words.word import Words


class Chooser(Protocol):
    """The part of ``random.Random`` that dealing needs; ``random.SystemRandom()`` in life."""

    def sample(self, population: Sequence[str], k: int, /) -> list[str]: ...
    def shuffle(self, x: list[str], /) -> None: ...


class Deal(msgspec.Struct, frozen=True):
    """The words of one game, and what the next deal from the same pack has to know."""

    words: tuple[str, ...]
    """The words in the order of the cells, all different: 25, unless fewer were asked for."""
    round: int
    """The round with which the next deal goes on, from 0."""
    fresh: tuple[str, ...]
    """The words of ``words`` that are used up in that round. Any others were the last ones of the
    round before, or stand in no pack."""


class Used(Protocol):
    """What has to be known of an earlier deal: its round, and the words that it used up in that."""

    @property
    def round(self) -> int: ...
    @property
    def fresh(self) -> tuple[str, ...]: ...


def deal(
    pack: Pack,
    round: int,
    used: Collection[str],
    chooser: Chooser,
    *,
    sure: Sequence[str] = (),
    count: int = CELL_COUNT,
) -> Deal:
    """Draw ``count`` words (25 or fewer), each free arrangement equally likely.

    ``round`` and ``used`` (the words already dealt in that round, whether the pack still has them
    or not) are what ``used_so_far`` gives for the earlier deals of this pack. The words that are
    ``sure`` to be dealt, guests' for instance, are none of the pack's: they use up nothing, and a
    word of the pack that is like one of them waits for another deal. Raises InputError if there
    are more of them than ``count``, if two of them are alike, or if the pack cannot fill the rest.
    """
    taken = Words(pack.language)
    for word in sure:
        if other := taken.like(word):
            raise InputError(f"{word!r} is {other!r} again; one of the two must go.")
        taken.add(word)
    free = [word for word in pack.words if taken.like(word) is None] if sure else pack.words
    wanted = count - len(sure)
    if not 0 <= wanted <= len(free):
        raise InputError(
            f"The pack {pack.name} cannot make {len(sure)} words up to {count}; "
            "take another pack, or other words."
        )

    gone = frozenset(used)
    unused = [word for word in free if word not in gone]
    last: list[str] = []
    if len(unused) < wanted:
        last, unused = unused, [word for word in free if word in gone]
        round += 1
    fresh = chooser.sample(unused, wanted - len(last))
    words = [*sure, *last, *fresh]
    chooser.shuffle(words)
    return Deal(words=tuple(words), round=round, fresh=tuple(fresh))


def used_so_far(deals_newest_first: Iterable[Used]) -> tuple[int, frozenset[str]]:
    """The current round of a pack and the words dealt in it, from the stored deals of that pack.

    Stops at the newest deal of the round before. Without any deal: round 0, nothing used.
    """
    current: int | None = None
    used: set[str] = set()
    for dealt in deals_newest_first:
        if current is None:
            current = dealt.round
        elif dealt.round != current:
            break
        used.update(dealt.fresh)
    return current or 0, frozenset(used)
