"""A language: its words, out of libraries, rules and our lists, each taken apart."""

from functools import cache, lru_cache
from typing import Final

import msgspec

from pi_table.referee import curated, english, italian
from pi_table.referee.compounds import Compounds
from pi_table.referee.derivation import Derivation, Roots
from pi_table.referee.lexicon import Lexicon
from pi_table.referee.making import Rules
from pi_table.referee.spelling import joined, without_accents

RULES: Final[dict[str, Rules]] = {"en": english, "it": italian}
USED: Final = 2.7
"""Zipf: how common a word must be that no dictionary has; names are, and not only those."""


class Member(msgspec.Struct, frozen=True):
    """A part of a compound, and what that is made from; ``loose`` as in `Compounds`."""

    text: str
    roots: Roots
    loose: bool


class Word(msgspec.Struct, frozen=True):
    """A word taken apart. ``key`` is the spelling that stands for all spellings of it; a ``place``
    has an old name, in which nobody hears other words (CL-7)."""

    text: str
    key: str
    roots: Roots
    members: tuple[Member, ...]
    place: bool


class Vocabulary:
    """The words of one language; `vocabulary` keeps one of each."""

    def __init__(self, lang: str) -> None:
        self._rules = RULES[lang]
        self._lexicon = Lexicon(lang)
        lists = curated.read(lang)
        self._derivation = Derivation(self._rules, self._lexicon, lists)
        self._compounds = Compounds(self._rules, self._lexicon, lists, self._derivation)
        self._worn = lists.words("worn")
        self._foreign = lists.words("foreign")
        self.open, self.places = lists.phrases("open"), lists.phrases("places")
        self.abbreviations, self.numbers = lists.words("abbreviations"), lists.words("numbers")
        self.names = lists.words("names")
        self.analyse = lru_cache(maxsize=2048)(self._analyse)

    def _analyse(self, word: str) -> Word:
        """Take a word in lower case apart."""
        roots = self._derivation.roots(word)
        members = {
            part: self._member(part, root)
            for root in (word, *(root for root, sure in roots.items() if sure))
            for part in self._compounds.members(root)
        }
        key = self._derivation.key(word)
        return Word(word, key, roots, tuple(members.values()), word in self.places)

    def _member(self, part: str, compound: str) -> Member:
        """A part, of which nothing is certain if the compound is no longer felt to be one."""
        roots = self._derivation.roots(part)
        if compound in self._worn:
            roots = dict.fromkeys(roots, False)
        return Member(part, roots, part in self._compounds.loose)

    def knows(self, word: str) -> bool:
        """Is this a word that the language uses?"""
        if word in self._foreign:
            return False
        for spelling in (word, joined(word), without_accents(word)):
            if self._lexicon.lemma(spelling) is not None or self._lexicon.zipf(spelling) >= USED:
                return True
        taken = self.analyse(word)
        return len(taken.roots) > 1 or bool(taken.members)

    def is_proper(self, word: str) -> bool:
        """Is this, written with a capital, a name as far as the dictionary can tell?"""
        return self._lexicon.is_name(word)

    def is_joined(self, words: list[str]) -> bool:
        """Are these words written as one by anybody, so that they are one thing?"""
        return self._lexicon.zipf("".join(words)) > 0

    def without_article(self, word: str) -> str:
        """What is left of two words of which the first is elided, else the word."""
        return self._rules.without_article(word)


@cache
def vocabulary(lang: str) -> Vocabulary:
    """The one of this language, read when it is first asked for."""
    return Vocabulary(lang)
