"""Checks that nothing floats: each part touches another, and so on down to the base. Also checks
that a cover lies on something along each edge, and that no nut falls out of its slot."""

from itertools import combinations
from typing import Final

import numpy as np

from enclosure.checks.bodies import Body, Kind, solid
from enclosure.checks.joints import cube
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.joints import GLUED
from enclosure.levels import HOOD_SCREW
from enclosure.parts.trench import NUT_DEPTH

TOUCH: Final = 0.5
"""Distance in mm up to which two parts count as touching: a joint's play, or foam tape between
them."""
EDGE: Final = 16.0
"""Width in mm of the band along a cover's edge in which something must bear it."""
FREE: Final = 60.0
"""Longest stretch in mm of a cover's edge that may lie on nothing (proposed, not measured): 6 mm of
plywood between two bearings do not bend under a hand."""
COVERS: Final = ("cover-left", "cover-right", "cover-plain")


def check(bodies: list[Body], start: str = "base-near") -> Report:
    """Return the report on the parts that touch the part ``start``, directly or by others."""
    report = Report("Parts that hold each other")
    solids = [solid(body.mesh) for body in bodies]
    touching: dict[int, list[int]] = {i: [] for i in range(len(bodies))}
    for (i, one), (j, other) in combinations(enumerate(bodies), 2):
        low = np.maximum(one.mesh.bounds[0], other.mesh.bounds[0])
        high = np.minimum(one.mesh.bounds[1], other.mesh.bounds[1])
        if (low - high).max() <= TOUCH and solids[i].min_gap(solids[j], 2 * TOUCH) <= TOUCH:
            touching[i].append(j)
            touching[j].append(i)
    found = {i for i, body in enumerate(bodies) if body.part == start}
    todo = [*found]
    while todo:
        for i in touching[todo.pop()]:
            if i not in found:
                found.add(i)
                todo.append(i)
    report.findings += [
        f"{body.name} touches nothing that stands on the base."
        for i, body in enumerate(bodies)
        if i not in found
    ]
    report.figures.append(f"{len(found)} of {len(bodies)} parts, {TOUCH} mm apart at most")
    return report


def check_covers(bodies: list[Body]) -> Report:
    """Return the report on the longest stretch of each cover's edges that lies on nothing."""
    report = Report("Covers lie on something along each edge")
    for cover in (body for body in bodies if body.part in COVERS):
        own = {name for pair in GLUED if cover.part in pair for name in pair}
        pressed = solid(cover.moved(z=-TOUCH).mesh)
        bearings = [
            piece.bounding_box()
            for body in bodies
            if body.kind is not Kind.BOUGHT and body.part not in own
            for piece in (pressed ^ solid(body.mesh)).decompose()
        ]
        low, high = cover.mesh.bounds
        for name, axis, start in (
            ("near", 0, low[1]),
            ("far", 0, high[1] - EDGE),
            ("left", 1, low[0]),
            ("right", 1, high[0] - EDGE),
        ):
            across = 1 - axis
            spans = sorted(
                (box[axis], box[axis + 3])
                for box in bearings
                if box[across + 3] > start and box[across] < start + EDGE
            )
            free, at = 0.0, low[axis]
            for begin, end in (*spans, (high[axis], high[axis])):
                free, at = max(free, begin - at), max(at, end)
            report.figures.append(f"{cover.name}, {name} edge: {free:.0f} mm on nothing at most")
            report.demand(
                free <= FREE,
                f"{cover.name} lies on nothing along {free:.0f} mm of its {name} edge; "
                f"{FREE:.0f} are the most.",
            )
    return report


def check_nuts(bodies: list[Body], edge: float) -> Report:
    """Return the report on the two nuts below the edges at height ``edge`` (mm) of cheeks or props:
    each slot must be closed on both faces."""
    report = Report("Nuts stay in their slots")
    x, y = HOOD_SCREW
    for side in (-1, 1):
        for face in (-1, 1):
            beside = cube(
                tuple(
                    (middle - 1, middle + 1)
                    for middle in (
                        side * x + face * (MM["ply"] / 2 + 1.5),
                        y,
                        edge - NUT_DEPTH - MM["nut_high"] / 2,
                    )
                )
            )
            closed = any(
                body.kind is Kind.SHEET and not (beside ^ solid(body.mesh)).is_empty()
                for body in bodies
            )
            report.demand(
                closed,
                f"The nut at x {side * x:.0f} falls out towards x {beside.bounding_box()[0]:.0f}.",
            )
    report.figures.append(f"2 nuts {-edge + NUT_DEPTH:.0f} mm below the frame, closed on 2 faces")
    return report
