"""Checks that nothing floats: each part touches another, and so on down to the base. Also checks
that a cover lies on something along each edge, and that no nut falls out of its slot."""

from itertools import combinations
from typing import Final

import manifold3d
import numpy as np

from enclosure.checks.bodies import Body, Kind, all_together, solid
from enclosure.checks.joints import cube
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.joints import GLUED
from enclosure.levels import HOOD_SCREW
from enclosure.shapes import NUT_DEPTH

TOUCH: Final = 0.5
"""Distance in mm up to which two parts count as touching: a joint's play, or foam tape between
them."""
EDGE: Final = 16.0
"""Width in mm of the band along a cover's edge in which something must bear it."""
BEARING: Final = 4.0
"""Least width in mm, within that band, at which something bears a cover (proposed, not
measured)."""
FREE: Final = 60.0
"""Longest stretch in mm of a cover's edge that may lie on nothing (proposed, not measured)."""
CLOSED: Final = 0.9
"""Length in mm of each end of a nut's slot that a cap has to close. Its middle may be open, for the
nut's corner."""
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
    for cover in COVERS:
        pieces = [body for body in bodies if body.part == cover]
        if not pieces:
            continue
        own = {name for pair in GLUED if cover in pair for name in pair}
        pressed = solid(all_together([piece.moved(z=-TOUCH) for piece in pieces]))
        contact = manifold3d.CrossSection.batch_boolean(
            [
                (pressed ^ solid(body.mesh)).project()
                for body in bodies
                if body.kind is not Kind.BOUGHT and body.part not in own
            ],
            manifold3d.OpType.Add,
        )
        low, high = np.reshape(pressed.bounding_box(), (2, 3))[:, :2]
        wide, deep = high - low
        stretches = {}
        for name, axis, size, corner in (
            ("near", 0, (wide, EDGE), low),
            ("far", 0, (wide, EDGE), (low[0], high[1] - EDGE)),
            ("left", 1, (EDGE, deep), low),
            ("right", 1, (EDGE, deep), (high[0] - EDGE, low[1])),
        ):
            bears = contact ^ manifold3d.CrossSection.square(size).translate(corner)
            for way in (-BEARING / 2, BEARING / 2):  # nothing that is narrower stays
                bears = bears.offset(way, manifold3d.JoinType.Miter)
            spans = sorted(
                (piece.bounds()[axis], piece.bounds()[axis + 2]) for piece in bears.decompose()
            )
            free, at = 0.0, low[axis]
            for begin, end in (*spans, (high[axis], high[axis])):
                free, at = max(free, begin - at), max(at, end)
            stretches[name] = free
            report.demand(
                free <= FREE,
                f"{cover} lies on nothing along {free:.0f} mm of its {name} edge; "
                f"{FREE:.0f} are the most.",
            )
        each = ", ".join(f"{free:.0f} mm {name}" for name, free in stretches.items())
        report.figures.append(f"{cover}, longest stretch on nothing: {each}")
    report.demand(bool(report.figures), "There is no cover.")
    return report


def check_nuts(bodies: list[Body], edge: float) -> Report:
    """Return the report on the two nuts in cheeks or props: each slot must be free, with a way for
    the screw from above, wood above the nut, and closed at both its ends on both faces. ``edge`` is
    z in mm of the upper edge of cheeks or props."""
    report = Report("Nuts stay in their slots")
    x, y = HOOD_SCREW
    z = edge - NUT_DEPTH - MM["nut_high"] / 2
    half = MM["nut_across"] / 2, MM["nut_high"] / 2
    beside = MM["ply"] / 2 + 1.5
    sheets = [solid(body.mesh) for body in bodies if body.kind is Kind.SHEET]
    for nut in (-x, x):
        slot = ((nut - MM["ply"] / 2, nut + MM["ply"] / 2), (y - half[0], y + half[0]))
        way = ((nut - 1, nut + 1), (y - 1, y + 1))
        spaces = cube((*slot, (z - half[1], z + half[1]))) + cube((*way, (z, edge + MM["ply"])))
        report.demand(
            all((spaces ^ sheet).volume() < 1 for sheet in sheets),
            f"The nut at x {nut:.0f}, z {z:.0f} has no slot, or its screw no way.",
        )
        for way_y in (-1, 1):
            at = y + way_y * (MM["nut_across"] + MM["screw_hole"]) / 4
            wood = cube((slot[0], (at - 0.4, at + 0.4), (edge - NUT_DEPTH, edge)))
            report.demand(
                any((wood ^ sheet).volume() >= 0.99 * wood.volume() for sheet in sheets),
                f"The nut at x {nut:.0f}, z {z:.0f} has no wood above it at y {at:.0f}.",
            )
        for face in (nut - beside, nut + beside):
            stop = manifold3d.Manifold()
            for end in (y - half[0], y + half[0] - CLOSED):
                stop += cube(
                    ((face - 1, face + 1), (end, end + CLOSED), (z - half[1], z + half[1]))
                )
            closed = sum((stop ^ sheet).volume() for sheet in sheets)
            report.demand(
                closed >= 0.99 * stop.volume(),
                f"The nut at x {nut:.0f}, z {z:.0f} falls out of its slot towards x {face:.0f}.",
            )
    report.figures.append(f"2 nuts at z {z:.0f} mm, each between two caps")
    return report
