"""How compounds come apart into their members."""

import re
from typing import Final

from pi_table.referee.curated import Lists
from pi_table.referee.derivation import Derivation
from pi_table.referee.lexicon import COMMON, Lexicon
from pi_table.referee.making import Rules

SELDOM: Final = 2.6
OFTEN: Final = 4.0
"""Zipf. A member of a compound may be as rare as `SELDOM`; of two members that are rarer than
`COMMON`, one must be as common as this."""


class Compounds:
    """The compounds of one language."""

    def __init__(
        self, rules: Rules, lexicon: Lexicon, lists: Lists, derivation: Derivation
    ) -> None:
        self._rules, self._lexicon, self._derivation = rules, lexicon, derivation
        self._parts = lists.tails("parts")
        self._verbs = lists.tails("verbs")
        self._no_compounds = lists.words("whole") | lists.phrases("places")
        self._first = lists.words("first") | lists.words("particles")
        self._last = lists.words("last")
        self._no_members = lists.words("no-members")
        self._small = lists.words("small")
        self._combining = sorted(lists.words("combining"), key=lambda form: (-len(form), form))
        self.loose = lists.words("particles") | lists.words("combining")
        """Members by which two compounds are not certainly akin: *outfit* and *outside* share
        one."""

    def members(self, word: str) -> tuple[str, ...]:
        """The members of ``word``; empty if it is no compound."""
        if word in self._parts:
            return self._parts[word]
        if re.search("[- ]", word):
            return tuple(part for part in re.split("[- ']", word) if part not in self._small)
        if word in self._no_compounds:
            return ()
        of_forms = self._of_combining_forms(word)
        if of_forms or self._derivation.is_derived(word):
            return of_forms
        return self._of_verb_and_noun(word) or self._of_words(word)

    def _of_combining_forms(self, word: str) -> tuple[str, ...]:
        """The members of a word like *telescope*: two combining forms, or one and a word."""
        for form in self._combining:
            rest = word.removeprefix(form)
            if rest != word and (rest in self._combining or self._may_be(rest, self._last)):
                return form, rest
        return ()

    def _of_verb_and_noun(self, word: str) -> tuple[str, ...]:
        """The members of a word like *grattacielo*: the infinitive of the verb, and the noun as it
        stands there."""
        for stem, (verb, *_) in self._verbs.items():
            noun = word.removeprefix(stem)
            if noun != word and len(noun) > 2 and self._is_noun(noun):
                return verb, noun
        return ()

    def _of_words(self, word: str) -> tuple[str, ...]:
        """The members of a word like *horseshoe*. Of several ways to part it, the one whose rarer
        member is the commonest."""
        for link in self._rules.LINKS:
            splits = [
                (first.removesuffix(link), last)
                for first, last in ((word[:end], word[end:]) for end in range(2, len(word) - 2))
                if first.endswith(link)
                and self._may_be(first.removesuffix(link), self._first)
                and self._may_be(last, self._last)
            ]
            if splits:
                best = max(splits, key=lambda split: min(map(self._lexicon.zipf, split)))
                rarer, commoner = sorted(map(self._lexicon.zipf, best))
                if rarer > COMMON or commoner > OFTEN:
                    return best
        return ()

    def _is_noun(self, word: str) -> bool:
        """May ``word`` be the second member of a compound of verb and noun?"""
        if word in self._no_members or self._lexicon.zipf(word) < SELDOM:
            return False
        is_lemma = self._derivation.is_lemma
        return is_lemma(word) or any(map(is_lemma, self._rules.inflected(word)))

    def _may_be(self, word: str, short: frozenset[str]) -> bool:
        """May ``word`` be a member? One that is too short may if it is in ``short``."""
        if word in self._no_members:
            return False
        if word in short:
            return True
        if len(word) < self._rules.LEAST_MEMBER or self._lexicon.zipf(word) < SELDOM:
            return False
        return self._derivation.is_lemma(word)
