"""The page of a report: one HTML file that contains its pictures and no script."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from pi_table.common.language import Lang, Words, say, translate
from pi_table.fleet.collector.figures import Figures
from pi_table.fleet.collector.report_sheets import sheets, summary
from pi_table.fleet.collector.sheet import Sheet, Unit, format_cell

if TYPE_CHECKING:  # a page without pictures needs no matplotlib
    from pi_table.fleet.collector.report_pictures import Picture

FIRST: Final = ("wrong", "bars", "tables")
"""Names of the sheets that the page shows above the pictures."""
TITLE: Final = say("What was played at the tables")


def page(found: Figures, pictures: Sequence["Picture"], lang: Lang) -> str:
    def text(words: Words) -> str:
        return escape(translate(words, lang))

    every = [sheet for sheet in sheets(found) if sheet.rows]
    first = [sheet for sheet in every if sheet.name in FIRST]
    rest = [sheet for sheet in every if sheet.name not in FIRST]
    parts = [
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{text(TITLE)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f"<header><h1>{text(TITLE)}</h1>",
        *(f"<p>{text(line)}</p>" for line in summary(found)),
        "</header>\n<main>",
        *(_table(sheet, lang) for sheet in first),
        *(_figure(picture, lang) for picture in pictures),
        *(_table(sheet, lang) for sheet in rest),
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _figure(picture: "Picture", lang: Lang) -> str:
    data = b64encode(picture.svg.encode()).decode()
    title = escape(translate(picture.title, lang))
    return (
        f'<section class="picture"><h2>{title}</h2>'
        f'<img alt="{title}" src="data:image/svg+xml;base64,{data}"></section>'
    )


def _table(sheet: Sheet, lang: Lang) -> str:
    head = "".join(
        f'<th scope="col"{_classes(column.unit)}>{escape(translate(column.title, lang))}</th>'
        for column in sheet.columns
    )
    units = [column.unit for column in sheet.columns]
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{_classes(unit, cell is None)}>{escape(format_cell(cell, unit, lang))}</td>"
            for cell, unit in zip(row, units, strict=True)
        )
        + "</tr>"
        for row in sheet.rows
    )
    note = "" if sheet.note is None else f"<p>{escape(translate(sheet.note, lang))}</p>"
    return (
        f'<section class="{sheet.name}"><h2>{escape(translate(sheet.title, lang))}</h2>\n'
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        f"</table></div>{note}</section>"
    )


def _classes(unit: Unit, is_unknown: bool = False) -> str:
    found = ["number"] * (unit is not Unit.TEXT) + ["unknown"] * is_unknown
    return f' class="{" ".join(found)}"' if found else ""


STYLE: Final = """
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; color: #1a1a1a; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; }
header { border-bottom: 3px solid #0072b2; margin-bottom: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
main { display: flex; flex-wrap: wrap; column-gap: 3rem; align-items: flex-start; }
.picture { flex: 0 0 100%; }
img { width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .94rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; border-bottom: 1px solid #d5d5d5;
  vertical-align: top; }
th { border-bottom: 2px solid #1a1a1a; vertical-align: bottom; }
td:first-child, td.number { white-space: nowrap; }
.number { text-align: right; }
.wrong { flex: 0 0 100%; box-sizing: border-box; margin-bottom: 1rem; padding: .2rem 1rem 1rem;
  border-left: 5px solid #d55e00; background: #fdf0ec; }
.wrong h2, .bars h2 { margin-top: .8rem; }
.wrong tbody tr td:first-child { font-weight: bold; }
.bars, .tables { flex: 0 0 100%; }
.bars tbody tr:last-child:not(:first-child) { font-weight: bold; }
.bars th, .tables th { max-width: 7rem; }
@media (max-width: 40rem) {  /* what to do stands below what is wrong, not out of sight */
  .wrong thead { display: none; }
  .wrong tr { display: block; padding: .4rem 0; border-bottom: 1px solid #d5d5d5; }
  .wrong td, .wrong td.number { display: block; padding: 0; border: 0; text-align: left; }
  .wrong td.unknown { display: none; }
}
section { break-inside: avoid; max-width: 100%; }
"""
