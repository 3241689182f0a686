"""The interface of a language's grammar for the referee. `english` and `italian` implement it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol


class Sort(StrEnum):
    """A part of speech. Its value is the letter that the kin tables use."""

    NOUN = "n"
    VERB = "v"
    ADJECTIVE = "a"


class Grammar(Protocol):
    """The inflection and spelling of a language.

    Some results may not be real words: a lexicon must decide.
    """

    def bases(self, word: str) -> Iterator[tuple[str, Sort]]:
        """Yield possible dictionary forms of an inflected word, each with the part of speech it
        must have."""

    def is_certain(self, base: str, sort: Sort) -> bool:
        """True if a form of ``base`` counts as its form even if it is also a word of its own."""

    def other_spellings(self, word: str) -> Iterator[str]:
        """Yield other possible spellings of ``word``, the standard spelling last."""

    def without_article(self, word: str) -> str:
        """Return ``word`` without an article or an elided preposition before it."""
