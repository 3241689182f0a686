"""Lines of sight: straight lines from eyes to points, and the parts that block them."""

import numpy as np
import trimesh
from numpy.typing import NDArray

from enclosure.checks.bodies import Points

AT_ONCE = 400_000
"""Number of rays in one batch, which then needs less than about 100 MB."""


def visible_pairs(cover: trimesh.Trimesh, points: Points, eyes: Points) -> NDArray[np.bool_]:
    """Return a matrix with a row for each eye and a column for each point: True if no ``cover`` is
    between eye and point.

    A line that only touches a face's edge may count as blocked or as free. Callers therefore place
    the points a little in front of their surface.
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
    """Return an array with a value for each point: True if no cover is between the point and the
    point with the same index in ``others``.

    ``others`` may also be a single point, to which every line leads.
    """
    ways = others - points
    lengths = np.linalg.norm(ways, axis=1)
    return np.asarray(_free_length(cover, points, ways / lengths[:, None]) >= lengths - 1e-6)


def reaches(
    cover: trimesh.Trimesh, points: Points, way: Points, within: float
) -> NDArray[np.bool_]:
    """Return an array with a value for each point. It is True if a ray from the point in direction
    ``way`` meets ``cover`` within ``within`` mm."""
    return np.asarray(_free_length(cover, points, np.tile(way, (len(points), 1))) <= within)


def _free_length(
    cover: trimesh.Trimesh, origins: Points, directions: Points
) -> NDArray[np.float64]:
    """Return for each ray the length in mm until it meets ``cover``; infinite if the ray meets
    nothing."""
    hit = cover.ray.intersects_first(origins, directions)
    met = hit >= 0
    normals = cover.face_normals[hit[met]]
    corners = cover.triangles[hit[met], 0]
    length = np.full(len(origins), np.inf)
    along = np.einsum("ij,ij->i", normals, directions[met])
    away = np.einsum("ij,ij->i", normals, corners - origins[met])
    # A ray parallel to the face that it meets begins on this face: its length is 0.
    length[met] = np.divide(away, along, out=np.zeros_like(away), where=np.abs(along) > 1e-12)
    return length
