"""Split a list of words into cells: either a table with columns, or words one after another.

Numbers beside words, a row of titles, and columns without words are recognized.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.games.words.pack_text import Line, left_out_sentence, quote
from pi_table.games.words.shape import Habits, NoWord, Separator, cells_of, split_markup
from pi_table.games.words.word import MAX_WORD_LENGTH


class Cell(msgspec.Struct, frozen=True):
    """The text between two separators of a line."""

    line: int
    text: str


class Table(msgspec.Struct, frozen=True):
    """The cells of a list, split by one separator."""

    separator: Separator
    rows: tuple[tuple[Cell, ...], ...]
    """The rows of cells. If the list is a table, each row has one cell for each of the ``places``;
    some cells may be empty."""
    numbers: int = 0
    """Number of cells that were left out because they contained only a number."""
    places: tuple[int, ...] = ()
    """Numbers, from 1, of the columns that have text. Empty if the list is not a table."""
    beyond: tuple[Cell, ...] = ()
    """Cells after the last column, from rows that are longer than the others."""


def table_of(lines: list[Line], separator: Separator) -> Table:
    """Split the lines of a list by one separator, and leave out the numbers beside words."""
    rows = [
        tuple(Cell(number, part) for part in cells_of(line, separator)) for number, line in lines
    ]
    if separator is Separator.LINES:
        return Table(separator, tuple(rows))
    if width := _width(rows):
        return _of_columns(separator, [row for row in rows if len(row) == width], rows, width)
    cells = [cell for row in rows for cell in row if cell.text]
    numbers = sum(_is_number(cell) for cell in cells)
    if 4 * numbers < len(cells) or 10 * numbers > 9 * len(cells):
        return Table(separator, tuple(rows))  # the numbers are words, like 42
    bare = tuple(tuple(cell for cell in row if not _is_number(cell)) for row in rows)
    return Table(separator, bare, numbers)


def _width(rows: Sequence[Sequence[Cell]]) -> int:
    """Return the number of columns, or 0 if the rows are not a table."""
    widths = Counter(map(len, rows))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    return width if width > 1 and count >= MIN_ROWS and 5 * count >= 4 * len(rows) else 0


MIN_ROWS: Final = 4


def _of_columns(
    separator: Separator,
    regular: Sequence[Sequence[Cell]],
    rows: Sequence[Sequence[Cell]],
    width: int,
) -> Table:
    """Return a table of those columns that have text. ``regular`` are the rows with ``width``
    cells."""
    columns = [[row[place] for row in regular if row[place].text] for place in range(width)]
    numeric = {
        place
        for place, cells in enumerate(columns)
        if cells and 10 * sum(map(_is_number, cells)) >= 8 * len(cells)
    }
    texts = [place for place, cells in enumerate(columns) if cells and place not in numeric]
    if not texts:
        texts, numeric = sorted(numeric), set()
    filled = [[*row, *(Cell(row[0].line, "") for _ in range(width))] for row in rows]
    return Table(
        separator,
        tuple(tuple(row[place] for place in texts) for row in filled),
        sum(_is_number(row[place]) for row in filled for place in numeric),
        tuple(place + 1 for place in texts),
        tuple(cell for row in rows for cell in row[width:] if cell.text),
    )


def _is_number(cell: Cell) -> bool:
    return _NUMBER.fullmatch(cell.text) is not None


_NUMBER: Final = re.compile(r"[(\[]?[#x×]?\d+(?:[.,:/-]\d+){0,3}\s?[%x×.:)\]]{0,3}")
"""A number, a percentage, a time or a date."""


def word_count(table: Table) -> int:
    """Return the number of different words in a table that are short enough for a cell."""
    words = {_bare(cell) for row in table.rows for cell in row}
    return sum(0 < len(word) <= MAX_WORD_LENGTH for word in words)


def without_header(table: Table, left_out: list[Line]) -> Table:
    """Return a table without its row of column titles. Add this row, if any, to ``left_out``."""
    if not table.rows or not table.places:
        return table
    titles = [cell for cell in table.rows[0] if cell.text]
    others = {cell.text for row in table.rows[1:] for cell in row}
    words = (_bare(cell) for cell in titles if cell.text not in others)
    if not any(each in TITLES for each in words):
        return table
    line = ", ".join(cell.text for cell in titles)
    left_out.append((titles[0].line, left_out_sentence(line, NoWord.HEADING)))
    return replace(table, rows=table.rows[1:])


def _bare(cell: Cell) -> str:
    return split_markup(cell.text, Habits()).word.casefold()


def of_column(
    table: Table, wanted: int | None, doubts: list[Line], left_out: list[Line]
) -> tuple[list[Cell], int]:
    """Return the cells that may have words, and the number of their column (0 for all columns).

    Columns are counted from 1. ``wanted`` is the column that the user chose, 0 for all columns, or
    None to detect it. If several columns may have words, all are read, and ``doubts`` gets a
    message.
    """
    cells = (cell for row in table.rows for cell in row if cell.text)
    every = sorted((*cells, *table.beyond), key=lambda cell: cell.line)
    places = table.places
    if len(places) < 2:
        return every, 0
    columns = {
        place: [row[at] for row in table.rows if row[at].text] for at, place in enumerate(places)
    }
    wordy = [place for place, cells in columns.items() if _has_words(cells)]
    if wanted == 0 or wanted in columns:
        chosen = wanted or 0
    else:
        chosen = wordy[0] if len(wordy) == 1 else 0
        if chosen == 0:
            row = ", ".join(cell.text for cell in table.rows[0])
            what = say(
                "{quoted} was read as {len} words; if only one of the columns has words for "
                "the table, choose that column.",
                quoted=quote(row),
                len=len(places),
            )
            doubts.append((every[0].line, what))
    if chosen == 0:
        return every, 0
    for cell in table.beyond:
        left_out.append((cell.line, say("{quote} is beyond the columns.", quote=quote(cell.text))))
    return columns[chosen], chosen


def _has_words(cells: Sequence[Cell]) -> bool:
    """True if most texts of a column are short and different, unlike categories, which repeat, and
    comments, which are long."""
    texts = [cell.text.casefold() for cell in cells]
    short = sum(len(text) <= MAX_WORD_LENGTH + 2 for text in texts)
    return 2 * len({*texts}) > len(texts) and 2 * short > len(texts)


TITLES: Final = frozenset(
    (
        *("word", "words", "name", "names", "list", "wordlist", "term", "terms", "noun", "nouns"),
        *("parola", "parole", "lista", "termine", "termini", "nome", "nomi"),
        *("english", "inglese", "italian", "italiano", "italiana"),
        *("british", "american", "singular", "plural", "singolare", "plurale"),
    )
)
