"""A table of a report, as a value.

Its titles are texts in no language yet, its cells are plain values, and each column says what they
mean.
"""

import enum
from collections.abc import Callable
from datetime import date

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, Words, written


class Unit(enum.Enum):
    """What the values of a column are."""

    TEXT = "text"
    COUNT = "count"
    MINUTES = "minutes"
    """Told in minutes; the values are seconds."""
    HOURS = "hours"
    """Told in hours; the values are seconds."""
    SECONDS = "seconds"
    RATE = "rate"
    """A count, told with one digit behind the comma."""
    SHARE = "share"
    """Of one, told in percent."""
    DAY = "day"


Cell = Words | int | float | date | None


class Column(msgspec.Struct, frozen=True):
    name: str
    """What the column is called in a list that programs read."""
    title: Words
    unit: Unit = Unit.COUNT


class Sheet(msgspec.Struct, frozen=True):
    """A table of a report."""

    name: str
    title: Words
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Words | None = None


def plain(text: str) -> str:
    """A text of the database, without what a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def without(sheet: Sheet, has_to_go: Callable[[str], bool]) -> Sheet:
    """A sheet without the columns of which that is true, by their names."""
    kept = [at for at, column in enumerate(sheet.columns) if not has_to_go(column.name)]
    return replace(
        sheet,
        columns=tuple(sheet.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in sheet.rows),
    )


def share(some: int, of: int) -> float | None:
    """What ``some`` are of all; None where there are none at all."""
    return some / of if of else None


def shown(cell: Cell, unit: Unit, lang: Lang) -> str:
    """A cell as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, str | Say):
        return written(cell, lang)
    if isinstance(cell, date):
        return cell.isoformat()
    match unit:
        case Unit.MINUTES:
            return f"{cell / 60:.0f} min"
        case Unit.HOURS if not cell:
            return "–"  # among many of these, the one that is not is seen
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
