"""Checks that every part's mesh is watertight, so that it has an inside that a slicer can fill."""

from enclosure.checks.bodies import Body
from enclosure.checks.report import Report


def check(bodies: list[Body]) -> Report:
    """Return the report, in which each part appears once."""
    report = Report("Watertight meshes")
    parts = {body.part: body for body in bodies}
    for name, body in parts.items():
        mesh = body.mesh
        report.demand(
            bool(mesh.is_watertight and mesh.is_winding_consistent),
            f"{name}: the mesh has a hole or a face turned over.",
        )
        report.demand(
            mesh.volume > 0, f"{name}: the mesh is inside out, its volume {mesh.volume:.0f} mm³."
        )
    triangles = sum(len(body.mesh.faces) for body in parts.values())
    report.figures.append(f"{len(parts)} parts, {triangles} triangles, each part closed")
    return report
