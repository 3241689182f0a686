"""How words are made from words: what `english` and `italian` tell of their languages."""

from collections.abc import Iterator
from typing import Protocol

import msgspec


class Making(msgspec.Struct, frozen=True):
    """How a word may be made by one affix."""

    bases: tuple[str, ...]
    """What the affix may have been put to: one of these."""
    sure: bool = True
    """Does the affix speak for itself? If not, it is often only a string of letters."""
    proof: str | None = None
    """What must be a word, or the affix is none; None where nothing must."""
    else_from: tuple[str, ...] = ()
    """What the affix may have been put to where none of ``bases`` is a word."""


class Rules(Protocol):
    """How a language makes words. What the rules say may be only letters; the lexicon has to
    tell."""

    @property
    def LINKS(self) -> tuple[str, ...]:  # noqa: N802
        """What may stand between the members of a compound."""

    @property
    def LEAST_MEMBER(self) -> int:  # noqa: N802
        """How many letters a member of a compound has at least, unless it is listed."""

    def inflected(self, word: str) -> Iterator[str]:
        """The words of which ``word`` may be an inflection."""

    def derived(self, word: str) -> Iterator[Making]:
        """The ways in which ``word`` may be made by one affix."""

    def respelled(self, word: str) -> Iterator[str]:
        """Other spellings of ``word``; the last one stands for all of them."""

    def without_article(self, word: str) -> str:
        """The second of two words of which the first is elided; else ``word``."""

    def proof_of_agreement(self, word: str, lemma: str) -> str | None:
        """What must be a word if ``word`` is to be a form of ``lemma``; None where nothing must."""

    def may_be_noun(self, word: str, lemma: str) -> bool:
        """May ``word``, a form of ``lemma``, be a word of its own?"""

    def is_regular(self, word: str, base: str) -> bool:
        """Is ``word`` a form of ``base`` that is certain without any dictionary?"""


def affixes(listed: str) -> tuple[str, ...]:
    """The affixes in a text, parted by spaces."""
    return tuple(listed.split())
