"""A report in the terminal."""

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pi_table.collector.figures import Figures
from pi_table.collector.sheet import Sheet, Unit, shown
from pi_table.collector.sheets import sheets, summary
from pi_table.language import Lang, written


def show(found: Figures, lang: Lang, console: Console | None = None) -> None:
    """Print a report."""
    out = console or Console()
    for line in summary(found):
        out.print(Text(written(line, lang)))
    for sheet in sheets(found):
        if sheet.rows:
            out.print()
            out.print(_grid(sheet, lang))


def _grid(sheet: Sheet, lang: Lang) -> Grid:
    note = None if sheet.note is None else Text(written(sheet.note, lang))
    grid = Grid(
        title=Text(written(sheet.title, lang), "bold"),
        title_justify="left",
        caption=note,
        caption_justify="left",
    )
    for at, column in enumerate(sheet.columns):
        text = column.unit is Unit.TEXT
        title = Text(written(column.title, lang))
        grid.add_column(title, justify="left" if text else "right", no_wrap=at == 0)
    for row in sheet.rows:
        cells = zip(row, sheet.columns, strict=True)
        grid.add_row(*(Text(shown(cell, column.unit, lang)) for cell, column in cells))
    return grid
