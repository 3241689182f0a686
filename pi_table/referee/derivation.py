"""What a word is made from, as far as the lexicon bears the rules out."""

from collections.abc import Iterator
from typing import Final

from pi_table.referee.curated import Lists
from pi_table.referee.lexicon import COMMON, Lexicon
from pi_table.referee.making import Making, Rules
from pi_table.referee.spelling import joined, without_accents

DEPTH: Final = 4
"""How many affixes are taken off a word, one after another; *unhorsemanlike* has so many."""
LEAST: Final = 3
"""How many letters a word has at least that others may be made from."""
# In Zipf, see `Lexicon.zipf`:
USED: Final = 2.0
"""How common a word must be that others may be made from."""
RARE: Final = 1.5
"""How common a singular must be whose plural stands in no dictionary."""
PROVED: Final = 1.0
"""How common a word must be to prove anything."""
OWN: Final = 0.5
"""By how much a form is commoner than its lemma where people hear a word of its own: *balena*."""
OUTGROWN: Final = 1.0
"""By how much a word is commoner than its base where it may not be made from it after all. A long
base may be outgrown by twice as much."""
LONG: Final = 5
"""How many letters a long base has at least."""

Roots = dict[str, bool]
"""All words that one word is made from, with that word itself; the value: is it certain?"""


class Derivation:
    """How the words of one language are made."""

    def __init__(self, rules: Rules, lexicon: Lexicon, lists: Lists) -> None:
        self._rules, self._lexicon = rules, lexicon
        self._whole, self._worn = lists.words("whole"), lists.words("worn")
        self._families, self._cousins = lists.heads("families"), lists.heads("cousins")
        self._homographs, self._apart = lists.words("homographs"), lists.words("apart")
        self._spellings = lists.heads("spellings")
        self._accents = lists.words("accents")

    def key(self, word: str) -> str:
        """The spelling that stands for all spellings of a word: *theater* for *theatre*. Accents
        are left out, except where they make another word."""
        plain = joined(word)
        for other in self._rules.respelled(plain):
            if self._lexicon.lemma(other) is not None and self._lexicon.zipf(other) > PROVED:
                plain = other
        (plain, *_) = self._spellings.get(plain, (plain,))
        bare = without_accents(plain)
        return plain if bare in self._accents else self._spellings.get(bare, (bare,))[0]

    def roots(self, word: str) -> Roots:
        """Every word that ``word`` is made from, and ``word`` itself, each in its `key`
        spelling."""
        found: Roots = {}
        step = {word: True}
        for _ in range(DEPTH):
            further: Roots = {}
            for one, sure in step.items():
                key = self.key(one)
                if key in found and found[key] >= sure:
                    continue
                found[key] = sure
                if sure:  # of what is only made perhaps from what is perhaps, there is no end
                    for base, certain in self._bases(one):
                        further[base] = further.get(base, False) or certain
            step = further
        return {root: sure for root, sure in found.items() if not self._are_apart(word, root)}

    def is_lemma(self, word: str) -> bool:
        """May other words be made from ``word``?"""
        lemma, zipf = self._lexicon.lemma(word), self._lexicon.zipf(word)
        if len(word) < LEAST:
            return False
        if lemma is None:
            return zipf >= COMMON
        if lemma == word or word in self._whole or word in self._homographs:
            return zipf >= USED
        if zipf > self._lexicon.zipf(lemma) + OWN:
            return True
        return self._rules.may_be_noun(word, lemma) and zipf > COMMON

    def is_derived(self, word: str) -> bool:
        """Has ``word`` an affix that speaks for itself? Then it is no compound: *teacher*."""
        return any(
            making.sure and making.proof is None and self._likely(making.bases, word)
            for making in self._rules.derived(word)
        )

    def _bases(self, word: str) -> Iterator[tuple[str, bool]]:
        """The words from which ``word`` is made by one step, each with: is it certain?"""
        ambiguous = word in self._homographs
        yield from ((head, not ambiguous) for head in self._families.get(word, ()))
        yield from ((head, False) for head in self._cousins.get(word, ()))
        if word in self._whole:
            return
        for base, sure in self._inflected(word):
            yield base, sure and not ambiguous
        for making in self._rules.derived(word):
            yield from self._made(word, making)

    def _inflected(self, word: str) -> Iterator[tuple[str, bool]]:
        """The words of which ``word`` may be a form, each with: is it certain?"""
        lemma, zipf = self._lexicon.lemma(word), self._lexicon.zipf(word)
        if lemma is not None and lemma != word and not self._are_apart(word, lemma):
            own = zipf > self._lexicon.zipf(lemma) + OWN and self._rules.may_be_noun(word, lemma)
            yield lemma, not own and self._agree(word, lemma)
        for base in self._rules.inflected(word):
            rare = lemma is None and self._lexicon.zipf(base) >= RARE
            if (rare or self.is_lemma(base)) and not self._are_apart(word, base):
                agree = self._agree(word, base)
                if agree or lemma == base:
                    regular = lemma in (None, base) or self._rules.is_regular(word, base)
                    yield base, regular and agree

    def _made(self, word: str, making: Making) -> Iterator[tuple[str, bool]]:
        """The bases of ``word``, each with: is it certain? None if the affix is none."""
        if making.proof is not None and self._lexicon.zipf(making.proof) < PROVED:
            return
        bases = self._likely(making.bases, word) or self._likely(making.else_from, word)
        one = len({self._lexicon.lemma(base) or base for base in bases}) == 1
        for base in bases:
            grown = self._lexicon.zipf(word) - self._lexicon.zipf(base)
            outgrown = grown > (OUTGROWN if len(base) < LONG else 2 * OUTGROWN)
            yield base, making.sure and one and not outgrown and word not in self._worn

    def _likely(self, words: tuple[str, ...], made: str) -> list[str]:
        """Those of ``words`` from which ``made`` may be made.

        A word is left out if another one is commoner by `OUTGROWN`. If others remain, a form of
        ``made`` or of one of these others is left out, too.
        """
        lemmas = [word for word in words if self.is_lemma(word)]
        least = max(map(self._lexicon.zipf, lemmas), default=0) - OUTGROWN
        common = [word for word in lemmas if self._lexicon.zipf(word) > least]
        others = {made, *common}
        own = [
            word
            for word in common
            if (lemma := self._lexicon.lemma(word)) not in others - {word}
            or self._are_apart(word, str(lemma))
        ]
        return own or common

    def _are_apart(self, word: str, other: str) -> bool:
        """Are these two different words, by our list, although only their last letter differs?"""
        return word != other and word[:-1] == other[:-1] and {word, other} <= self._apart

    def _agree(self, word: str, lemma: str) -> bool:
        """Is it certain that ``word`` is a form of ``lemma``? Not if that takes an adjective of
        which there is no trace."""
        proof = self._rules.proof_of_agreement(word, lemma)
        return proof is None or self._lexicon.zipf(proof) > 0
