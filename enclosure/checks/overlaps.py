"""Checks that no two parts are in the same place; their faces may touch."""

from itertools import combinations

import manifold3d
import numpy as np

from enclosure.checks.bodies import Body, solid, surface
from enclosure.checks.report import Report

MIN_DEPTH_MM = 0.05
"""Millimetres by which parts may overlap unnoticed: curved faces are meshes of flat ones."""


def check(bodies: list[Body]) -> Report:
    """Return the report on every pair whose boxes meet, by the volume that both fill."""
    report = Report("Parts in the same place")
    solids = {id(body): solid(body.mesh) for body in bodies}
    met = 0
    for one, other in combinations(bodies, 2):
        low = np.maximum(one.mesh.bounds[0], other.mesh.bounds[0])
        high = np.minimum(one.mesh.bounds[1], other.mesh.bounds[1])
        if (high - low < MIN_DEPTH_MM).any():
            continue
        met += 1
        shared = solids[id(one)] ^ solids[id(other)]
        if shared.is_empty():
            continue
        depth = deepest(shared)
        middle = surface(shared).bounds.mean(axis=0)
        report.demand(
            depth < MIN_DEPTH_MM,
            f"{one.name} and {other.name} are {depth:.2f} mm into each other, "
            f"by {shared.volume():.1f} mm³ around x {middle[0]:.0f}, y {middle[1]:.0f}, "
            f"z {middle[2]:.0f}.",
        )
    report.figures.append(
        f"{len(bodies)} bodies, {met} pairs near each other, none deeper than {MIN_DEPTH_MM} mm"
    )
    return report


def deepest(shared: manifold3d.Manifold) -> float:
    """Return the depth in mm by which two solids overlap, from the volume that they share.

    That volume has pieces; each counts by the shortest side of its box.
    """
    most = 0.0
    for piece in shared.decompose():
        sizes = np.array(piece.bounding_box()[3:]) - np.array(piece.bounding_box()[:3])
        most = max(most, float(sizes.min()))
    return most
