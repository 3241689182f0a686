"""Checks how much of a spilled drink stays on the overlay, with the table level and leaning, and
that the rim has no gap and lies on the frame.

The parts, seen from above, are a landscape of heights. Water fills every hollow until it runs over
an edge, or down into the table. Some openings count as sealed:

- the gap under the rim, which has tape (rim_tape, a proposal)
- all openings narrower than two steps of the grid: the rim's screw holes, which have screw heads of
  6.6 mm
"""

import heapq
import math
from dataclasses import dataclass
from typing import TypeAlias

import manifold3d
import numpy as np
import trimesh
from numpy.typing import NDArray
from scipy.ndimage import grey_closing

from enclosure.checks.bodies import Body, Points, solid
from enclosure.checks.eyes import Outline
from enclosure.checks.report import Report
from enclosure.dimensions import MM
from enclosure.levels import LIP_UNDER, RIM_MIDDLE
from enclosure.places import RIM_SCREWS

GRID = 4.0
"""Distance in mm between neighbouring points of the landscape."""

MIN_LITRES = 0.5
"""Minimum number of litres that must stay on the overlay: the contents of a large beer glass."""

LEANING = 1.0
"""Angle in degrees by which a café's table leans or bends (proposed, not measured)."""

SEALED = 0.1
"""Widest gap in mm between two pieces of the rim that glue closes (proposed, not measured)."""

LEAST_SEAT = 330.0
"""Least area in cm² at which the rim stops at the frame: 14 mm all round, less holes and joints. If
one piece of the frame is too low, at least 26 cm² are missing."""

WAYS = 8
"""Number of directions in which the leaning table is tested."""

Heights: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Landscape:
    """Heights in mm on a grid: ``z[i, j]`` is the height at x = ``x[i]``, y = ``y[j]``."""

    x: Points
    y: Points
    z: Heights

    @classmethod
    def of(cls, table: trimesh.Trimesh, outline: Outline) -> "Landscape":
        """Return the height of the highest surface at each point, where rain would meet the table;
        minus infinity outside the table."""
        x = np.arange(outline.left - GRID, outline.right + 2 * GRID, GRID)
        y = np.arange(outline.near - GRID, outline.far + 2 * GRID, GRID)
        above = np.stack([*(each.ravel() for each in np.meshgrid(x, y, indexing="ij"))], axis=1)
        top = table.bounds[1][2] + 10
        origins = np.column_stack([above, np.full(len(above), top)])
        down = np.tile([0.0, 0.0, -1.0], (len(above), 1))
        hit = table.ray.intersects_first(origins, down)
        z = np.full(len(above), -np.inf)
        met = hit >= 0
        corner, normal = table.triangles[hit[met], 0], table.face_normals[hit[met]]
        away = np.einsum("ij,ij->i", normal, corner - origins[met])
        z[met] = top + away / normal[:, 2]
        return cls(x, y, grey_closing(z.reshape(len(x), len(y)), size=3))

    def leaning(self, degrees: float, way: float) -> "Landscape":
        """Return the landscape tilted by this many degrees, so that it is lowest in direction
        ``way`` (radians from +x)."""
        slope = math.tan(math.radians(degrees))
        along = np.add.outer(self.x * math.cos(way), self.y * math.sin(way))
        return Landscape(self.x, self.y, self.z - slope * along)


def check(table: trimesh.Trimesh, outline: Outline) -> Report:
    """Return the report. ``table`` is one mesh of everything on which water can run."""
    report = Report("A spilled drink stays on the overlay")
    land = Landscape.of(table, outline)
    opening = land.z < 0  # there, water runs into the table or off it
    level = litres_held(land, opening)
    ways = [2 * math.pi * way / WAYS for way in range(WAYS)]
    leaning = {way: litres_held(land.leaning(LEANING, way), opening) for way in ways}
    worst = min(leaning, key=lambda way: leaning[way])
    report.figures.append(f"level: {level:.2f} litres before anything runs over")
    report.figures.append(
        f"leaning by {LEANING:.0f} degree, the worst of {WAYS} ways: {leaning[worst]:.2f} litres"
    )
    report.demand(
        leaning[worst] >= MIN_LITRES and level >= MIN_LITRES,
        f"The rim holds {leaning[worst]:.2f} litres when the table leans by {LEANING:.0f} degree "
        f"towards {math.degrees(worst):.0f} degrees from the right, and {level:.2f} level: "
        f"{MIN_LITRES} have to stay.",
    )
    return report


def check_ring(bodies: list[Body]) -> Report:
    """Return the report on gaps between the pieces of each of the rim's layers, wider than
    ``SEALED``, and on the area at which the rim lies on the frame."""
    report = Report("The rim is a closed ring on the frame")
    ring, frame = (
        manifold3d.Manifold.batch_boolean(
            [solid(body.mesh) for body in bodies if body.part.startswith(start)],
            manifold3d.OpType.Add,
        )
        for start in ("rim-", "frame-")
    )
    area = (ring.translate((0, 0, -SEALED)) ^ frame).volume() / SEALED / 100
    report.figures.append(f"the rim lies on the frame at {area:.0f} cm²")
    report.demand(
        area >= LEAST_SEAT,
        f"The rim lies on the frame at {area:.0f} cm²; {LEAST_SEAT:.0f} are asked.",
    )
    for name, z in (
        ("lower", LIP_UNDER + MM["ply"] / 2),
        ("upper", RIM_MIDDLE + MM["thin_ply"] / 2),
    ):
        wood = ring.slice(z).offset(SEALED / 2, manifold3d.JoinType.Miter)
        around = manifold3d.CrossSection.square((1000, 1000), center=True)
        free = len((around - wood).decompose())
        # Free are the inside, the outside and the screws' holes. A gap joins inside and outside.
        report.demand(
            free == len(RIM_SCREWS) + 2, f"The rim's {name} layer has a gap or lacks a hole."
        )
        report.figures.append(f"{name} layer: no gap wider than {SEALED} mm")
    return report


def litres_held(land: Landscape, opening: NDArray[np.bool_]) -> float:
    """Return the litres that stay on a landscape after much rain.

    The search begins at the openings and at the edge, and goes inwards, each time from the lowest
    point reached. A point fills up to the lowest height over which its water could run out.
    """
    across, down = land.z.shape
    water = np.full(land.z.shape, np.inf)
    border = opening.copy()
    border[[0, -1], :] = border[:, [0, -1]] = True
    todo = [(float(land.z[i, j]), int(i), int(j)) for i, j in np.argwhere(border)]
    for height, i, j in todo:
        water[i, j] = height
    heapq.heapify(todo)
    while todo:
        height, i, j = heapq.heappop(todo)
        for k, m in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= k < across and 0 <= m < down and np.isinf(water[k, m]) and not border[k, m]:
                water[k, m] = max(height, land.z[k, m])
                heapq.heappush(todo, (float(water[k, m]), k, m))
    inside = ~border
    return float((water[inside] - land.z[inside]).sum() * GRID * GRID / 1e6)
