"""The words of a language, as its lexicons know them: what is a form of what, and what there is.

simplemma's dictionary is read as a stream, which needs a tenth of the memory of a dict.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pi_table.common.errors import TableError
from pi_table.common.language import say
from pi_table.games.referee import kin_table
from pi_table.games.referee.grammar import Grammar, Sort
from pi_table.games.referee.kin_table import Row

MISSING: Final = say("The referee needs the package simplemma; run 'make setup'.")


class Lexicon:
    """What is known of single words, in lower case."""

    def __init__(self, lang: str, grammar: Grammar) -> None:
        try:  # here, because it takes as long as the dictionary
            from simplemma.strategies.dictionaries import StreamDictionaryFactory
        except ImportError:
            raise TableError(MISSING) from None
        self._lemmas = StreamDictionaryFactory().get_dictionary(lang)
        self._grammar = grammar
        self._table = kin_table.read(lang)
        self.lemma = lru_cache(maxsize=8192)(self._lemma)

    def row(self, word: str) -> Row | None:
        """What the table of kin has on ``word``; None if it does not know it."""
        found: Row | None = self._table.row(word)
        return found

    def bases(self, word: str) -> Iterator[str]:
        """The words of which ``word`` is an inflected form, whatever else it may be.

        The dictionary's word for it counts; and so does a rule that makes a plural of what the
        table has as a noun. Verbs and adjectives have many forms that look like other words: a rule
        for these counts only where the dictionary has nothing else to say.
        """
        lemma = self.lemma(word)
        if lemma is not None and lemma != word and not self._is_denied(word, lemma):
            yield lemma
        for base, sort in self._grammar.bases(word):
            row = self.row(base)
            if (
                row is not None
                and sort in row.sorts
                and (sort is Sort.NOUN or lemma in (None, base))
            ):
                yield base

    def _is_denied(self, word: str, lemma: str) -> bool:
        """True if a rule would have to make ``word`` of ``lemma``, but not as that part of speech:
        *rugged* is no form of the noun *rug*, though the dictionary has it so."""
        row = self.row(lemma)
        sorts = {sort for base, sort in self._grammar.bases(word) if base == lemma}
        return row is not None and row.sorts != "" and bool(sorts) and sorts.isdisjoint(row.sorts)

    def certain_bases(self, word: str) -> Iterator[str]:
        """The words of which ``word`` is a form by the rules of the language, whatever else it may
        be: plurals of nouns, and what the grammar is certain of."""
        for base, sort in self._grammar.bases(word):
            row = self.row(base)
            if row is not None and sort in row.sorts and self._grammar.is_certain(base, sort):
                yield base

    def singular(self, word: str) -> str | None:
        """The noun of which the dictionary and the rules agree that ``word`` is the plural; None if
        there is none."""
        lemma = self.lemma(word)
        found = (base for base, sort in self._grammar.bases(word) if sort is Sort.NOUN)
        return lemma if lemma is not None and lemma != word and lemma in found else None

    def is_name(self, word: str) -> bool:
        """Does the dictionary have ``word`` with a capital, or not at all?"""
        return self._lemmas.get(word.capitalize()) is not None or self._lemmas.get(word) is None

    def is_only_name(self, word: str) -> bool:
        """True if the dictionary does not have ``word`` in small letters."""
        return self._lemmas.get(word) is None

    def _lemma(self, word: str) -> str | None:
        """The dictionary's lemma, or None for a word that is not in it."""
        found = self._lemmas.get(word) or self._lemmas.get(word.capitalize())
        return None if found is None else found.lower()
