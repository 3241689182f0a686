"""The words of a language, taken apart: by libraries, rules and our lists."""

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
"""Zipf: how common a word must be that counts as one though it stands in no dictionary."""


class Member(msgspec.Struct, frozen=True):
    """A member of a compound."""

    text: str
    """The member as it stands in the compound."""
    roots: Roots
    """What the member is made from."""
    loose: bool
    """Is the member one by which two compounds are not certainly akin?"""


class Word(msgspec.Struct, frozen=True):
    """A word taken apart."""

    text: str
    """The word in lower case."""
    key: str
    """The spelling that stands for all spellings of the word."""
    roots: Roots
    """What the word is made from."""
    members: tuple[Member, ...]
    """The members of a compound; empty for a word that is none."""
    place: bool
    """Is the word the old name of a place, in which nobody hears other words (CL-7)?"""


class Vocabulary:
    """The words of one language. `vocabulary` keeps one vocabulary a language."""

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
        """A word in lower case, taken apart."""
        roots = self._derivation.roots(word)
        members = {
            part: self._member(part, root)
            for root in (word, *(root for root, sure in roots.items() if sure))
            for part in self._compounds.members(root)
        }
        key = self._derivation.key(word)
        return Word(word, key, roots, tuple(members.values()), word in self.places)

    def _member(self, part: str, compound: str) -> Member:
        """A member of ``compound``. Its roots are uncertain where nobody hears a compound any
        more."""
        roots = self._derivation.roots(part)
        if compound in self._worn:
            roots = dict.fromkeys(roots, False)
        return Member(part, roots, part in self._compounds.loose)

    def knows(self, word: str) -> bool:
        """Does the language use ``word``?"""
        if word in self._foreign:
            return False
        for spelling in (word, joined(word), without_accents(word)):
            if self._lexicon.lemma(spelling) is not None or self._lexicon.zipf(spelling) >= USED:
                return True
        taken = self.analyse(word)
        return len(taken.roots) > 1 or bool(taken.members)

    def is_proper(self, word: str) -> bool:
        """Is ``word``, which was written with a capital, a name as far as the dictionary can
        tell?"""
        return self._lexicon.is_name(word)

    def is_joined(self, words: list[str]) -> bool:
        """Does anybody write these words as one? Then they are one thing."""
        return self._lexicon.zipf("".join(words)) > 0

    def without_article(self, word: str) -> str:
        """The second of two words of which the first is elided (*dell'arte*: *arte*); else
        ``word``."""
        return self._rules.without_article(word)


@cache
def vocabulary(lang: str) -> Vocabulary:
    """The vocabulary of a language. It is read when it is first asked for."""
    return Vocabulary(lang)
