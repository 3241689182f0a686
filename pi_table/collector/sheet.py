"""A table of a report, as a value.

Its titles are texts in no language yet, its cells are plain values, and each column says what they
mean.
"""

import enum
from datetime import date

import msgspec

from pi_table.language import Lang, Say, Words, written


class Unit(enum.Enum):
    """What the values of a column are."""

    TEXT = "text"
    COUNT = "count"
    MINUTES = "minutes"
    """Told in minutes; the values are seconds."""
    HOURS = "hours"
    """Told in hours; the values are seconds."""
    SECONDS = "seconds"
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
        case Unit.HOURS:
            return f"{cell / 3600:.1f} h" if cell < 360_000 else f"{cell / 3600:.0f} h"
        case Unit.SECONDS:
            return f"{cell:.0f} s"
        case Unit.SHARE:
            return f"{100 * cell:.0f} %"
    return f"{cell:.0f}"
