"""The table of kin of a language: for every ordinary word, what words are kin to it.

`pi_table.lab.reckoning` has made it, once, out of lexicons and of a model of meaning that no
table needs to have. A line of ``kin/<language>.tsv`` is the row of one word, five fields parted by
tabs: the word, its parts of speech, the members of a compound, its kin, and what is kin perhaps. A
pair stands in the row of the word that comes first. The lines are in the order of their bytes, and
are searched in that form: only the rows that somebody asks for are ever read.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

VOUCHED: Final = 100
"""The per cent of what needs no guessing."""


class Row(msgspec.Struct, frozen=True):
    """What the table has on one word."""

    word: str
    sorts: str = ""
    """The letters of the parts of speech that the word can be; see `grammar.Sort`."""
    parts: dict[str, int] = {}
    """The members of a compound, each with how likely it is one, in per cent; `VOUCHED` if a
    lexicon vouches for it. Empty for a word that is none."""
    kin: frozenset[str] = frozenset()
    """Words that a lexicon vouches for: they are kin."""
    perhaps: dict[str, int] = {}
    """Words that agree in form and in meaning, with no witness; each with how likely it is kin, in
    per cent."""


class KinTable:
    """The rows of one language."""

    def __init__(self, lines: bytes) -> None:
        """Raises ValueError if ``lines`` does not end with the end of a line."""
        if lines and not lines.endswith(b"\n"):
            raise ValueError("The table of kin ends in the middle of a line.")
        self._lines = lines
        self.row = lru_cache(maxsize=2048)(self._row)

    def _row(self, word: str) -> Row | None:
        """The row of ``word``, which is in lower case; None if the table does not have it."""
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
    """The table of a language, as it comes with the referee."""
    return KinTable(files(__package__).joinpath("kin", f"{lang}.tsv").read_bytes())


def line(row: Row) -> str:
    """The line of a row, as `KinTable` reads it."""
    several = (_told(row.parts), " ".join(sorted(row.kin)), _told(row.perhaps))
    return "\t".join((row.word, row.sorts, *several))


def _told(chances: dict[str, int]) -> str:
    return " ".join(f"{word}={chance}" for word, chance in sorted(chances.items()))


def _read(text: str) -> Row:
    word, sorts, parts, kin, perhaps = text.split("\t")
    return Row(word, sorts, _chances(parts), frozenset(kin.split()), _chances(perhaps))


def _chances(told: str) -> dict[str, int]:
    pairs = (each.split("=") for each in told.split())
    return {word: int(chance) for word, chance in pairs}
