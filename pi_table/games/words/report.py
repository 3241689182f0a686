"""Statistics of word packs: their size, words with several senses, and simulated deals.

The caller passes a function that tests whether a referee knows a word, because this package does
not import the referee.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from statistics import median
from typing import Final, TextIO

import msgspec

from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import for_reader, say
from pi_table.games.words.deck import Deal, deal
from pi_table.games.words.kinship import Kinship, kinship
from pi_table.games.words.pack import Pack
from pi_table.games.words.word import Words

Knows = Callable[[str, str], bool]
"""A function that takes a word and its language. It returns True if a referee knows the word."""


class Overlap(msgspec.Struct, frozen=True):
    """The words that a pack shares with another pack."""

    pack: str
    words: int
    """Number of words of this pack that are like a word of the other pack."""
    share: float
    """Share of this pack's words that are like a word of the other pack, from 0 to 1."""


class Figures(msgspec.Struct, frozen=True):
    """The statistics of one pack."""

    pack: str
    language: str
    words: int
    many: int
    """Number of words with two or more senses."""
    many_share: float
    """Words with two or more senses as a share of all words of the pack, from 0 to 1."""
    overlaps: tuple[Overlap, ...]
    """The overlap with each other pack in the same language."""
    kin: tuple[tuple[str, str], ...]
    deals: int
    """Number of simulated boards. They are dealt one after another, as at a table."""
    deals_with_kin: int
    """Number of boards on which two words are kin (related)."""
    least_many: int
    """The smallest number of words with two or more senses on any board."""
    median_many: float
    """The median, over all boards, of the number of words with two or more senses."""
    unknown: tuple[str, ...]


def figures(
    pack: Pack, others: Iterable[Pack], deals: int, chooser: random.Random, knows: Knows
) -> Figures:
    """Compute the statistics of a pack, and of ``deals`` boards (at least 1) dealt from it.

    The overlap is computed with each pack of ``others`` that has the same language.
    """
    known = kinship(pack.words, pack.language)
    boards = [*_boards(pack, known, deals, chooser)]
    many = [sum(word in known.many for word in board) for board in boards]
    return Figures(
        pack=pack.name,
        language=pack.language,
        words=len(pack.words),
        many=len(known.many),
        many_share=_share(len(known.many), pack),
        overlaps=tuple(
            _overlap(pack, other)
            for other in others
            if other.language == pack.language and other.name != pack.name
        ),
        kin=tuple(_kin_in(pack.words, known)),
        deals=deals,
        deals_with_kin=sum(any(_kin_in(board, known)) for board in boards),
        least_many=min(many),
        median_many=median(many),
        unknown=tuple(word for word in pack.words if not knows(word, pack.language)),
    )


def _boards(
    pack: Pack, known: Kinship, deals: int, chooser: random.Random
) -> Iterator[tuple[str, ...]]:
    """Yield the words of ``deals`` boards, dealt one after another from the pack."""
    before, used, last = 0, frozenset[str](), tuple[str, ...]()
    for _ in range(deals):
        dealt: Deal = deal(pack, before, used, chooser, last=last, kinship=known)
        used = frozenset(dealt.fresh).union(used if dealt.round == before else ())
        before, last = dealt.round, dealt.fresh
        yield dealt.words


def _kin_in(words: Sequence[str], known: Kinship) -> Iterator[tuple[str, str]]:
    akin = [word for word in words if word in known.kin]
    return (pair for pair in combinations(akin, 2) if pair[1] in known.kin[pair[0]])


def _overlap(pack: Pack, other: Pack) -> Overlap:
    there = Words(other.language, other.words)
    alike = sum(there.like(word) is not None for word in pack.words)
    return Overlap(other.name, alike, _share(alike, pack))


def _share(count: int, pack: Pack) -> float:
    return round(count / len(pack.words), 4) if pack.words else 0.0


def tell(found: Figures, out: TextIO) -> None:
    """Print the statistics of a pack in a few lines of text."""

    def line(text: str) -> None:
        print(for_reader(text), file=out)

    words = say("{words} words", words=found.words)
    line(f"{found.pack} ({found.language}): " + words)
    line(
        say(
            "  with two senses or more  {many} ({many_share})",
            many=found.many,
            many_share=f"{found.many_share:.1%}",
        )
    )
    for overlap in found.overlaps:
        line(
            say(
                "  also in {pack} {words} ({share})",
                pack=f"{overlap.pack:<16}",
                words=overlap.words,
                share=f"{overlap.share:.1%}",
            )
        )
    line(
        say(
            "  pairs of kin             {len}{some}",
            len=len(found.kin),
            some=_some(map(" ".join, found.kin)),
        )
    )
    line(say("  boards dealt             {deals}", deals=found.deals))
    line(say("  boards with kin          {deals_with_kin}", deals_with_kin=found.deals_with_kin))
    line(
        say(
            "  of {cell_count} with several senses  {least_many} at least, {median_many} in the "
            "median",
            cell_count=CELL_COUNT,
            least_many=found.least_many,
            median_many=f"{found.median_many:g}",
        )
    )
    line(
        say(
            "  unknown to the referee   {len}{some}",
            len=len(found.unknown),
            some=_some(found.unknown),
        )
    )


def _some(names: Iterable[str]) -> str:
    told = [*names]
    return (
        f": {', '.join(told[:MAX_NAMED])}{', …' if len(told) > MAX_NAMED else ''}" if told else ""
    )


MAX_NAMED: Final = 10
"""Maximum number of pairs or words in each list of the text output. The JSON output has all."""
