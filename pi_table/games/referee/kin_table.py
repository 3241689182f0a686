"""The kin table of a language: the kin of every ordinary word.

`pi_table.lab.reckoning` made the table once from lexicons and a model of word meanings; a game
table needs neither of them. Each line of ``kin/<language>.tsv`` is the row of one word, with five
fields separated by tabs: the word, its parts of speech, the members of a compound, its certain kin,
and its possible kin. Two words that are kin are only in the row of the word that comes first. The
lines are sorted by their bytes and searched in the file's bytes, so only requested rows are parsed.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

VOUCHED: Final = 100
"""Likelihood, in per cent, of a relation that a lexicon confirms."""


class Row(msgspec.Struct, frozen=True):
    """The entry of one word in the table."""

    word: str
    sorts: str = ""
    """Letters of the parts of speech that the word can be; see `grammar.Sort`."""
    parts: dict[str, int] = {}
    """The members of a compound, each with its likelihood in per cent; `VOUCHED`: confirmed."""
    kin: frozenset[str] = frozenset()
    """Kin that a lexicon confirms."""
    perhaps: dict[str, int] = {}
    """Possible kin, alike in form and meaning, each with its likelihood in per cent."""


class KinTable:
    """The rows of one language."""

    def __init__(self, lines: bytes) -> None:
        """Take the lines of the table. Raises ValueError if the last line is incomplete."""
        if lines and not lines.endswith(b"\n"):
            raise ValueError("The table of kin ends in the middle of a line.")
        self._lines = lines
        self.row = lru_cache(maxsize=2048)(self._row)

    def _row(self, word: str) -> Row | None:
        """Return the row of ``word``, which is in lower case; None if the table has no such row."""
        wanted, low, high = word.encode(), 0, len(self._lines)
        while low < high:
            begin = self._lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._lines.index(b"\n", begin)
            found = self._lines[begin : self._lines.index(b"\t", begin, end)]
            if found == wanted:
                return _read(self._lines[begin:end].decode())
            if found < wanted:
                low = end + 1
            else:
                high = begin
        return None


def read(lang: str) -> KinTable:
    """Return the table of a language that comes with the referee."""
    return KinTable(files(__package__).joinpath("kin", f"{lang}.tsv").read_bytes())


def line(row: Row) -> str:
    """Return the line of a row, as `KinTable` reads it."""
    several = (_format_chances(row.parts), " ".join(sorted(row.kin)), _format_chances(row.perhaps))
    return "\t".join((row.word, row.sorts, *several))


def _format_chances(chances: dict[str, int]) -> str:
    return " ".join(f"{word}={chance}" for word, chance in sorted(chances.items()))


def _read(text: str) -> Row:
    word, sorts, parts, kin, perhaps = text.split("\t")
    return Row(word, sorts, _parse_chances(parts), frozenset(kin.split()), _parse_chances(perhaps))


def _parse_chances(told: str) -> dict[str, int]:
    pairs = (each.split("=") for each in told.split())
    return {word: int(chance) for word, chance in pairs}
