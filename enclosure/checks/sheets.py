"""Checks that parts fit into a laser cutter and on sheets with a margin, that outlines are closed,
and that engravings are in place."""

import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import ezdxf

from enclosure.checks.report import Report
from enclosure.nesting import BEDS, GAP, MARGIN, SHEET, Placed, Size, least_bed

INSIDE = 10.0
"""Minimum distance in mm between an engraving and the sheet's edge. Nearer to the edge, the rim's
lip would cover it."""

STRAYS = 0.5
"""Permitted deviation in mm of engraved marks from their place (proposed, not measured)."""

Point = tuple[float, float]


def check(files: list[Path], marked: Mapping[str, Mapping[str, Point]] | None = None) -> Report:
    """Return the report on each DXF file.

    ``marked`` gives places for each engraved sheet, in mm, in the coordinates of the sheet's
    drawing. Each place must have marks around it.
    """
    report = Report("Sheets")
    marked = marked or {}
    for name in sorted(marked.keys() - {file.stem for file in files}):
        report.findings.append(f"There is no {name} that could be engraved.")
    for file in files:
        ends: Counter[Point] = Counter()
        xs: list[float] = []
        ys: list[float] = []
        engraved: list[list[Point]] = []
        for entity in ezdxf.readfile(file).modelspace():
            if entity.dxf.layer == "ENGRAVE":
                engraved.append(_reach(entity))
                continue
            report.demand(
                entity.dxf.layer == "CUT",
                f"{file.stem}: nobody knows what to do with the layer {entity.dxf.layer}.",
            )
            for x, y in _reach(entity):
                xs.append(x)
                ys.append(y)
            ends.update(_ends(entity))
        size = (max(xs) - min(xs), max(ys) - min(ys))
        size = (max(size), min(size))
        open_ends = [end for end, times in ends.items() if times % 2]
        name = file.stem
        measure = f"{size[0]:.1f} x {size[1]:.1f} mm"
        lines = f", {len(engraved)} engraved lines" if engraved else ""
        bed = least_bed(size)
        where = f"bed of {_text(bed)}" if bed else "no bed"
        report.figures.append(f"{name}: {measure}, {where}, {len(open_ends)} open ends{lines}")
        report.demand(
            bed is not None,
            f"{name} is {measure}: with a margin of {MARGIN:g} mm it fits no bed of "
            f"{' or '.join(map(_text, BEDS))}.",
        )
        for x, y in open_ends[:1]:
            report.findings.append(f"{name}: the outline does not close at x {x:.2f}, y {y:.2f}.")
        _check_engraving(
            report, name, engraved, (min(xs), max(xs), min(ys), max(ys)), marked.get(name, {})
        )
    report.demand(bool(files), "There is no sheet.")
    return report


def check_nesting(
    placed: list[Placed], pieces: Mapping[str, int], kind: str = "plywood", size: Size = SHEET
) -> Report:
    """Return the report on the places of all pieces on sheets of plywood of this size."""
    report = Report(f"Sheets: {kind}")
    report.demand(
        Counter(each.name for each in placed) == Counter(pieces),
        "Some pieces are on no sheet, or on two.",
    )
    for each in placed:
        left, near, right, far = each.box
        margin = min(left, near, size[0] - right, size[1] - far)
        report.demand(
            margin >= MARGIN - 0.01,
            f"{each.name} is {margin:.1f} mm from the edge of sheet {each.sheet}; "
            f"{MARGIN:g} are asked.",
        )
    for one, other in combinations(placed, 2):
        if one.sheet == other.sheet:
            apart = max(
                one.box[0] - other.box[2], other.box[0] - one.box[2],
                one.box[1] - other.box[3], other.box[1] - one.box[3],
            )  # fmt: skip
            report.demand(
                apart >= GAP - 0.01,
                f"{one.name} and {other.name} are {apart:.1f} mm apart on sheet {one.sheet}; "
                f"{GAP:g} are asked.",
            )
    for number in sorted({each.sheet for each in placed}):
        on = Counter(each.name for each in placed if each.sheet == number)
        names = ", ".join(name if n == 1 else f"{n} x {name}" for name, n in sorted(on.items()))
        report.figures.append(f"{kind}-{number} of {_text(size)}: {names}")
    return report


def _text(bed: tuple[float, float]) -> str:
    return f"{bed[0]:.0f} x {bed[1]:.0f} mm"


def _check_engraving(
    report: Report,
    name: str,
    lines: list[list[Point]],
    edges: tuple[float, float, float, float],
    places: Mapping[str, Point],
) -> None:
    """Check that every engraved line is within the sheet, and that each place has marks around its
    middle."""
    left, right, near, far = edges
    marks: dict[str | None, list[Point]] = {}
    for line in lines:
        for x, y in line:
            inside = min(x - left, right - x, y - near, far - y)
            report.demand(
                inside >= INSIDE,
                f"{name}: a line is engraved {inside:.1f} mm from the edge at x {x:.0f}, "
                f"y {y:.0f}; {INSIDE:.0f} are asked.",
            )
        x, y = (sum(each) / len(line) for each in zip(*line, strict=True))
        owner = min(places, key=lambda place: math.dist(places[place], (x, y)), default=None)
        marks.setdefault(owner, []).extend(line)
    for place, middle in places.items():
        if place not in marks:
            report.findings.append(f"{name}: nothing is engraved round {place}.")
            continue
        ways = list(zip(*marks[place], strict=True))
        off = math.dist(middle, [(min(each) + max(each)) / 2 for each in ways])
        report.demand(
            off <= STRAYS, f"{name}: the marks of {place} lie {off:.1f} mm off its middle."
        )


def _ends(entity: ezdxf.entities.DXFEntity) -> list[Point]:
    """Return both ends of a line or an arc, rounded to 0.01 mm. A circle has none, so the result is
    empty."""
    match entity.dxftype():
        case "LINE":
            ends = [entity.dxf.start, entity.dxf.end]
        case "ARC":
            ends = [entity.start_point, entity.end_point]
        case "CIRCLE":
            ends = []
        case other:
            raise ValueError(f"A sheet's drawing has a {other}: no check knows it.")
    return [(round(end[0], 2) + 0.0, round(end[1], 2) + 0.0) for end in ends]


def _reach(entity: ezdxf.entities.DXFEntity) -> list[Point]:
    """Return the outermost points of a shape: the ends of a line, the four quarter points of a
    circle. For an arc: its ends, and those quarter points that are on it."""
    if entity.dxftype() == "LINE":
        return [(end[0], end[1]) for end in (entity.dxf.start, entity.dxf.end)]
    middle, radius = entity.dxf.center, entity.dxf.radius
    turns = [0.0, 90.0, 180.0, 270.0]
    if entity.dxftype() == "ARC":
        first, last = entity.dxf.start_angle, entity.dxf.end_angle
        inside = [turn for turn in turns if (turn - first) % 360 <= (last - first) % 360]
        turns = [first, last, *inside]
    angles = [math.radians(turn) for turn in turns]
    x, y = middle[0], middle[1]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
