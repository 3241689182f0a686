"""A language: what its words are made from, out of libraries, rules of affixes, and our lists."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from types import ModuleType
from typing import Final

import msgspec

from pi_table.referee import curated, english, italian
from pi_table.referee.lexicon import COMMON, Lexicon
from pi_table.referee.spelling import joined, without_accents

_MORPHOLOGY: Final[dict[str, ModuleType]] = {"en": english, "it": italian}
DEPTH: Final = 4
"""So many steps of affixes are followed: *unhorsemanlike* takes them all."""
LEAST: Final = 3
"""Letters of what a word may be made from."""
MEMBER: Final = 3.3
"""Zipf: how common a word of four letters or more must be to be a member of a compound."""
USED: Final = 2.7
"""Zipf: how common a word must be that no dictionary has; names are, and not only those."""
OWN: Final = 0.5
"""A form that is so much commoner than its verb's infinitive is another word first: *balena*."""
PROVED: Final = 1.0
"""Zipf: how common a word must be to prove anything."""
NOUN: Final = 2.7
"""Zipf: how common the noun of a compound of verb and noun must be."""
OUTGROWN: Final = 1.0
"""A word that is ten times as common as what it seems to be made from may well not be; twice that,
where the latter is long."""
LONG: Final = 5
"""Letters."""

Roots = dict[str, bool]
"""Each word that another one is made from, itself too: is it certain?"""


class Member(msgspec.Struct, frozen=True):
    """A part of a compound, and what that is made from.

    A ``loose`` one makes no certain kinship between two compounds: *out* of *outfit*, *outside*.
    """

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
        self._rules = _MORPHOLOGY[lang]
        self._lexicon = Lexicon(lang)
        entries = curated.read(lang)
        self._whole, self._worn = _flat(entries["whole"]), _flat(entries["worn"])
        self._homographs = _flat(entries["homographs"])
        self._families = _heads(entries["families"])
        self._cousins = _heads(entries["cousins"])
        self._spellings = {
            word: one for one, *others in entries["spellings"] for word in (one, *others)
        }
        self._apart = _flat(entries["apart"])
        self._verbs = {stem: verb for stem, verb, *_ in entries["verbs"]}
        self._combining = _flat(entries["combining"])
        self._small = _flat(entries["small"])
        self._parts = {compound: parts for compound, *parts in entries["parts"]}
        self._first, self._last = _flat(entries["first"]), _flat(entries["last"])
        self._no_members, self._particles = (
            _flat(entries["no-members"]),
            _flat(entries["particles"]),
        )
        self._loose = self._particles | self._combining
        self._accents = _flat(entries["accents"])
        self.open = {" ".join(words) for words in entries["open"]}
        self.places = {" ".join(words) for words in entries["places"]}
        self.abbreviations = _flat(entries["abbreviations"])
        self.numbers = _flat(entries["numbers"])
        self.names = _flat(entries["names"])
        self._foreign = _flat(entries["foreign"])
        self.analyse = lru_cache(maxsize=2048)(self._analyse)

    def knows(self, word: str) -> bool:
        """Is this a word that the language uses?"""
        if word in self._foreign:
            return False
        for spelling in (word, joined(word), without_accents(word)):
            if self._lexicon.lemma(spelling) is not None or self._lexicon.zipf(spelling) >= USED:
                return True
        return len(self.roots(word)) > 1 or bool(self._split(word))

    def _analyse(self, word: str) -> Word:
        """Take a word in lower case apart."""
        roots = self.roots(word)
        members = {
            part: Member(part, self._faded(root, self.roots(part)), part in self._loose)
            for root in (word, *(root for root, sure in roots.items() if sure))
            for part in self._split(root)
        }
        return Word(word, self._key(word), roots, tuple(members.values()), word in self.places)

    def _faded(self, compound: str, roots: Roots) -> Roots:
        """The same roots, none of them certain if the compound is no longer felt to be one."""
        return dict.fromkeys(roots, False) if compound in self._worn else roots

    def is_joined(self, words: list[str]) -> bool:
        """Are these words written as one by anybody, so that they are one thing?"""
        return self._lexicon.zipf("".join(words)) > 0

    def _key(self, word: str) -> str:
        """One spelling for all: *theater* for *theatre*; no accents, but where they make a word."""
        plain = joined(word)
        for other in self._rules.respelled(plain):
            if self._lexicon.lemma(other) is not None and self._lexicon.zipf(other) > 1:
                plain = other
        plain = self._spellings.get(plain, plain)
        bare = without_accents(plain)
        return plain if bare in self._accents else self._spellings.get(bare, bare)

    def roots(self, word: str) -> Roots:
        """Every word that this one is made from, itself too, in their `_key` spelling."""
        found: Roots = {}
        step = {word: True}
        for _ in range(DEPTH):
            further: Roots = {}
            for one, sure in step.items():
                key = self._key(one)
                if found.get(key, False) >= sure and key in found:
                    continue
                found[key] = sure
                for base, certain in self._bases(one):
                    if sure or certain:  # of what is uncertain twice there would be no end
                        further[base] = further.get(base, False) or (sure and certain)
            step = further
        return found

    def _bases(self, word: str) -> Iterator[tuple[str, bool]]:
        """What this word is made from in one step, and is that certain?"""
        ambiguous = word in self._homographs
        yield from ((head, not ambiguous) for head in self._families.get(word, ()))
        yield from ((head, False) for head in self._cousins.get(word, ()))
        if word in self._whole:
            return
        lemma = self._lexicon.lemma(word)
        if lemma is not None and lemma != word and not self._are_apart(word, lemma):
            named = lemma if self._rules.may_be_noun(word, lemma) else word
            own = self._lexicon.zipf(word) > self._lexicon.zipf(named) + OWN
            yield lemma, not ambiguous and not own and self._agree(word, lemma)
        for base in self._rules.inflected(word):
            if self._is_lemma(base) and not self._are_apart(word, base):
                regular = lemma in (None, base) or self._rules.is_regular(word, base)
                yield base, not ambiguous and regular and self._agree(word, base)
        for making in self._rules.derived(word):
            if making.proof is not None and self._lexicon.zipf(making.proof) < PROVED:
                continue
            bases = self._likely(making.bases) or self._likely(making.else_from)
            sure = making.sure and len(bases) == 1 and word not in self._worn
            for base in bases:
                grown = self._lexicon.zipf(word) - self._lexicon.zipf(base)
                outgrown = grown > (OUTGROWN if len(base) < LONG else 2 * OUTGROWN)
                yield base, sure and not outgrown

    def _likely(self, words: tuple[str, ...]) -> list[str]:
        """Those that a word may be made from, but none that is a tenth as common as another."""
        lemmas = [word for word in words if self._is_lemma(word)]
        most = max(map(self._lexicon.zipf, lemmas), default=0)
        return [word for word in lemmas if self._lexicon.zipf(word) > most - OUTGROWN]

    def _are_apart(self, word: str, other: str) -> bool:
        """Are they two words that differ in their last vowel?"""
        return word[:-1] == other[:-1] and {word, other} <= self._apart

    def _agree(self, word: str, lemma: str) -> bool:
        """Is the lemma certain, or would it take an adjective that there is no trace of?"""
        proof = self._rules.proof_of_agreement(word, lemma)
        return proof is None or self._lexicon.zipf(proof) > 0

    def _is_lemma(self, word: str) -> bool:
        lemma = self._lexicon.lemma(word)
        if len(word) < LEAST:
            return False
        if lemma is None:
            return self._lexicon.zipf(word) >= COMMON
        zipf = self._lexicon.zipf(word)
        if lemma == word or word in self._whole or word in self._homographs:
            return zipf >= 2
        own = zipf > self._lexicon.zipf(lemma) + OWN
        return own or (self._rules.may_be_noun(word, lemma) and zipf > MEMBER)

    def _split(self, word: str) -> tuple[str, ...]:
        """The members of a compound, none if it is none."""
        if word in self._parts:
            return tuple(self._parts[word])
        if "-" in word or " " in word:
            return tuple(part for part in re.split("[- ']", word) if part not in self._small)
        if word in self._whole:
            return ()
        for form in self._combining:
            rest = word.removeprefix(form)
            if rest != word and (rest in self._combining or self._may_be(rest, self._last)):
                return form, rest
        if self._is_derived(word):
            return ()
        for stem, verb in self._verbs.items():
            noun = word.removeprefix(stem)
            if noun != word and len(noun) > 2 and self._is_noun(noun):
                return verb, noun
        best: tuple[float, tuple[str, ...]] = (0.0, ())
        for end in range(2, len(word) - 2):
            for link in self._rules.LINKS:
                first, last = word[:end], word[end:]
                if link:
                    if not first.endswith(link):
                        continue
                    first = first.removesuffix(link)
                if self._may_be(first, self._first) and self._may_be(last, self._last):
                    common = min(self._lexicon.zipf(first), self._lexicon.zipf(last))
                    best = max(best, (common, (first, last)))
        return best[1]

    def _is_derived(self, word: str) -> bool:
        """Has this an affix that speaks for itself, and so is no compound: *teacher*?"""
        return any(
            making.sure and making.proof is None and self._likely(making.bases)
            for making in self._rules.derived(word)
        )

    def _is_noun(self, word: str) -> bool:
        """May this be the second member of a compound of verb and noun?"""
        return self._lexicon.zipf(word) > NOUN and (
            self._is_lemma(word) or any(map(self._is_lemma, self._rules.inflected(word)))
        )

    def _may_be(self, word: str, short: frozenset[str]) -> bool:
        """May this be a member; a short one, if it is among these?"""
        if word in self._no_members:
            return False
        if word in short or (word in self._particles and short is self._first):
            return True
        return (
            len(word) >= self._rules.LEAST_MEMBER
            and self._lexicon.zipf(word) > MEMBER
            and self._is_lemma(word)
        )


def _heads(entries: tuple[tuple[str, ...], ...]) -> dict[str, list[str]]:
    """Each word's groups, by the word that stands first in them."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        for word in entry:
            found.setdefault(word, []).append(entry[0])
    return found


def _flat(entries: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    return frozenset(word for entry in entries for word in entry)


@cache
def vocabulary(lang: str) -> Vocabulary:
    """The one of this language, read when it is first asked for."""
    return Vocabulary(lang)
