"""A table of a report as CSV, for spreadsheets and programs: plain values, English names."""

import csv
import io

from pi_table.common.language import Say, translate
from pi_table.fleet.collector.sheet import Cell, Sheet

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a formula begins in a spreadsheet. An apostrophe before such a character
marks a text."""


def as_csv(sheet: Sheet) -> str:
    """Return a table as CSV by RFC 4180, but with plain line feeds."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_plain(column.name) for column in sheet.columns])
    writer.writerows([_plain(cell) for cell in row] for row in sheet.rows)
    return out.getvalue()


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3f}"
    if isinstance(cell, str | Say):
        text = translate(cell, "en")
        return f"'{text}" if text.startswith(_FORMULA) else text
    return str(cell)
