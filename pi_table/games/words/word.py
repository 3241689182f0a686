"""One word for a cell: its form, its faults, and the test whether two words are alike."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from pi_table.common.lettering import clean, letters, misfit, same
from pi_table.games.words.number import plurals

MAX_WORD_LENGTH: Final = 14
"""Maximum number of characters that fit on a cell, spaces included."""


class Wrong(StrEnum):
    """Reasons why a word cannot be used."""

    # The first three are those of `lettering.Misfit`.
    EMPTY = "empty"
    UNSEEN = "unseen"
    FOREIGN = "foreign"
    COMMENT = "comment"
    """The word begins with ``#``, as comments in packs do."""
    TOO_LONG = "too-long"
    ALIKE = "alike"
    """The word is the same as another (`common.lettering.same`), or its singular or plural."""


class WordFault(msgspec.Struct, frozen=True):
    """The reason why a word cannot be used."""

    why: Wrong
    word: str
    other: str | None = None
    """The other word that is like this one. None if ``why`` is not `Wrong.ALIKE`."""


def display_form(text: str) -> str:
    """Return a word as cells show it and packs store it: in capitals, with single spaces."""
    return " ".join(filter(None, clean(clean(text).upper()).split(" ")))


class Words:
    """A growing set of words of one language, no two of them alike."""

    def __init__(self, language: str, words: Iterable[str] = ()) -> None:
        self._language = language
        self._by_letters: dict[str, str] = {}
        self._plurals: dict[str, str] = {}
        for word in words:
            self.add(word)

    def add(self, word: str) -> None:
        """Add a word that has the form of `display_form` and is like no word of the set."""
        self._by_letters[same(word)] = word
        self._plurals |= dict.fromkeys(self._plurals_of(word), word)

    def like(self, word: str) -> str | None:
        """Return the word of the set that is the same as ``word`` or its singular or plural; else
        None."""
        key = same(word)
        for found in (self._by_letters.get(key), self._plurals.get(key)):
            if found is not None:
                return found
        many = self._plurals_of(word) & self._by_letters.keys()
        return self._by_letters[min(many)] if many else None

    def _plurals_of(self, word: str) -> set[str]:
        return {same(plural) for plural in plurals(letters(word), self._language)}


def fault_of(text: str, others: Words) -> WordFault | None:
    """Return the fault of a word, or None. A word that is like one of ``others`` has a fault."""
    word = display_form(text)
    if word.startswith("#"):
        return WordFault(Wrong.COMMENT, word)
    if (why := misfit(text)) is not None:
        return WordFault(Wrong(why.value), word)
    if len(word) > MAX_WORD_LENGTH:
        return WordFault(Wrong.TOO_LONG, word)
    other = others.like(word)
    return None if other is None else WordFault(Wrong.ALIKE, word, other)
