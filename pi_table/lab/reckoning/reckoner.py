"""Computes the rows of a table of kin from lexicons, meanings, and word families that people wrote.

There are three kinds of kinship: a common stem (*tragic*, *tragedy*), a prefix (*unhorse*), and
membership in a compound (*horsehair*). The first two kinds may also link words in two steps:
*admirer* is kin to *admire*, and *admire* to *admiration*.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import log
from typing import Final

from pi_table.games.referee.kin_table import VOUCHED, Row
from pi_table.games.words.families import Families
from pi_table.lab.reckoning.forms import Forms, Patterns, shared_letters
from pi_table.lab.reckoning.judging import Features, fit
from pi_table.lab.reckoning.meaning import Meaning
from pi_table.lab.reckoning.sources import Pair, Source, pair

MIN_CHANCE: Final = 0.2
"""Minimum probability of kinship of a pair in a table of kin."""
WITNESSED: Final = 0.35
"""Minimum probability of kinship, computed from form and meaning, for a pair that a lexicon
confirms. A lexicon alone is not enough: its translations and glosses also confirm pairs that are
not kin."""
EXPLAINED: Final = 0.5
"""Minimum probability of kinship for a pair that the lexicon does not link, if one word occurs in
its explanation of the other."""
MIN_MEMBER_CHANCE: Final = 0.4
"""Minimum probability of a part of a compound in a table of kin."""
MIN_STEP_CHANCE: Final = 0.3
"""Minimum probability of each step of a kinship in two steps."""
FAINT: Final = 0.02
MAX_ZIPF: Final = 7.0
LONG_WORD_LETTERS: Final = 8

Chances = dict[int, float]
"""For the number of each word that may be kin, the probability that the word is kin."""


class Reckoner:
    """The words of one language, each with a number. Computes the probability that two of them are
    kin, such as *sing* and *singer*."""

    def __init__(
        self,
        lang: str,
        words: list[str],
        zipf: list[float],
        source: Source,
        meaning: Meaning,
        taught: Families,
        whole: frozenset[str],
        lemma: Callable[[str], str | None],
    ) -> None:
        """Learn from word families which words are kin.

        ``zipf`` has the frequency of each word. ``taught`` are the word families to learn from.
        `Forms` explains ``whole`` and ``lemma``.
        """
        self.lang = lang
        self._words, self._source, self._meaning, self._taught = words, source, meaning, taught
        self._zipf = [min(one, MAX_ZIPF) / MAX_ZIPF for one in zipf]
        self._forms = Forms(lang, words, whole, lemma)
        self._number = {word: number for number, word in enumerate(words)}
        self._vouched = frozenset(source.links) | frozenset(_pairs(taught))
        bare = self._forms.bare
        self._patterns = Patterns(
            (
                (bare[one], bare[other])
                for one in range(len(words))
                for other, _ in self._forms.with_stem(one)
                if one < other
            ),
            [
                pair(bare[self._number[one]], bare[self._number[other]])
                for one, other in self._vouched
                if one in self._number and other in self._number
            ],
        )
        self._prefixes: Counter[str] = Counter()
        self._good_prefixes: Counter[str] = Counter()
        for word in range(len(words)):
            for rest, prefix, letters in self._forms.without_prefix(word):
                if letters == len(bare[rest]):
                    self._prefixes[prefix] += 1
                    self._good_prefixes[prefix] += self._are_vouched(word, rest)
        self._by_stem = fit(self._examples_of_stems())
        self._by_prefix = fit(self._examples_of_prefixes())
        self._by_member = fit(self._examples_of_members())
        self._steps = self._all_steps()

    def __contains__(self, word: str) -> bool:
        return word in self._number

    def chances_of(self, word: str) -> dict[str, float]:
        """Return the possible kin of ``word`` by a common stem or a prefix, each with its
        probability."""
        found = self.chances(self._number[word])
        return {self._words[other]: chance for other, chance in found.items()}

    def holds(self, word: str, member: str) -> bool:
        """True if ``word`` may be a compound that has ``member`` as a part."""
        number = self._number[member]
        return any(number in members for members in self._forms.members(self._number[word]))

    def chances(self, word: int) -> Chances:
        found = dict(self._steps[word])
        for between, first in self._steps[word].items():
            if first >= MIN_STEP_CHANCE:
                for other, second in self._steps[between].items():
                    if other != word and second >= MIN_STEP_CHANCE:
                        found[other] = max(found.get(other, 0.0), first * second)
        return found

    def rows(self) -> Iterator[Row]:
        for word, text in enumerate(self._words):
            kin: set[str] = set()
            perhaps: dict[str, int] = {}
            for other, chance in self.chances(word).items():
                if self._words[other] < text:
                    continue
                if self._has_witness(word, other):
                    kin.add(self._words[other])
                elif chance >= MIN_CHANCE:
                    perhaps[self._words[other]] = round(100 * chance)
            parts = {self._words[part]: chance for part, chance in self._parts(word).items()}
            yield Row(text, self._source.sorts.get(text, ""), parts, frozenset(kin), perhaps)

    def _has_witness(self, word: int, other: int) -> bool:
        """True if a lexicon confirms that two words are kin, directly or through a third word."""
        return self._is_vouched(word, other) or any(
            self._is_vouched(word, between) and self._is_vouched(between, other)
            for between in self._steps[word]
        )

    def _is_vouched(self, one: int, other: int) -> bool:
        """True if a lexicon derives one word from the other, or explains one with the other, and
        the computed probability is high enough."""
        chance = self._steps[one].get(other, 0.0)
        if self._are_linked(one, other):
            return chance >= WITNESSED
        return chance >= EXPLAINED and (self._explains(one, other) or self._explains(other, one))

    def _parts(self, word: int) -> dict[int, int]:
        """Return the two parts of a compound, each with its probability in per cent. If the lexicon
        explains the compound with one of them, both have `VOUCHED` instead."""
        best, likely = 0.0, {}
        for members in self._forms.members(word):
            chances = [
                self._by_member.chance(self._of_member(word, member, other))
                for member, other in (members, members[::-1])
            ]
            told = any(self._explains(word, member) for member in members)
            vouched = (
                told and min(chances) >= MIN_STEP_CHANCE and max(chances) >= 2 * MIN_STEP_CHANCE
            )
            if (good := sum(chances) + 2 * vouched) > best and max(chances) >= MIN_MEMBER_CHANCE:
                best = good
                likely = {
                    member: VOUCHED if vouched else round(100 * chance)
                    for member, chance in zip(members, chances, strict=True)
                    if vouched or chance >= MIN_MEMBER_CHANCE
                }
        return likely

    def _all_steps(self) -> list[Chances]:
        steps: list[Chances] = [{} for _ in self._words]
        for word in range(len(self._words)):
            for other, letters in self._forms.with_stem(word):
                if word < other:
                    features = self._of_stem(word, other, letters)
                    self._step(steps, word, other, self._by_stem.chance(features))
            for rest, prefix, letters in self._forms.without_prefix(word):
                features = self._of_prefix(word, rest, prefix, letters)
                self._step(steps, word, rest, self._by_prefix.chance(features))
        return steps

    @staticmethod
    def _step(steps: list[Chances], one: int, other: int, chance: float) -> None:
        if chance >= FAINT:
            steps[one][other] = max(chance, steps[one].get(other, 0))
            steps[other][one] = max(chance, steps[other].get(one, 0))

    # Features

    def _of_stem(self, one: int, other: int, letters: int, unseen: bool = False) -> Features:
        bare = self._forms.bare
        return [
            *self._of_meaning(one, other),
            self._patterns.odds(bare[one], bare[other], but_this=unseen),
            letters / min(len(bare[one]), len(bare[other])),
            min(letters, LONG_WORD_LETTERS) / LONG_WORD_LETTERS,
            min(self._zipf[one], self._zipf[other]),
        ]

    def _of_prefix(
        self, word: int, rest: int, prefix: str, letters: int, unseen: bool = False
    ) -> Features:
        left, base = self._forms.bare[word][len(prefix) :], self._forms.bare[rest]
        own = unseen and letters == len(base) and self._are_vouched(word, rest)
        good, all_ = self._good_prefixes[prefix] - own, self._prefixes[prefix] - own
        exact = left == base
        return [
            *self._of_meaning(word, rest),
            log((good + 0.5) / (all_ - good + 1)),
            float(exact),
            0.0 if exact else self._patterns.odds(left, base),
            min(letters, LONG_WORD_LETTERS) / LONG_WORD_LETTERS,
            letters / min(len(left), len(base)),
            self._zipf[rest],
        ]

    def _of_member(self, word: int, member: int, other: int) -> Features:
        bare = self._forms.bare
        return [
            *self._of_meaning(word, member),
            float(self._explains(word, other)),
            self._meaning.nearness(word, other),
            min(len(bare[member]), LONG_WORD_LETTERS) / LONG_WORD_LETTERS,
            min(len(bare[other]), LONG_WORD_LETTERS) / LONG_WORD_LETTERS,
            self._zipf[member],
            self._zipf[other],
            float(bare[word].endswith(bare[member])),
        ]

    def _of_meaning(self, one: int, other: int) -> Features:
        near = self._meaning.of_glosses(one, other)
        return [
            1.0,
            self._meaning.nearness(one, other),
            float(near is not None),
            near or 0.0,
            float(self._explains(one, other) or self._explains(other, one)),
            float(self._are_linked(one, other)),
        ]

    def _are_linked(self, one: int, other: int) -> bool:
        return pair(self._words[one], self._words[other]) in self._source.links

    def _are_vouched(self, one: int, other: int) -> bool:
        return pair(self._words[one], self._words[other]) in self._vouched

    def _explains(self, word: int, by: int) -> bool:
        """True if the lexicon's text on the first word contains the second word or its plural."""
        said, text = self._source.said_of.get(self._words[word], frozenset()), self._words[by]
        return not said.isdisjoint((text, f"{text}s", f"{text}es"))

    # Examples to learn from

    def _examples_of_stems(self) -> Iterator[tuple[Features, bool]]:
        kin = _Known(self._taught)
        for head in self._taught:
            word = self._number.get(head)
            if word is not None:
                for other, letters in self._forms.with_stem(word):
                    are = kin.are(head, self._words[other])
                    if are is not None:
                        yield self._of_stem(word, other, letters, unseen=True), are

    def _examples_of_prefixes(self) -> Iterator[tuple[Features, bool]]:
        kin = _Known(self._taught)
        for word, text in enumerate(self._words):
            for rest, prefix, letters in self._forms.without_prefix(word):
                for head, other in ((text, self._words[rest]), (self._words[rest], text)):
                    are = kin.are(head, other) if head in self._taught else None
                    if are is not None:
                        yield self._of_prefix(word, rest, prefix, letters, unseen=True), are

    def _examples_of_members(self) -> Iterator[tuple[Features, bool]]:
        kin = _Known(self._taught)
        for word, text in enumerate(self._words):
            for members in self._forms.members(word):
                for member, other in (members, members[::-1]):
                    head = self._words[member]
                    are = kin.are(head, text) if head in self._taught else None
                    if are is not None and not shared_letters(head, text) > len(head):
                        yield self._of_member(word, member, other), are


class _Known:
    """Pairs of words about which people have said whether they are kin."""

    def __init__(self, families: Families) -> None:
        self._families = families
        self._heads: defaultdict[str, set[str]] = defaultdict(set)
        for head, family in families.items():
            for word in (head, *family.kin, *family.spellings, *family.forms):
                self._heads[word].add(head)

    def are(self, head: str, word: str) -> bool | None:
        """True if the words are kin, False if not, None if people were in doubt. ``head`` must be
        the head of a word family."""
        if not self._heads[word].isdisjoint(self._heads[head]):
            return True
        family, other = self._families[head], self._families.get(word)
        if word in family.perhaps or (other is not None and head in other.perhaps):
            return None
        return word in family.parts


def _pairs(families: Families) -> Iterator[Pair]:
    for head, family in families.items():
        yield from (pair(head, word) for word in (*family.kin, *family.forms))
