"""Checks that no two parts occupy the same space; their faces may touch."""

from itertools import combinations

import manifold3d
import numpy as np

from enclosure.checks.bodies import Body, solid, surface
from enclosure.checks.report import Report

MIN_DEPTH_MM = 0.05
"""Depth in mm up to which an overlap is ignored, because the mesh of a curved face consists of flat
triangles."""


def check(bodies: list[Body]) -> Report:
    """Return the report on every pair of parts whose bounding boxes meet, with the volume of their
    overlap."""
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
    """Return the depth in mm by which two solids overlap.

    The shared volume can have several pieces. The depth of a piece is the shortest side of its
    bounding box.
    """
    most = 0.0
    for piece in shared.decompose():
        sizes = np.array(piece.bounding_box()[3:]) - np.array(piece.bounding_box()[:3])
        most = max(most, float(sizes.min()))
    return most
