"""Checks that nothing floats: each part touches another, and so on down to the base."""

from itertools import combinations
from typing import Final

import numpy as np

from enclosure.checks.bodies import Body, solid
from enclosure.checks.report import Report

TOUCH: Final = 0.5
"""Distance in mm up to which two parts count as touching: a joint's play, or foam tape between
them."""


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
