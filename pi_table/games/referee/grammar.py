"""The interface of a language's grammar for the referee; `english` and `italian` implement it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol


class Sort(StrEnum):
    """A part of speech, by its letter in the kin tables."""

    NOUN = "n"
    VERB = "v"
    ADJECTIVE = "a"


class Grammar(Protocol):
    """The inflection and spelling of a language.

    Results may be meaningless letters: a lexicon must decide which of them are words.
    """

    def bases(self, word: str) -> Iterator[tuple[str, Sort]]:
        """Yield dictionary forms for a regular inflection, with the part of speech each needs."""

    def is_certain(self, base: str, sort: Sort) -> bool:
        """True if a regular form of ``base`` always counts as one, despite other meanings."""

    def other_spellings(self, word: str) -> Iterator[str]:
        """Yield other spellings of ``word``, the standard spelling last."""

    def without_article(self, word: str) -> str:
        """Return ``word`` without an article or an elided preposition before it."""
