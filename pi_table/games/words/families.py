"""Word families, written by people: the senses of a word, and its kin (related words).

A file of ``families/<language>/`` has the entries of one first letter, in alphabetical order. An
empty line separates two entries. The first line of an entry is its word and the word's senses, as
in ``bass: a fish; a deep voice``. Each other line is a label and words, as in ``kin bassist
bassline``; `Family` explains the labels.
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
    """The word that the entry describes. It contains a space if the card has two words."""
    senses: Words
    """The senses that any guest knows (at least one), each in a few words of the same language."""
    parts: Words = ()
    """The words that people hear in a compound: *earthquake* has *earth* and *quake*. Each part has
    its own entry."""
    kin: Words = ()
    """Words with the same root, and compounds that contain the word. The kin of its parts are not
    repeated here."""
    spellings: Words = ()
    forms: Words = ()
    """Irregular inflected forms: *feet*, *uova*."""
    perhaps: Words = ()
    """Words with the same root, although few people notice it: *salt* for the word *salary*."""
    apart: Words = ()
    """Words that look like kin but are not: *corn* for the word *corner*."""


Families = dict[str, Family]


@cache
def families(language: str) -> Families:
    """Return the entries of a language, by word; `{}` if there are none. They are cached."""
    return {family.word: family for family in entries(language)}


def entries(language: str) -> Iterator[Family]:
    """Yield the entries of a language one by one. Nothing is cached.

    Raises ValueError for an invalid line and for a word with two entries. The message names the
    file.
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
    """Return the entries in the text of one file. Raises ValueError for an invalid line; the
    message contains ``file``."""
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
