"""A sheet: one table of a report, before it is shown in the terminal, on the page or as CSV.

Titles are not yet translated, cells are plain values, and each column has the unit of its values.
"""

import csv
import enum
import io
from collections.abc import Callable
from datetime import date

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, Words, translate


class Unit(enum.Enum):
    """The unit of a column's values."""

    TEXT = "text"
    COUNT = "count"
    MINUTES = "minutes"
    """The values are seconds, which are shown as minutes."""
    HOURS = "hours"
    """The values are seconds, which are shown as hours."""
    SECONDS = "seconds"
    RATE = "rate"
    """The values are numbers, which are shown with one decimal."""
    SHARE = "share"
    """The values are shares (0 … 1), which are shown in percent."""
    DAY = "day"


Cell = Words | int | float | date | None


class Column(msgspec.Struct, frozen=True):
    name: str
    """The column's name in CSV files."""
    title: Words
    unit: Unit = Unit.COUNT


class Sheet(msgspec.Struct, frozen=True):
    """One table of a report."""

    name: str
    title: Words
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Words | None = None


def plain(text: str) -> str:
    """Return a text from the database, with U+FFFD in place of each character that a terminal might
    interpret."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def without(sheet: Sheet, has_to_go: Callable[[str], bool]) -> Sheet:
    """Return a copy of a sheet. A column is left out if ``has_to_go`` returns True for its name."""
    kept = [at for at, column in enumerate(sheet.columns) if not has_to_go(column.name)]
    return replace(
        sheet,
        columns=tuple(sheet.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in sheet.rows),
    )


def share(some: int, of: int) -> float | None:
    """Return ``some`` divided by ``of``; None if ``of`` is 0."""
    return some / of if of else None


def format_cell(cell: Cell, unit: Unit, lang: Lang) -> str:
    """Return the value of a cell with its unit, in the reader's language."""
    if cell is None:
        return "–"
    if isinstance(cell, str | Say):
        return translate(cell, lang)
    if isinstance(cell, date):
        return cell.isoformat()
    match unit:
        case Unit.MINUTES:
            return f"{cell / 60:.0f} min"
        case Unit.HOURS if not cell:
            return "–"  # short, so that the known values stand out
        case Unit.HOURS:
            return f"{_number(cell / 3600, 1 if cell < 360_000 else 0, lang)} h"
        case Unit.RATE:
            return _number(cell, 1, lang)
        case Unit.SECONDS:
            return f"{cell:.0f} s"
        case Unit.SHARE:
            return f"{100 * cell:.0f} %"
    return f"{cell:.0f}"


def _number(value: float, digits: int, lang: Lang) -> str:
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if lang == "it" else text


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet. `as_csv` writes an apostrophe before them, so
that a spreadsheet takes the cell for text."""


def as_csv(sheet: Sheet) -> str:
    """Return a sheet as CSV by RFC 4180, but with LF instead of CR LF at the end of lines."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_csv_cell(column.name) for column in sheet.columns])
    writer.writerows([_csv_cell(cell) for cell in row] for row in sheet.rows)
    return out.getvalue()


def _csv_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3f}"
    if isinstance(cell, str | Say):
        text = translate(cell, "en")
        return f"'{text}" if text.startswith(_FORMULA) else text
    return str(cell)
