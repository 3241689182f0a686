"""The words of a language according to its lexicons: inflected forms and their dictionary forms.

simplemma's dictionary is read as a stream. This needs a tenth of the memory of a Python dict.
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
    """Looks up single words, which must be in lower case."""

    def __init__(self, lang: str, grammar: Grammar) -> None:
        try:  # here, because the import is as slow as loading the dictionary
            from simplemma.strategies.dictionaries import StreamDictionaryFactory
        except ImportError:
            raise TableError(MISSING) from None
        self._lemmas = StreamDictionaryFactory().get_dictionary(lang)
        self._grammar = grammar
        self._table = kin_table.read(lang)
        self.lemma = lru_cache(maxsize=8192)(self._lemma)

    def row(self, word: str) -> Row | None:
        found: Row | None = self._table.row(word)
        return found

    def bases(self, word: str) -> Iterator[str]:
        """Yield the words of which ``word`` may be an inflected form.

        First comes the lemma in the dictionary, then nouns of the kin table whose regular plural is
        ``word``. Verbs and adjectives of the kin table follow only if the dictionary has no other
        lemma, because many of their forms look like other words.
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
        """True if the dictionary's ``lemma`` is wrong: *rugged* is not a form of *rug*, because
        *rug* is a noun."""
        row = self.row(lemma)
        sorts = {sort for base, sort in self._grammar.bases(word) if base == lemma}
        return row is not None and row.sorts != "" and bool(sorts) and sorts.isdisjoint(row.sorts)

    def certain_bases(self, word: str) -> Iterator[str]:
        """Yield the words of which ``word`` is certainly a form, by `Grammar.is_certain`."""
        for base, sort in self._grammar.bases(word):
            row = self.row(base)
            if row is not None and sort in row.sorts and self._grammar.is_certain(base, sort):
                yield base

    def singular(self, word: str) -> str | None:
        """Return the singular of ``word`` if the dictionary and the rules agree, else None."""
        lemma = self.lemma(word)
        found = (base for base, sort in self._grammar.bases(word) if sort is Sort.NOUN)
        return lemma if lemma is not None and lemma != word and lemma in found else None

    def is_name(self, word: str) -> bool:
        """True if the dictionary has ``word`` with a capital, or does not have it in lower case."""
        return self._lemmas.get(word.capitalize()) is not None or self._lemmas.get(word) is None

    def is_only_name(self, word: str) -> bool:
        """True if the dictionary does not have ``word`` in lower case."""
        return self._lemmas.get(word) is None

    def _lemma(self, word: str) -> str | None:
        found = self._lemmas.get(word) or self._lemmas.get(word.capitalize())
        return None if found is None else found.lower()
