"""Draw words that may be dealt together: no two are related, and enough have several senses.

The functions are pure: random choices come from an argument.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final, Protocol

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.words.kinship import Kinship
from pi_table.games.words.pack import Pack

MIN_MANY: Final = 15
"""Minimum number of words with several senses among 25. A pack with a smaller share of such words
needs only its own share."""
MAX_TRIES: Final = 50
"""Maximum number of random draws of a whole set. After that, words are taken one by one."""


class Chooser(Protocol):
    """The methods of ``random.Random`` that dealing needs. Tables use ``random.SystemRandom()``."""

    def sample(self, population: Sequence[str], k: int, /) -> list[str]: ...
    def shuffle(self, x: list[str], /) -> None: ...


class Drawing:
    """Draws words of one pack that may be dealt together.

    The arguments named ``lying`` are words that are already part of the deal.
    """

    def __init__(self, pack: Pack, kinship: Kinship, chooser: Chooser) -> None:
        self._kin, self._many, self._chooser = kinship.kin, kinship.many, chooser
        many, size = self._count(pack.words), len(pack.words)
        self._share = (
            (MIN_MANY, CELL_COUNT) if many * CELL_COUNT >= MIN_MANY * size else (many, size)
        )
        """The required share of words with several senses: numerator and denominator."""

    def within_round(
        self, unused: Sequence[str], lying: Sequence[str], wanted: int
    ) -> list[str] | None:
        """Return ``wanted`` unused words of the round, or None if too few may be dealt together."""
        pool = self._beside(lying, unused)
        if len(pool) < wanted:
            return None
        deals = _deals(len(unused), wanted)
        return self._draw(pool, unused, wanted, deals, self._due(wanted))

    def across_rounds(
        self,
        unused: Sequence[str],
        used: Sequence[str],
        latest: Collection[str],
        lying: Sequence[str],
        wanted: int,
    ) -> list[str]:
        """Return ``wanted`` words when the unused words of the round do not fill a deal.

        1. Take as many unused words as may be dealt together.
        2. Add used words. Words of the ``latest`` deal are added last.
        3. If these are too few, draw from all words. If that fails too, allow kin, as few as
           possible.
        """
        free = [*unused, *used]
        words = [*self._last(self._beside(lying, unused), wanted)]
        deals = 1 + _deals(len(free) - wanted + len(words), wanted)
        for late in (False, True):
            missing = wanted - len(words)
            if not missing:
                break
            due = self._due(wanted) - self._count(words)
            further = [word for word in used if (word in latest) is late]
            pool = self._beside([*lying, *words], further)
            filling = self._draw(pool, free, missing, deals, due)
            words += self._last(pool, missing) if filling is None else filling
        if len(words) == wanted:
            return words
        pool = self._beside(lying, free)
        drawn = self._draw(pool, free, wanted, deals, self._due(wanted))
        return self._with_fewest_kin(unused, used, lying, wanted) if drawn is None else drawn

    def _last(self, pool: Sequence[str], most: int) -> Sequence[str]:
        """Return all words of the pool if they may be dealt together, else as many as possible.

        At most ``most`` words are returned.
        """
        if len(pool) <= most and not self._kin_counts(pool):
            return pool
        return self._one_by_one([], pool, most, by_kin=True)

    def _with_fewest_kin(
        self, first: Sequence[str], then: Sequence[str], lying: Sequence[str], wanted: int
    ) -> list[str]:
        """Return ``wanted`` words. Each added word has the fewest kin among the words in the deal
        so far.

        In a tie, words of ``first`` come before words of ``then``.
        """
        near = Counter(kin for word in lying for kin in self._kin.get(word, ()))
        order = (self._chooser.sample(words, len(words)) for words in (first, then))
        left = dict.fromkeys(chain.from_iterable(order))
        words: list[str] = []
        while len(words) < wanted:
            word = min(left, key=lambda each: near[each])
            words.append(word)
            near.update(self._kin.get(word, ()))
            del left[word]
        return words

    def _count(self, words: Iterable[str]) -> int:
        return sum(word in self._many for word in words)

    def _due(self, count: int) -> int:
        """Return how many of ``count`` words must have several senses."""
        many, among = self._share
        return count * many // among

    def _beside(self, lying: Sequence[str], words: Sequence[str]) -> Sequence[str]:
        """Return those ``words`` that are neither in ``lying`` nor kin to a word of ``lying``."""
        kin = {*lying}.union(*(self._kin.get(word, ()) for word in lying)) if self._kin else ()
        return [word for word in words if word not in kin] if kin else words

    def _kin_counts(self, pool: Collection[str]) -> dict[str, int]:
        """Return, for each word of a pool that has kin in the pool, the number of these kin."""
        if not self._kin:
            return {}
        there = {*pool}
        counts = ((word, len(self._kin[word] & there)) for word in pool if word in self._kin)
        return {word: count for word, count in counts if count}

    def _draw(
        self, pool: Sequence[str], coming: Sequence[str], count: int, deals: int, due: int
    ) -> list[str] | None:
        """Return ``count`` words of the pool without kin among them, or None if that is impossible.

        If possible, at least ``due`` of them have several senses. ``coming`` are all words that the
        round has not used yet; they are for ``deals`` deals, including this one.
        """
        if urgent := self._urgent(pool, coming, count, deals):
            near = {*urgent}.union(*(self._kin[word] for word in urgent))
            others = [word for word in pool if word not in near]
            if drawn := self._by_chance(urgent, others, coming, count, due):
                return drawn
        return self._by_chance([], pool, coming, count, due)

    def _urgent(
        self, pool: Sequence[str], coming: Sequence[str], most: int, deals: int
    ) -> list[str]:
        """Return up to ``most`` words that must be dealt now, no two of them kin.

        Such a word and its unused kin are too many for the later deals. If the word waits, two of
        these words must share a deal.
        """
        if deals < 2 or not (tied := self._kin_counts(coming)):
            return []
        urgent = [word for word in pool if tied.get(word, 0) + 1 >= deals]
        order = self._chooser.sample(urgent, len(urgent)) if urgent else []
        order.sort(key=lambda word: -tied[word])
        return self._one_after_another([], order, most)

    def _by_chance(
        self, begun: Sequence[str], pool: Sequence[str], coming: Sequence[str], count: int, due: int
    ) -> list[str] | None:
        """Return ``begun``, filled up to ``count`` words with random words of the pool.

        Returns None if the pool has too few words that may be dealt together.
        """
        missing = count - len(begun)
        if not 0 <= missing <= len(pool):
            return None
        least = min(due, self._count(begun) + self._count(pool))
        # Leave enough words with several senses for the later deals of the round.
        most = max(least, self._count(coming) - self._due(len(coming) - count))
        tied = self._kin_counts(pool)
        for _ in range(MAX_TRIES):
            drawn = [*begun, *self._chooser.sample(pool, missing)]
            if least <= self._count(drawn) <= most and not (tied and self._has_kin(drawn)):
                return drawn
        drawn = self._one_by_one(begun, pool, count, least, most)
        if len(drawn) < count:
            drawn = self._one_by_one(begun, pool, count, by_kin=True)
        return None if len(drawn) < count else drawn

    def _has_kin(self, words: Sequence[str]) -> bool:
        there = {*words}
        return any(not there.isdisjoint(self._kin.get(word, ())) for word in words)

    def _one_by_one(
        self,
        begun: Sequence[str],
        pool: Sequence[str],
        count: int,
        least: int = 0,
        most: int | None = None,
        *,
        by_kin: bool = False,
    ) -> list[str]:
        """Return ``begun`` with words of the pool added, up to ``count`` words.

        The order is random; if ``by_kin``, words with fewer kin come first. Of the returned words,
        at least ``least`` and at most ``most`` have several senses.
        """
        order = self._chooser.sample(pool, len(pool))
        if by_kin:
            tied = self._kin_counts(pool)
            order.sort(key=lambda word: tied.get(word, 0))
        return self._one_after_another(begun, order, count, least, most)

    def _one_after_another(
        self,
        begun: Sequence[str],
        order: Sequence[str],
        count: int,
        least: int = 0,
        most: int | None = None,
    ) -> list[str]:
        words = [*begun]
        near = {*words}.union(*(self._kin.get(word, ()) for word in words))
        many = self._count(words)
        for word in order:
            if len(words) == count:
                break
            has_many = word in self._many
            room = many != most if has_many else len(words) - many < count - least
            if word not in near and room:
                words.append(word)
                near.update(self._kin.get(word, ()))
                many += has_many
        return words


def _deals(words: int, wanted: int) -> int:
    """Return the number of deals after which all ``words`` words were dealt once. Each deal has
    ``wanted`` words."""
    return -(-words // wanted) if wanted else 0
