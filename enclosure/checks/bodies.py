"""The table's parts as meshes, each in its place."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

import manifold3d
import numpy as np
import trimesh
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
"""Positions in millimetres in the table's coordinates; each row is x, y, z."""


class Kind(Enum):
    """A way in which a maker of the table obtains a part."""

    PRINTED = "printed"
    SHEET = "sheet"
    BOUGHT = "bought"


@dataclass(frozen=True)
class Body:
    """One piece of a part, in its place.

    Attributes:
        name: The part's name; for one of several pieces also its place: ``tile at C3``.
        part: The part's name alone, equal for all its pieces.
        kind: The way in which a maker obtains the part.
        mesh: The piece's surface in the table's coordinates, in millimetres.
        covers: True if the body can hide the screen; False if it can be taken out by hand.
    """

    name: str
    part: str
    kind: Kind
    mesh: trimesh.Trimesh
    covers: bool = True

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> "Body":
        """Return a copy of the body, moved by ``x``, ``y`` and ``z`` millimetres."""
        mesh = self.mesh.copy()
        mesh.apply_translation((x, y, z))
        return replace(self, mesh=mesh)


def solid(mesh: trimesh.Trimesh) -> manifold3d.Manifold:
    """Return the mesh as a solid that can be cut and joined. Raises ValueError if the mesh does not
    enclose a solid."""
    made = manifold3d.Manifold(
        manifold3d.Mesh(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32))
    )
    if made.status() != manifold3d.Error.NoError or made.is_empty():
        raise ValueError(f"The mesh encloses no solid: {made.status().name}.")
    return made


def surface(shape: manifold3d.Manifold) -> trimesh.Trimesh:
    """Return the surface of a solid as a mesh."""
    mesh = shape.to_mesh()
    return trimesh.Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts, process=False)


def all_together(bodies: list[Body]) -> trimesh.Trimesh:
    """Return the surfaces of all bodies in one mesh, for ray tracing."""
    return trimesh.util.concatenate([body.mesh for body in bodies])


def below(mesh: trimesh.Trimesh, height: float) -> trimesh.Trimesh:
    """Return the part of a solid that is below ``height`` (mm)."""
    return surface(solid(mesh).trim_by_plane((0, 0, -1), -height))
