"""The words of a language as the libraries know them: how common each is, and its lemma.

simplemma's dictionary is read as a stream, which needs a tenth of the memory of a dict; wordfreq's
list is read from its data file, because importing the package costs more than all the rest.
"""

import gzip
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from pi_table.errors import TableError

COMMON: Final = 3.0
"""Zipf: how common a word is that stands once in a million words."""
MISSING: Final = "The referee needs the packages simplemma and wordfreq; run 'make setup'."


class Lexicon:
    """What is known of single words, in lower case."""

    def __init__(self, lang: str) -> None:
        try:  # here, because it takes as long as the dictionary
            from simplemma.strategies.dictionaries import StreamDictionaryFactory
        except ImportError:
            raise TableError(MISSING) from None
        self._lemmas = StreamDictionaryFactory().get_dictionary(lang)
        self._frequencies = _frequencies(lang)
        self.lemma = lru_cache(maxsize=8192)(self._lemma)

    def zipf(self, word: str) -> float:
        """How common ``word`` is: 0 unknown, 3 once in a million words, 6 once in a thousand."""
        centibels = self._frequencies.get(word)
        return 0.0 if centibels is None else 9 - centibels / 100

    def is_name(self, word: str) -> bool:
        """Does the dictionary have ``word`` with a capital, or not at all?"""
        return self._lemmas.get(word.capitalize()) is not None or self._lemmas.get(word) is None

    def _lemma(self, word: str) -> str | None:
        """The dictionary's lemma, or None for a word that is not in it."""
        found = self._lemmas.get(word) or self._lemmas.get(word.capitalize())
        return None if found is None else found.lower()


def _frequencies(lang: str) -> dict[str, int]:
    """How rare each word is, from wordfreq's own file: centibels below the whole text."""
    package = find_spec("wordfreq")
    if package is None or package.origin is None:
        raise TableError(MISSING)
    with gzip.open(Path(package.origin).parent / "data" / f"large_{lang}.msgpack.gz") as file:
        _, *buckets = msgspec.msgpack.decode(file.read())
    return {
        word: centibels
        for centibels, words in enumerate(buckets)
        for word in words
        if word.isalpha()
    }
