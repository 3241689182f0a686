"""Counts the pieces of a table with the hidden screen, and of one without it."""

from collections import Counter

from enclosure.assembly import ALL_PARTS, PARTS, WITHOUT_SCREEN
from enclosure.checks.report import Report
from enclosure.levels import FLOOR, HOOD_TOP, RIM_TOP
from enclosure.mesh import mesh
from enclosure.part import Part


def check() -> Report:
    """Return the report: pieces of each kind, area of the sheets, height, and the parts that only
    one of the two tables has."""
    report = Report("A table with the hidden screen, and one without it")
    for name, parts, top in (
        ("with it", PARTS, HOOD_TOP),
        ("without it", WITHOUT_SCREEN, RIM_TOP),
    ):
        pieces = Counter({part.name: part.pieces for part in parts if part.step})
        kinds = {part.name: part for part in parts}
        printed = sum(n for each, n in pieces.items() if kinds[each].kind == "printed")
        cut = {each: n for each, n in pieces.items() if kinds[each].kind == "sheet"}
        area = sum(n * _area(kinds[each]) for each, n in cut.items())
        report.figures.append(
            f"{name}: {printed} printed pieces, {sum(cut.values())} pieces of sheet of "
            f"{area:.0f} dm² together, {top - FLOOR:.0f} mm high"
        )
    for option, title in (("screen", "only with it"), ("plain", "only without it")):
        own = [part for part in ALL_PARTS if part.option == option]
        names = dict.fromkeys(f"{part.pieces} {part.name}" for part in own)
        report.figures.append(f"{title}: {', '.join(names)}")
        report.demand(bool(names), f"No part is {title}.")
    return report


def _area(part: Part) -> float:
    """Return the area of a sheet in dm², without its holes."""
    return float(mesh(part.build()).volume) / (part.thickness or 1) / 1e4
