"""Checks the wall thickness of the printed parts, with rays from their surface inward."""

import numpy as np
import trimesh

from enclosure.checks.report import Report

MIN_WALL_MM = 0.8
"""Minimum thickness in mm of a wall: two lines of a 0.4 mm nozzle. Thinner walls break or are not
printed."""

EACH = 6.0
"""Area of surface in mm² for which one ray is tested, on average. Every face has at least one ray.
"""

SEED = 20


def check(parts: dict[str, trimesh.Trimesh], least: float = MIN_WALL_MM) -> Report:
    """Return the report. ``parts`` has the printed parts' meshes by name."""
    report = Report("Walls of the printed parts")
    for name, mesh in parts.items():
        thickness, place = thinnest(mesh)
        report.figures.append(f"{name}: nowhere thinner than {thickness:.2f} mm")
        report.demand(
            thickness >= least - 0.01,
            f"{name}: a wall is {thickness:.2f} mm thin at x {place[0]:.0f}, y {place[1]:.0f}, "
            f"z {place[2]:.0f} of its printing pose; {least} mm is the least.",
        )
    return report


def thinnest(mesh: trimesh.Trimesh) -> tuple[float, tuple[float, float, float]]:
    """Return the thickness in mm of the thinnest wall, and the place of that wall.

    A wall is between two faces whose directions are opposite, within 25 degrees. The point of a
    wedge is therefore not a wall.
    """
    spots = trimesh.sample.sample_surface(mesh, int(mesh.area / EACH) + 1, seed=SEED)
    points = np.concatenate([mesh.triangles_center, spots[0]])
    normals = mesh.face_normals[np.concatenate([np.arange(len(mesh.faces)), spots[1]])]
    inward = points - 1e-3 * normals
    hit = mesh.ray.intersects_first(inward, -normals)
    met = hit >= 0
    met[met] = np.einsum("ij,ij->i", mesh.face_normals[hit[met]], normals[met]) < -np.cos(
        np.radians(25)
    )
    far = mesh.triangles[hit[met], 0]
    other = mesh.face_normals[hit[met]]
    along = np.einsum("ij,ij->i", other, -normals[met])
    length = np.einsum("ij,ij->i", other, far - inward[met]) / along + 1e-3
    at = length.argmin()
    x, y, z = points[met][at]
    return float(length[at]), (float(x), float(y), float(z))
