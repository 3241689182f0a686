"""One word for a cell: how it is shown, what may be wrong with it, and when two are alike."""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from pi_table.words.number import plurals

LONGEST_WORD: Final = 14
"""The most characters that fit on a cell, spaces included."""


class Wrong(StrEnum):
    """Why a word cannot be used."""

    EMPTY = "empty"
    """The word has no letter and no digit."""
    COMMENT = "comment"
    """The word begins with ``#``, as comments in packs do."""
    UNSEEN = "unseen"
    """The word has control characters, or others that cannot be seen."""
    FOREIGN = "foreign"
    """The word has letters or digits of another script; some of them look like ours."""
    TOO_LONG = "too-long"
    ALIKE = "alike"
    """Another word is the same but for case, spaces, accents or number."""


class WordFault(msgspec.Struct, frozen=True):
    """What is wrong with a word."""

    why: Wrong
    """What is wrong."""
    word: str
    """The word."""
    other: str | None = None
    """The other word that it is like, where it is `Wrong.ALIKE`; else None."""


def shown(text: str) -> str:
    """A word as cells show it and packs keep it: in capitals, its parts one space apart."""
    return unicodedata.normalize("NFC", " ".join(text.split()).upper())


class Words:
    """A growing set of words of one language, no two of them alike."""

    def __init__(self, language: str, words: Iterable[str] = ()) -> None:
        self._language = language
        self._by_letters: dict[str, str] = {}
        self._plurals: dict[str, str] = {}
        for word in words:
            self.add(word)

    def add(self, word: str) -> None:
        """Take in a word, as ``shown`` gives it, that is like none of the others."""
        self._by_letters[_bare(_folded(word))] = word
        self._plurals |= dict.fromkeys(self._plurals_of(word), word)

    def like(self, word: str) -> str | None:
        """The word that is the same but for case, spaces, accents or number; None if none is."""
        bare = _bare(_folded(word))
        for found in (self._by_letters.get(bare), self._plurals.get(bare)):
            if found is not None:
                return found
        many = self._plurals_of(word) & self._by_letters.keys()
        return self._by_letters[min(many)] if many else None

    def _plurals_of(self, word: str) -> set[str]:
        return {_bare(plural) for plural in plurals(_folded(word), self._language)}


def fault_of(text: str, others: Words) -> WordFault | None:
    """What is wrong with a word that somebody wrote, beside ``others``; None if nothing is.

    A word without a fault goes on in the form that ``shown`` gives.
    """
    word = shown(text)
    if unseen(text.strip()):
        return WordFault(Wrong.UNSEEN, word)
    if word.startswith("#"):
        return WordFault(Wrong.COMMENT, word)
    if not any(sign.isalnum() for sign in word):
        return WordFault(Wrong.EMPTY, word)
    if foreign(word):
        return WordFault(Wrong.FOREIGN, word)
    if len(word) > LONGEST_WORD:
        return WordFault(Wrong.TOO_LONG, word)
    other = others.like(word)
    return None if other is None else WordFault(Wrong.ALIKE, word, other)


def unseen(text: str) -> str:
    """The control characters in a text, and others that make words look alike which are not."""
    if text.isascii() and text.isprintable():
        return ""
    return "".join(
        sign for sign in text if sign in _BLANK or unicodedata.category(sign).startswith("C")
    )


_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Fillers, joiners and selectors: by their categories they are letters, marks and symbols."""


def foreign(word: str) -> str:
    """The letters, digits and marks in a word, as ``shown`` gives it, that are not of our script:
    of the Latin one, with the accents that its letters take, and the digits 0 to 9."""
    if word.isascii():
        return ""
    return "".join(sign for sign in word if not sign.isascii() and _is_foreign(sign))


def _is_foreign(sign: str) -> bool:
    if unicodedata.category(sign)[0] not in "LMN":
        return False
    if sign <= _LAST_EUROPEAN:
        return not (unicodedata.name(sign, "").startswith("LATIN ") or sign in "ªº")
    letter = unicodedata.normalize("NFD", sign)[0]
    return not (letter.isascii() and letter.isalpha())


_LAST_EUROPEAN: Final = "\u017f"
"""The last letter of European alphabets. Later ones only look like them, as those of phonetics."""


def _folded(word: str) -> str:
    """What is left of a word without case and spaces."""
    return unicodedata.normalize("NFC", "".join(word.casefold().split()))


def _bare(word: str) -> str:
    """What is left of a folded word without its accents."""
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
