"""Sheets fit the laser, and their outlines close."""

import math
from collections import Counter
from pathlib import Path

import ezdxf

from enclosure.checks.report import Report

LASER = (900.0, 600.0)
"""Millimetres: the bed of a laser cutter that a workshop has (P)."""

Point = tuple[float, float]


def check(files: list[Path]) -> Report:
    """Each DXF file by itself."""
    report = Report("Sheets")
    for file in files:
        ends: Counter[Point] = Counter()
        xs: list[float] = []
        ys: list[float] = []
        for entity in ezdxf.readfile(file).modelspace():
            for x, y in _reach(entity):
                xs.append(x)
                ys.append(y)
            ends.update(_ends(entity))
        size = sorted((max(xs) - min(xs), max(ys) - min(ys)), reverse=True)
        open_ends = [end for end, times in ends.items() if times % 2]
        name = file.stem
        measure = f"{size[0]:.1f} x {size[1]:.1f} mm"
        report.figures.append(f"{name}: {measure}, {len(open_ends)} open ends")
        report.demand(
            size[0] <= LASER[0] and size[1] <= LASER[1],
            f"{name} is {measure}: the laser's bed is {LASER[0]:.0f} x {LASER[1]:.0f} mm.",
        )
        for x, y in open_ends[:1]:
            report.findings.append(f"{name}: the outline does not close at x {x:.2f}, y {y:.2f}.")
    report.demand(bool(files), "There is no sheet.")
    return report


def _ends(entity: ezdxf.entities.DXFEntity) -> list[Point]:
    """Where a line or an arc begins and ends, to a hundredth; nothing for what closes by itself."""
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
    """Points between which an entity lies: a circle's box, an arc's quarters and ends."""
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
