"""Checks that electrodes, tiles and pegs are where the boards and the firmware expect them."""

from collections.abc import Mapping

import numpy as np

from enclosure.checks.bodies import Body
from enclosure.checks.report import Report

STRAYS = 0.5
"""Permitted deviation in mm of a part from its place: the accuracy of glueing by hand (proposed,
not measured)."""


def check(bodies: list[Body], places: Mapping[str, tuple[float, float]]) -> Report:
    """Return the report. ``places`` has the middle of each cell and pad by name, x and y in mm.
    Each place has one electrode, one tile and one peg."""
    report = Report("Pads on their pitch")
    for part in ("electrode", "tile", "spring-peg"):
        middles = {
            body.name: body.mesh.bounds.mean(axis=0)[:2] for body in bodies if body.part == part
        }
        furthest = 0.0
        for place, middle in places.items():
            away = {name: float(np.hypot(*(at - middle))) for name, at in middles.items()}
            if not away:
                report.findings.append(f"There is no {part} under {place}.")
                continue
            nearest = min(away, key=lambda name: away[name])
            furthest = max(furthest, away[nearest])
            report.demand(
                away[nearest] <= STRAYS,
                f"{nearest}, the nearest to {place}, lies {away[nearest]:.1f} mm off its middle.",
            )
        report.demand(
            len(middles) == len(places), f"{len(middles)} of {part} for {len(places)} places."
        )
        report.figures.append(
            f"{len(middles)} of {part}, each within {furthest:.2f} mm of its place in wiring.csv"
        )
    return report
