"""Lines of sight: straight lines from eyes to points, and the cover between them."""

import numpy as np
import trimesh
from numpy.typing import NDArray

from enclosure.checks.bodies import Points

AT_ONCE = 400_000
"""Rays in one batch, which keeps a batch below some 100 MB."""


def seen(cover: trimesh.Trimesh, points: Points, eyes: Points) -> NDArray[np.bool_]:
    """Return True for each eye (a row) and point (a column) if there is no ``cover`` between them.

    A line that only touches a face's edge may count either way. Points are therefore a little in
    front of their surface.
    """
    if not len(eyes):
        return np.empty((0, len(points)), bool)
    result = np.empty((len(eyes), len(points)), bool)
    batch = max(1, AT_ONCE // len(points))
    for start in range(0, len(eyes), batch):
        some = eyes[start : start + batch]
        origins = np.tile(points, (len(some), 1))
        ways = np.repeat(some, len(points), axis=0) - origins
        lengths = np.linalg.norm(ways, axis=1)
        directions = ways / lengths[:, None]
        free = _free_length(cover, origins, directions) >= lengths
        result[start : start + batch] = free.reshape(len(some), len(points))
    return result


def clear(cover: trimesh.Trimesh, points: Points, others: Points) -> NDArray[np.bool_]:
    """Return True for each point if there is no cover between it and its counterpart in ``others``.

    ``others`` may also be a single point.
    """
    ways = others - points
    lengths = np.linalg.norm(ways, axis=1)
    return np.asarray(_free_length(cover, points, ways / lengths[:, None]) >= lengths - 1e-6)


def reaches(
    cover: trimesh.Trimesh, points: Points, way: Points, within: float
) -> NDArray[np.bool_]:
    """Return True for each point whose ray in direction ``way`` meets ``cover`` at ``within`` mm or
    less."""
    return np.asarray(_free_length(cover, points, np.tile(way, (len(points), 1))) <= within)


def _free_length(
    cover: trimesh.Trimesh, origins: Points, directions: Points
) -> NDArray[np.float64]:
    """Return the length of each ray until it meets ``cover``; infinite if it never does."""
    hit = cover.ray.intersects_first(origins, directions)
    met = hit >= 0
    normals = cover.face_normals[hit[met]]
    corners = cover.triangles[hit[met], 0]
    length = np.full(len(origins), np.inf)
    along = np.einsum("ij,ij->i", normals, directions[met])
    away = np.einsum("ij,ij->i", normals, corners - origins[met])
    # A ray along a face meets it at its origin, or not at all.
    length[met] = np.divide(away, along, out=np.zeros_like(away), where=np.abs(along) > 1e-12)
    return length
