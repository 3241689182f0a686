"""Dealing words so that none comes again before its pack is used up. Pure: chance is an argument.

A *round* is one passage through a pack. The deal that takes the last words of a round is the first
of the next round, too, so its words come last there; words that were used before fill it up. What
was dealt is not kept here: the stored deals tell it (``used_so_far``).

Words that are kin do not lie in one deal, and each deal has its share of words with several senses
(``deal`` says how). So a word that is kin to another may have to wait for another deal.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import say
from pi_table.common.lettering import same
from pi_table.games.words.drawing import Chooser, Drawing
from pi_table.games.words.kinship import UNKNOWN, Kinship
from pi_table.games.words.pack import Pack
from pi_table.games.words.word import Words


class Deal(msgspec.Struct, frozen=True):
    """The words of one game, and what the next deal from the same pack has to know."""

    words: tuple[str, ...]
    """The words in the order of the cells, all different: 25, unless fewer were asked for."""
    round: int
    """The round with which the next deal goes on, from 0."""
    fresh: tuple[str, ...]
    """The words of ``words`` that are of the pack: they are used up in that round. Tables up to
    version 0.8 left out those that ended the round before."""


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
    last: Collection[str] = (),
    sure: Sequence[str] = (),
    count: int = CELL_COUNT,
    kinship: Kinship = UNKNOWN,
) -> Deal:
    """Draw ``count`` words (25 or fewer) that may lie together, each free arrangement of such
    words equally likely.

    ``round`` and ``used`` (the words already dealt in that round, in whichever spelling, and
    whether the pack still has them or not) are what ``used_so_far`` gives for the earlier deals of
    this pack; ``last`` are the words of the latest of these, which come again only if the pack has
    no others. The words that are ``sure`` to be dealt, guests' for instance, are none of the
    pack's: they use up nothing, and a word of the pack that is like one of them waits for another
    deal. Raises InputError if there are more of them than ``count``, if two of them are alike, or
    if the pack cannot fill the rest.

    ``kinship`` is that of the pack's words and the sure ones. What it asks for:

    - No two words that are kin lie together; one of them waits. Words that have as many kin left
      in the round as there are deals left come first, or the last ones would have to lie together.
      Where so many are kin that the round's words do not fill a deal, the round ends early, and
      what waits does so for the next one. Only where the whole pack cannot fill a deal without kin
      do kin lie together: then words are added of which the fewest lie there that are kin.
    - Of the words drawn, as many have several senses as are due: 15 of 25, or the pack's own share
      if that is less. No more have than leave the later deals of the round their share.

    Where chance has not met with such words after ``TRIES``, as in a pack full of kin, words are
    taken one by one in an order by chance, each if it may lie beside those before it: then not
    each set of words is equally likely any more.
    """
    taken = Words(pack.language)
    for word in sure:
        if other := taken.like(word):
            raise InputError(
                say(
                    "{word} is {other} again; one of the two must go.",
                    word=repr(word),
                    other=repr(other),
                )
            )
        taken.add(word)
    free = [word for word in pack.words if not _is_like(word, taken, pack)] if sure else pack.words
    wanted = count - len(sure)
    if not 0 <= wanted <= len(free):
        raise InputError(
            say(
                "The pack {name} cannot make {len} words up to {count}; take another pack, or "
                "other words.",
                name=pack.name,
                len=len(sure),
                count=count,
            )
        )

    gone, late = frozenset(map(same, used)), frozenset(map(same, last))
    left = {word for word in pack.words if not _is_in(word, gone, pack)}
    unused = [word for word in free if word in left]
    drawing = Drawing(pack, kinship, chooser)
    drawn = drawing.within_round(unused, sure, wanted)
    if drawn is None:
        others = [word for word in free if word not in left]
        latest = {word for word in others if _is_in(word, late, pack)}
        drawn = drawing.across_rounds(unused, others, latest, sure, wanted)
    # A deal that takes the last words of a round, or others besides, is the first of the next one.
    if drawn and (not left.issuperset(drawn) or left.issubset(drawn)):
        round += 1
    words = [*sure, *drawn]
    chooser.shuffle(words)
    return Deal(words=tuple(words), round=round, fresh=tuple(drawn))


def _is_like(word: str, others: Words, pack: Pack) -> bool:
    """Is a word of the pack, in one of its spellings, like one of the others?"""
    twin = pack.twins.get(word)
    return others.like(word) is not None or (twin is not None and others.like(twin) is not None)


def _is_in(word: str, others: Collection[str], pack: Pack) -> bool:
    """Is a word of the pack, in one of its spellings, among others, which `same` gave?"""
    return same(word) in others or (word in pack.twins and same(pack.twins[word]) in others)


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
