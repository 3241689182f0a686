"""Solids as triangles, the same for files, pictures and checks."""

import numpy as np
import trimesh
from build123d import Shape

SAG = 0.1
"""Millimetres by which a triangle may be off a round face: half a printed layer."""
TURN = 0.35
"""Radians by which a triangle's direction may be off; a hole of 4 mm then gets 18 corners."""


def mesh(solid: Shape) -> trimesh.Trimesh:
    """Return the solid's surface, with equal corners merged."""
    corners, triangles = solid.tessellate(SAG, TURN)
    found = trimesh.Trimesh(
        np.array([tuple(corner) for corner in corners]), np.array(triangles), process=False
    )
    found.merge_vertices()
    return found
