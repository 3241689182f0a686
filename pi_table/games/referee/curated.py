"""Word lists of our own, for facts that the libraries do not know: one file for each language.

A file has sections, each with a heading such as ``[families]``. Each line of a section is an entry:
one or more words, separated by spaces. ``#`` begins a comment. The sections:

- families: a word, followed by its certain kin (related words)
- cousins: a word, followed by its possible kin
- worn: words that were once made from another word. The two words are at most possible kin, because
  few people still hear the one in the other (*business*)
- whole: words that seem to be made from other words but are not (*corner*, *mattone*)
- forms: a word, followed by its irregular forms
- spellings: a word, followed by its other spellings
- accents: words that become other words without their accent
- parts: a compound, followed by its members
- verbs: the beginning of Italian compounds of verb and noun, followed by the verb
- combining: members (*tele*) by which two compounds are at most possible kin
- particles: members (*out*) by which two compounds are not kin at all
- small: words such as *of*, which are ignored in a phrase of several words
- suffixes: endings that are not members of compounds (*-mento*)
- used: words that the language uses but no lexicon has (*padel*)
- open, places, place-heads, names, titles, abbreviations, numbers, foreign: words and phrases by
  which the form of a clue is judged
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
    """The word lists of one language, by section."""

    def __init__(self, entries: dict[str, tuple[Entry, ...]]) -> None:
        self._entries = entries

    def entries(self, section: str) -> tuple[Entry, ...]:
        return self._entries[section]

    def words(self, section: str) -> frozenset[str]:
        return frozenset(word for entry in self._entries[section] for word in entry)

    def phrases(self, section: str) -> frozenset[str]:
        return frozenset(map(" ".join, self._entries[section]))

    def heads(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return, for each word of a section, the first words of all entries that contain it."""
        found: dict[str, tuple[str, ...]] = {}
        for entry in self._entries[section]:
            for word in entry:
                found[word] = (*found.get(word, ()), entry[0])
        return found

    def tails(self, section: str) -> dict[str, tuple[str, ...]]:
        """Return, for the first word of each entry, the other words of the entry."""
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
