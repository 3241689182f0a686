"""Converts solids to triangles. Files, pictures and checks use the same triangles."""

import numpy as np
import trimesh
from build123d import Shape

SAG = 0.1
"""Largest distance in mm between a triangle and the round face that it replaces: half a printed
layer."""
TURN = 0.35
"""Largest angle in radians between a triangle and the round face that it replaces. With this angle,
a hole of 4 mm gets 18 corners."""


def mesh(solid: Shape) -> trimesh.Trimesh:
    """Return the solid's surface as triangles, with equal corners merged."""
    corners, triangles = solid.tessellate(SAG, TURN)
    found = trimesh.Trimesh(
        np.array([tuple(corner) for corner in corners]), np.array(triangles), process=False
    )
    found.merge_vertices()
    return found
