"""Word families written by people: the meanings of a codename, and its kin.

A file of ``families/<language>/`` has the entries of one first letter, in alphabetical order, with
empty lines between them.
The first line of an entry is its word and its senses, ``bass: a fish; a deep voice``. Each other
line is a label and words, ``kin bassist bassline``; `Family` explains the labels.
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
    """The word of the entry. It contains a space if the card has two words."""
    senses: Words
    """The meanings that any guest knows, each in a few words of the same language; at least one."""
    parts: Words = ()
    """The members of a compound that people hear as one: *earthquake* has *earth* and *quake*. Each
    member has its own entry."""
    kin: Words = ()
    """Words with the same root, and compounds with the word; not the kin of its parts."""
    spellings: Words = ()
    forms: Words = ()
    """Irregular inflected forms: *feet*, *uova*."""
    perhaps: Words = ()
    """Words with a real common root that few people hear: *salary*, *salt*."""
    apart: Words = ()
    """Words that look like kin but are not: *corner*, *corn*."""


Families = dict[str, Family]


@cache
def families(language: str) -> Families:
    """Return all entries of a language, loaded at the first call; `{}` if there are none."""
    return {family.word: family for family in entries(language)}


def entries(language: str) -> Iterator[Family]:
    """Yield the entries of a language one by one, without keeping them.

    Raises ValueError, with the file's name, for an invalid line and for a word with two entries.
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
    """Return the entries of one file. Raises ValueError, with its name, for an invalid line."""
    found: list[Family] = []
    for block in text.strip().split("\n\n"):
        head, *lines = block.strip().splitlines()
        word, colon, senses = head.partition(": ")
        if not colon or not senses.strip():
            raise ValueError(
                say(
                    "{file}: {head} is not the head of an entry; write 'word: sense'.",
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
