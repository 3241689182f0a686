"""The kin table of a language: the kin (related words) of every ordinary word.

`pi_table.lab.reckoning` computed the table once, from lexicons and a model of word meanings.
Neither is needed to play. Each line of ``kin/<language>.tsv`` is the row of one word, with five
fields separated by tabs: the word, its parts of speech, the members of a compound, its certain kin,
and its possible kin. Each pair of kin is stored once, in the row of the word that comes first. The
lines are sorted by their bytes. Rows are found by binary search and parsed only when needed.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

VOUCHED: Final = 100
"""Per cent: the likelihood of a relation that a lexicon confirms."""


class Row(msgspec.Struct, frozen=True):
    """The row of one word in the kin table."""

    word: str
    sorts: str = ""
    """Letters of the word's possible parts of speech; see `grammar.Sort`."""
    parts: dict[str, int] = {}
    """The members of a compound, each with its likelihood in per cent; see `VOUCHED`."""
    kin: frozenset[str] = frozenset()
    """Kin that a lexicon confirms."""
    perhaps: dict[str, int] = {}
    """Words similar in form and meaning, each with its likelihood of being kin, in per cent."""


class KinTable:
    """The kin table of one language."""

    def __init__(self, lines: bytes) -> None:
        """``lines`` are the bytes of the table's file. Raises ValueError if the last line is
        incomplete."""
        if lines and not lines.endswith(b"\n"):
            raise ValueError("The table of kin ends in the middle of a line.")
        self._lines = lines
        self.row = lru_cache(maxsize=2048)(self._row)

    def _row(self, word: str) -> Row | None:
        """Return the row of ``word``, which must be in lower case; None if the table has no such
        row."""
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
    """Return the kin table of a language, which is shipped with the referee."""
    return KinTable(files(__package__).joinpath("kin", f"{lang}.tsv").read_bytes())


def line(row: Row) -> str:
    """Return a row as text, in the form of the table's file."""
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
