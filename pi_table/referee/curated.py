"""What the libraries do not know: our own lists, one file a language.

A file has sections, ``[families]``; in each, a line is an entry of one or more words parted by
spaces, ``#`` begins a comment. README.md tells what the sections are for.
"""

from importlib.resources import files
from typing import Final

SECTIONS: Final = (
    *("whole", "worn", "families", "cousins", "apart", "homographs", "spellings", "accents"),
    *("parts", "first", "last", "verbs", "combining", "no-members", "small", "particles"),
    *("open", "places", "abbreviations", "numbers", "foreign", "names"),
)

Entries = dict[str, tuple[tuple[str, ...], ...]]


def read(lang: str) -> Entries:
    """The entries of each section, each entry its words; a section that is missing is empty."""
    return parse(files(__package__).joinpath(f"{lang}.txt").read_text("utf-8"))


def parse(text: str) -> Entries:
    """The same from a text. Raises ValueError for a line that is in no known section."""
    found: dict[str, list[tuple[str, ...]]] = {section: [] for section in SECTIONS}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            section = words[0].strip("[]")
        if section not in found:
            raise ValueError(f"Line {number}: {section!r} is no section.")
        if not words[0].startswith("["):
            found[section].append(tuple(words))
    return {name: tuple(entries) for name, entries in found.items()}
