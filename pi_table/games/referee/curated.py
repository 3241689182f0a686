"""Word lists of our own, for what the libraries do not know: one file for each language.

A file has sections, each with a head such as ``[families]``. A line in a section is an entry: one
or more words, separated by spaces. ``#`` begins a comment. The sections:

- families: certain kin of the first word
- cousins: possible kin of the first word
- worn: words that were made from another word once, and are now its possible kin at most
  (*business*)
- whole: words that are not made from the words that they contain (*corner*, *mattone*)
- forms: irregular forms of the first word
- spellings: other spellings of the first word
- accents: words that are other words without their accent
- parts: members of compounds
- verbs: beginnings of Italian compounds of verb and noun, each with its verb
- combining: members whose compounds are not certainly akin
- particles: members whose compounds are not akin at all
- small: words that do not count among several words
- suffixes: endings that are not members of compounds (*-mento*)
- used: words in use that no lexicon has (*padel*)
- open, places, place-heads, names, titles, abbreviations, numbers, foreign: forms of a clue
"""

from importlib.resources import files
from typing import Final

from pi_table.common.language import say

SECTIONS: Final = (
    *("whole", "worn", "families", "cousins", "spellings", "accents", "forms"),
    *("parts", "verbs", "combining", "small", "particles"),
    *("open", "places", "abbreviations", "numbers", "foreign", "names", "titles"),
    *("place-heads", "suffixes", "used"),
)

Entry = tuple[str, ...]


class Lists:
    """The lists of one language, by section, in the forms in which they are looked up."""

    def __init__(self, entries: dict[str, tuple[Entry, ...]]) -> None:
        self._entries = entries

    def entries(self, section: str) -> tuple[Entry, ...]:
        return self._entries[section]

    def words(self, section: str) -> frozenset[str]:
        return frozenset(word for entry in self._entries[section] for word in entry)

    def phrases(self, section: str) -> frozenset[str]:
        return frozenset(map(" ".join, self._entries[section]))

    def heads(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return for each word of a section the first words of the entries that contain it."""
        found: dict[str, tuple[str, ...]] = {}
        for entry in self._entries[section]:
            for word in entry:
                found[word] = (*found.get(word, ()), entry[0])
        return found

    def tails(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return for the first word of each entry the other words of that entry."""
        return {entry[0]: entry[1:] for entry in self._entries[section]}


def read(lang: str) -> Lists:
    return Lists(parse(files(__package__).joinpath(f"{lang}.txt").read_text("utf-8")))


def parse(text: str) -> dict[str, tuple[Entry, ...]]:
    """Return the entries of every section. Raises ValueError for a line outside known sections."""
    found: dict[str, list[Entry]] = {section: [] for section in SECTIONS}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            section = words[0].strip("[]")
        if section not in found:
            raise ValueError(
                say(
                    "Line {number}: {section} is not a section.",
                    number=number,
                    section=repr(section),
                )
            )
        if not words[0].startswith("["):
            found[section].append(tuple(words))
    return {name: tuple(entries) for name, entries in found.items()}
