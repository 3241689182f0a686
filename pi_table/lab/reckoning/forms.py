"""Finds words with similar letters: with a common stem, with a prefix, or as part of a compound.

This module does not compare meanings; `meaning` does.
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
"""Minimum number of letters of a common stem."""
SHORT_WORD_LETTERS: Final = 4
"""Maximum length of a word for which `MIN_STEM_LETTERS` shared letters are enough after a prefix is
removed. For example, *svitare* without *s* shares letters with *vite*."""
MIN_SHARE: Final = 0.5
"""Minimum share of the shorter word's letters that a common stem must have."""
MIN_SHARE_OF_LONGER: Final = 0.34
"""Minimum share of the longer word's letters that a common stem must have."""
MIN_MEMBER_LETTERS: Final = 3
"""Minimum number of letters of each word in a compound."""
LINKS: Final = {"en": ("", "s"), "it": ("",)}
"""Letters that may stand between the two words of a compound, by language."""


class Forms:
    """The words of one language, indexed by their letters. Each word's number is its index in
    ``words``."""

    def __init__(
        self, lang: str, words: list[str], whole: frozenset[str], lemma: Callable[[str], str | None]
    ) -> None:
        """``whole`` are words that are not made from the shorter words in them: *corner* is not
        made from *corn*. ``lemma`` returns a word's dictionary form, or None if no dictionary has
        the word."""
        self._lang, self._whole = lang, {at for at, word in enumerate(words) if word in whole}
        self._lemma, self._prefixes = lemma, PREFIXES[lang].split()
        self.bare = [without_accents(word) for word in words]
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        self._beginning: defaultdict[str, list[int]] = defaultdict(list)
        for number, bare in enumerate(self.bare):
            self._numbers[bare].append(number)
            self._beginning[bare[:MIN_STEM_LETTERS]].append(number)

    def with_stem(self, word: int) -> Iterator[tuple[int, int]]:
        """Yield the words that may share a stem with ``word``, each with the number of shared
        letters."""
        bare = self.bare[word]
        for other in self._beginning[bare[:MIN_STEM_LETTERS]]:
            letters = shared_letters(bare, self.bare[other]) if other != word else 0
            if letters and not self._are_apart(word, other) and not self._are_apart(other, word):
                yield other, letters

    def without_prefix(self, word: int) -> Iterator[tuple[int, str, int]]:
        """Remove each possible prefix from ``word``. Yield the words that may share a stem with the
        rest, such as *radice* for *sradicare*.

        Each word is yielded with the prefix and the number of shared letters.
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
        """Yield the pairs of words that may make up the compound ``word``."""
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

        In Italian, ``member`` may be an inflected form: *apri-scatole* is made from *aprire* and
        *scatola*.
        """
        found = set(self._numbers.get(member, ()))
        if self._lang == "it" and len(member) > MIN_MEMBER_LETTERS:
            verb = self._numbers.get(f"{member}re", ())
            lemma = self._lemma(member)
            found |= {*verb, *(self._numbers.get(without_accents(lemma), ()) if lemma else ())}
        return found

    def _are_apart(self, word: int, other: int) -> bool:
        """True if ``word`` is one of the whole words, and begins like ``other`` only by chance."""
        stem = self.bare[other].rstrip("aeio") if self._lang == "it" else self.bare[other]
        return word in self._whole and self.bare[word].startswith(stem)


def shared_letters(one: str, other: str) -> int:
    """Return the length of the common beginning of two words; 0 if it is too short for a common
    stem."""
    letters = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    short, long = sorted((len(one), len(other)))
    if letters < max(MIN_STEM_LETTERS, short * MIN_SHARE, long * MIN_SHARE_OF_LONGER):
        return 0
    return 0 if letters == MIN_STEM_LETTERS < short - 1 else letters


class Patterns:
    """The probability that two words with a common stem are kin, judged by their endings. For
    example, *tragic* and *tragedy* have the endings *-ic* and *-edy*.

    The program learns this from pairs of words that a lexicon or a person calls kin, so it needs no
    list of a language's suffixes.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], vouched: Iterable[Pair]) -> None:
        """Learn from ``pairs`` of words that share a stem, without accents. Only the pairs in
        ``vouched`` are known to be kin."""
        self._kin = Counter(filter(None, (_endings(*each) for each in set(vouched))))
        self._all = Counter(filter(None, (_endings(*each) for each in pairs)))
        self._vouched = frozenset(vouched)

    def odds(self, one: str, other: str, *, but_this: bool = False) -> float:
        """Return the logarithm of the odds that two words with these endings are kin. If
        ``but_this`` is true, ignore what was learned from this pair itself."""
        endings = _endings(one, other)
        kin = self._kin[endings] if endings else 0
        either = max(self._all[endings] if endings else 0, kin)
        if but_this and pair(one, other) in self._vouched:
            kin, either = kin - 1, either - 1
        return log((kin + 0.15) / (either - kin + 1.5))


def _endings(one: str, other: str) -> Pair | None:
    letters = shared_letters(one, other)
    return pair(one[letters:], other[letters:]) if letters else None
