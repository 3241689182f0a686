"""Families of words, written down by people: what a codename means, and which words are its kin.

A file of ``families/<language>/`` holds the entries of one first letter, an empty line between two.
The first line of an entry is its word and its senses, ``bass: a fish; a deep voice``. Each other
line is a label and words, ``kin bassist bassline``; families/README.md tells the labels.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec

from pi_table.common.language import say

LABELS: Final = ("parts", "kin", "spellings", "forms", "perhaps", "apart")

Words = tuple[str, ...]


class Family(msgspec.Struct, frozen=True):
    """The entry of one word. All words are in lower case, in their dictionary form."""

    word: str
    """The word that the entry is for; some cards have two words."""
    senses: Words
    """What the word means, each sense in a few words of the same language; one at least."""
    parts: Words = ()
    """The members of a compound, as words of their own: *earthquake* has *earth* and *quake*."""
    kin: Words = ()
    """The words with the same root, and the compounds with the word in them."""
    spellings: Words = ()
    """Other spellings of the very same word."""
    forms: Words = ()
    """Inflected forms that no rule makes: *feet*, *uova*."""
    perhaps: Words = ()
    """Words of which people may doubt whether they are kin."""
    apart: Words = ()
    """Words that look like kin, and are none."""


Families = dict[str, Family]
"""The entry of each word."""


@cache
def families(language: str) -> Families:
    """All entries of a language, which is read when it is first asked for; `{}` if it has none."""
    return {family.word: family for family in entries(language)}


def entries(language: str) -> Iterator[Family]:
    """The entries of a language one after another, of which none is kept.

    Raises ValueError, with the file's name, for a line that is none and a word that has two.
    """
    folder = files("pi_table.games.words") / "families" / language
    seen = set[str]()
    for file in sorted(folder.iterdir(), key=_name) if folder.is_dir() else ():
        for family in parse(file.read_text("utf-8"), file.name):
            if family.word in seen:
                raise ValueError(
                    say(
                        "{name}: {word} has an entry already.",
                        name=file.name,
                        word=repr(family.word),
                    )
                )
            seen.add(family.word)
            yield family


def parse(text: str, file: str) -> list[Family]:
    """The entries of one file. Raises ValueError, with the file's name, for a line that is none."""
    found: list[Family] = []
    for block in text.strip().split("\n\n"):
        head, *lines = block.strip().splitlines()
        word, colon, senses = head.partition(": ")
        if not colon or not senses.strip():
            raise ValueError(
                say(
                    "{file}: {head} is no head of an entry; write 'word: sense'.",
                    file=file,
                    head=repr(head),
                )
            )
        fields: dict[str, Words] = {}
        for line in lines:
            label, *words = line.split()
            if label not in LABELS or label in fields or not words:
                raise ValueError(
                    say(
                        "{file}: {line} cannot be in the entry of {word}.",
                        file=file,
                        line=repr(line),
                        word=repr(word),
                    )
                )
            fields[label] = tuple(words)
        found.append(Family(word, tuple(map(str.strip, senses.split(";"))), **fields))
    return found


def _name(file: Traversable) -> str:
    return file.name
