"""How words are made from words: what `english` and `italian` tell of their languages."""

from collections.abc import Iterator
from typing import Protocol

import msgspec


class Making(msgspec.Struct, frozen=True):
    """What a word may be made from by one affix, one of several if there is more than one.

    ``sure``: does the affix speak for itself, or is it often only a string of letters? Where there
    is a ``proof``, that must be a word, or the affix is none. ``else_from``: the bases where none
    of the others is a word.
    """

    bases: tuple[str, ...]
    sure: bool = True
    proof: str | None = None
    else_from: tuple[str, ...] = ()


class Rules(Protocol):
    """What is known of a language without its lexicon: may be right, and may be only letters."""

    @property
    def LINKS(self) -> tuple[str, ...]:  # noqa: N802
        """What may stand between the members of a compound."""

    @property
    def LEAST_MEMBER(self) -> int:  # noqa: N802
        """Letters of a member of a compound that is not listed."""

    def inflected(self, word: str) -> Iterator[str]:
        """What this may be an inflection of."""

    def derived(self, word: str) -> Iterator[Making]:
        """What this may be made from by one affix."""

    def respelled(self, word: str) -> Iterator[str]:
        """Other spellings of this, the one that stands for it last."""

    def without_article(self, word: str) -> str:
        """What is left of two words of which the first is elided, else the word."""

    def proof_of_agreement(self, word: str, lemma: str) -> str | None:
        """What must be a word, if this is to be a form of the lemma."""

    def may_be_noun(self, word: str, lemma: str) -> bool:
        """May a form of the lemma be a word of its own?"""

    def is_regular(self, word: str, base: str) -> bool:
        """Is this an inflection that needs no dictionary's word for it?"""


def affixes(listed: str) -> tuple[str, ...]:
    """Those of a list that is parted by spaces."""
    return tuple(listed.split())
