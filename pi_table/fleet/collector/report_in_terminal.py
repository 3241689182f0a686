"""Prints a report in the terminal."""

from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pi_table.common.language import Lang, translate
from pi_table.fleet.collector.figures import Figures
from pi_table.fleet.collector.report_sheets import sheets, summary
from pi_table.fleet.collector.sheet import Sheet, Unit, format_cell

WIDE: Final = 1_000
"""A terminal width in columns that is enough for every grid. With this width, `show` measures how
wide a grid must be."""


def show(found: Figures, lang: Lang, console: Console | None = None) -> None:
    out = console or Console()
    for line in summary(found):
        out.print(Text(translate(line, lang)))
    for sheet in sheets(found):
        if sheet.rows:
            out.print()
            grid = _grid(sheet, lang)
            if out.measure(grid, options=out.options.update(width=WIDE)).minimum > out.width:
                grid.padding = 0  # the box has a space between columns
                for column in grid.columns:
                    if column.justify == "right":  # a number
                        column.width = column.min_width
            out.print(grid)


def _grid(sheet: Sheet, lang: Lang) -> Grid:
    """Return a grid that never cuts a number. If the terminal is narrow, titles and texts are
    wrapped."""
    note = None if sheet.note is None else Text(translate(sheet.note, lang))
    grid = Grid(
        title=Text(translate(sheet.title, lang), "bold"),
        title_justify="left",
        caption=note,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for at, column in enumerate(sheet.columns):
        cells = [format_cell(row[at], column.unit, lang) for row in sheet.rows]
        title, text = translate(column.title, lang), column.unit is Unit.TEXT
        parts = title.split() if text else [*title.split(), *cells]
        grid.add_column(
            Text(title),
            justify="left" if text else "right",
            overflow="fold",
            min_width=max(map(len, parts)),
        )
    for row in sheet.rows:
        pairs = zip(row, sheet.columns, strict=True)
        grid.add_row(*(Text(format_cell(cell, column.unit, lang)) for cell, column in pairs))
    return grid
