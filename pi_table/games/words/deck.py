"""Deal words so that no word repeats before all words of its pack have been dealt.

The functions are pure: random choices come from an argument. A *round* is one pass through a pack.
If the remaining words of a round do not fill a deal, used words are added. This deal also belongs
to the next round: its words are not dealt again before all other words of that round. The dealt
words are not stored here: ``current_round`` finds them in the stored deals.

Related words (kin) are not dealt together, and each deal has its share of words with several senses
(see ``deal``). Therefore a word may have to wait for another deal.
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
    """The words of one game, and the values that the next deal from the same pack needs."""

    words: tuple[str, ...]
    """The words in the order of the cells, all different: 25, or fewer if the caller asked for
    fewer."""
    round: int
    """Round (pass through the pack) to which the pack's next deal belongs, counted from 0."""
    fresh: tuple[str, ...]
    """The dealt words that came from the pack. They count as used in the round ``round``.

    In deals stored by version 0.8 or older, the last words of the previous round are missing here.
    """


class Used(Protocol):
    """An earlier deal: its round, and the words that count as used in that round."""

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
    """Draw ``count`` words (25 or fewer) that may be dealt together.

    ``round`` and ``used`` come from ``current_round`` for the earlier deals of this pack. ``used``
    are the words already dealt in that round, in any spelling, even if the pack no longer has them.
    ``last`` are the words of the latest deal, which come again only if the pack has no other words.
    ``sure`` words, for example guests' words, are always dealt. They are not from the pack and do
    not count as used. A word of the pack that is like a sure word waits for another deal. Raises
    InputError if there are more sure words than ``count``, if two of them are alike, or if the pack
    cannot fill the rest.

    ``kinship`` is the kinship of the pack's words and the sure words. The rules are:

    1. Two words that are kin are not dealt together; one of the two waits. A word comes first if it
       has at least as many unused kin as the round has deals after this one. Otherwise it would
       have to be dealt together with kin later. If so many words are kin that the round's words do
       not fill a deal, the round ends early, and the waiting words go to the next round. Kin are
       dealt together only if the whole pack cannot fill a deal otherwise. In this case words with
       the fewest kin in the deal are added.
    2. At least 15 of 25 drawn words must have several senses. If the pack has a smaller share of
       such words, its own share is enough. The later deals of the round must also get their share.
    3. Sets of words are drawn at random until one is allowed. This makes every allowed set equally
       likely. After ``MAX_TRIES`` draws, as in a pack full of kin, words are taken one by one in
       random order. A word is taken if it may join the words taken before it. Sets found in this
       way are not equally likely.
    """
    taken = Words(pack.language)
    for word in sure:
        if other := taken.like(word):
            raise InputError(
                say(
                    "{word} is the same as {other}; remove one of the two.",
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
    # A deal with the last words of a round, or with used ones, is the first of the next round.
    if drawn and (not left.issuperset(drawn) or left.issubset(drawn)):
        round += 1
    words = [*sure, *drawn]
    chooser.shuffle(words)
    return Deal(words=tuple(words), round=round, fresh=tuple(drawn))


def _is_like(word: str, others: Words, pack: Pack) -> bool:
    """True if ``word`` or its second spelling is like one of ``others``."""
    twin = pack.twins.get(word)
    return others.like(word) is not None or (twin is not None and others.like(twin) is not None)


def _is_in(word: str, others: Collection[str], pack: Pack) -> bool:
    """True if ``others`` contains the key (see `same`) of ``word`` or of its second spelling."""
    return same(word) in others or (word in pack.twins and same(pack.twins[word]) in others)


def current_round(deals_newest_first: Iterable[Used]) -> tuple[int, frozenset[str]]:
    """Return the number of a pack's current round, and the words already dealt in it.

    Reads no deals older than that round. Without any deal, returns 0 and no words.
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
