"""What the referee has to know of a language's grammar: `english` and `italian` tell it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol


class Sort(StrEnum):
    """A part of speech, by the letter that stands for it in the tables of kin."""

    NOUN = "n"
    VERB = "v"
    ADJECTIVE = "a"


class Grammar(Protocol):
    """How a language inflects and spells. What it says may be only letters: a lexicon has to tell
    which of the words there are."""

    def bases(self, word: str) -> Iterator[tuple[str, Sort]]:
        """The dictionary forms of which ``word`` may be a regular inflection, each with the part
        of speech that it must be."""

    def is_certain(self, base: str, sort: Sort) -> bool:
        """Is a form that the rules make of ``base`` a form of it whatever else it may mean?"""

    def respelled(self, word: str) -> Iterator[str]:
        """Other spellings of ``word``; the last one stands for all of them."""

    def without_article(self, word: str) -> str:
        """``word`` without an article before it, or a preposition that is elided."""
