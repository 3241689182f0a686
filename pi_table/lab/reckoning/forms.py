"""The similarity of two words in form: a common stem, a prefix, or membership in a compound.

This module compares only letters; other modules compare meanings.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from math import log
from typing import Final

from pi_table.games.referee.spelling import without_accents
from pi_table.lab.reckoning.sources import Pair, pair

PREFIXES: Final = {
    "en": (
        "a anti be co counter de dis em en ex fore hyper il im in inter ir mega micro mid "
        "mini mis multi non out over pre re semi sub super trans ultra un under up"
    ),
    "it": (
        "a ab ac ad af ag al am an anti ap ar as at auto av az bi bis col com con contro de "
        "dis e en ex il im in inter iper ir mal micro mini per pre pro ra re ri rim rin s "
        "semi sopra sotto stra super tra tras ultra"
    ),
}
MIN_STEM_LETTERS: Final = 3
"""Least number of letters at the beginning that two words with a common stem share."""
SHORT_WORD_LETTERS: Final = 4
"""Largest number of letters of a word whose stem after a prefix may have the least length:
*svitare* has *vite*."""
MIN_SHARE: Final = 0.5
"""Least share of the shorter word's letters that two words with a common stem share."""
MIN_SHARE_OF_LONGER: Final = 0.34
MIN_MEMBER_LETTERS: Final = 3
"""Least number of letters of a word that is a member of a compound."""
LINKS: Final = {"en": ("", "s"), "it": ("",)}
"""Letters that may be between the two members of a compound."""


class Forms:
    """The words of one language, indexed by their letters. Each word has a number."""

    def __init__(
        self, lang: str, words: list[str], whole: frozenset[str], lemma: Callable[[str], str | None]
    ) -> None:
        """``whole`` are words that are not made from the shorter words in them: *corner* is not
        made from *corn*. ``lemma`` returns a word's dictionary form; None if no dictionary has the
        word."""
        self._lang, self._whole = lang, {at for at, word in enumerate(words) if word in whole}
        self._lemma, self._prefixes = lemma, PREFIXES[lang].split()
        self.bare = [without_accents(word) for word in words]
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        self._beginning: defaultdict[str, list[int]] = defaultdict(list)
        for number, bare in enumerate(self.bare):
            self._numbers[bare].append(number)
            self._beginning[bare[:MIN_STEM_LETTERS]].append(number)

    def with_stem(self, word: int) -> Iterator[tuple[int, int]]:
        """Yield the words that may share a stem with ``word``, each with the number of letters."""
        bare = self.bare[word]
        for other in self._beginning[bare[:MIN_STEM_LETTERS]]:
            letters = shared_letters(bare, self.bare[other]) if other != word else 0
            if letters and not self._are_apart(word, other) and not self._are_apart(other, word):
                yield other, letters

    def without_prefix(self, word: int) -> Iterator[tuple[int, str, int]]:
        """Yield the words that may share a stem with ``word`` without its prefix: *sradicare* has
        *radice*.

        Each comes with the prefix and the number of shared letters.
        """
        bare = self.bare[word]
        for prefix in self._prefixes if word not in self._whole else ():
            rest = bare.removeprefix(prefix)
            if rest != bare and len(rest) >= MIN_STEM_LETTERS:
                for other in self._beginning.get(rest[:MIN_STEM_LETTERS], ()):
                    letters = shared_letters(rest, self.bare[other])
                    if letters and (
                        letters > MIN_STEM_LETTERS or len(self.bare[other]) <= SHORT_WORD_LETTERS
                    ):
                        yield other, prefix, letters

    def members(self, word: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of words of which ``word`` may be a compound."""
        bare = self.bare[word]
        if word in self._whole:
            return
        for link in LINKS[self._lang]:
            for end in range(MIN_MEMBER_LETTERS, len(bare) - MIN_MEMBER_LETTERS - len(link) + 1):
                if bare.startswith(link, end):
                    for first in self._possible_members(bare[:end]):
                        for last in self._possible_members(bare[end + len(link) :]):
                            yield first, last

    def _possible_members(self, member: str) -> set[int]:
        """Return the words that may appear as ``member`` in a compound.

        In Italian that may be an inflected form: *apri-scatole* is made from *aprire* and
        *scatola*.
        """
        found = set(self._numbers.get(member, ()))
        if self._lang == "it" and len(member) > MIN_MEMBER_LETTERS:
            verb = self._numbers.get(f"{member}re", ())
            lemma = self._lemma(member)
            found |= {*verb, *(self._numbers.get(without_accents(lemma), ()) if lemma else ())}
        return found

    def _are_apart(self, word: int, other: int) -> bool:
        """True if ``word`` contains ``other`` only by chance."""
        stem = self.bare[other].rstrip("aeio") if self._lang == "it" else self.bare[other]
        return word in self._whole and self.bare[word].startswith(stem)


def shared_letters(one: str, other: str) -> int:
    """Return the number of letters in the common stem of two words; 0 if they share too few."""
    letters = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    short, long = sorted((len(one), len(other)))
    if letters < max(MIN_STEM_LETTERS, short * MIN_SHARE, long * MIN_SHARE_OF_LONGER):
        return 0
    return 0 if letters == MIN_STEM_LETTERS < short - 1 else letters


class Patterns:
    """Odds that two endings after the same stem belong to kin: for example *-ic* and *-edy* of
    *tragic* and *tragedy*.

    The odds are learned from pairs of words that a lexicon or a person confirms as kin. So the
    morphology of the language is learned with them: no list of suffixes is needed.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], vouched: Iterable[Pair]) -> None:
        """Learn from ``pairs`` of words without accents that share a stem. ``vouched`` are kin."""
        self._kin = Counter(filter(None, (_endings(*each) for each in set(vouched))))
        self._all = Counter(filter(None, (_endings(*each) for each in pairs)))
        self._vouched = frozenset(vouched)

    def odds(self, one: str, other: str, *, but_this: bool = False) -> float:
        """Return the logarithm of the odds that words with such endings are kin. With ``but_this``,
        ignore everything that was learned from this pair."""
        endings = _endings(one, other)
        kin = self._kin[endings] if endings else 0
        either = max(self._all[endings] if endings else 0, kin)
        if but_this and pair(one, other) in self._vouched:
            kin, either = kin - 1, either - 1
        return log((kin + 0.15) / (either - kin + 1.5))


def _endings(one: str, other: str) -> Pair | None:
    letters = shared_letters(one, other)
    return pair(one[letters:], other[letters:]) if letters else None
