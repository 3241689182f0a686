"""Calculates how far the overlay bulges over the spring probes: `python -m enclosure.bulge`. Forces
are in newtons, lengths in millimetres.

The probes press the overlay up. The overlay and the electrode boards press down with their weight,
and the rim holds the overlay's edge. The remaining force bends the overlay like a plate under an
even load. Cord and tape hold the edge more firmly than a free edge, and less firmly than a clamped
edge. The true bulge is therefore between the results for these two edges.
"""

from typing import Final

from enclosure.dimensions import MM
from enclosure.levels import FAR, NEAR, RIGHT
from enclosure.places import TILES

ACRYLIC: Final = (3200.0, 0.38, 1.19e-6)
"""Young's modulus in N/mm², Poisson's ratio, and density in kg/mm³ of cast acrylic (published
values)."""
BOARD: Final = 1.85e-6
"""Density of a circuit board in kg/mm³ (published value)."""
GRAVITY: Final = 9.81
CLAMPED: Final = 0.00126
SUPPORTED: Final = 0.00406
"""Deflection in the middle of a square plate whose edge is free to turn, as a multiple of load ×
side⁴ / stiffness (published in tables of plates)."""
FORCES: Final = (0.4, 0.6, 0.8, 1.0)
"""Forces of one probe, in newtons, for which the bulge is calculated (proposed, not measured).
Probes of different manufacturers press with different forces."""
BEARABLE: Final = 0.5
"""Largest permitted air gap in mm between walls and overlay (proposed, not measured). Such a gap
lets little light into the next cell, and a spring probe still reaches its electrode."""


def weight() -> float:
    """Return the weight in newtons of the overlay with everything that is glued to it."""
    sheet = 2 * RIGHT * (FAR - NEAR) * MM["overlay_thickness"] * ACRYLIC[2]
    board = MM["electrode_across"] * MM["electrode_down"] * MM["electrode_thickness"] * BOARD
    return (sheet + len(TILES) * board) * GRAVITY


def bulge(force: float, edge: float) -> float:
    """Return the rise in mm of the overlay's middle, if each probe presses with ``force`` newtons;
    0 if the weight holds the overlay down. ``edge`` is a factor such as ``SUPPORTED``."""
    stiff, contraction, _ = ACRYLIC
    plate = stiff * MM["overlay_thickness"] ** 3 / 12 / (1 - contraction**2)
    area = 2 * RIGHT * (FAR - NEAR)
    load = max(0.0, len(TILES) * force - weight()) / area
    return edge * load * area**2 / plate


def most_force(edge: float = SUPPORTED) -> float:
    """Return the largest force in newtons with which each probe may press, in steps of 0.01 N. With
    this force the overlay rises by at most ``BEARABLE``."""
    return max(i / 100 for i in range(200) if bulge(i / 100, edge) <= BEARABLE)


def text() -> str:
    """Return the calculated figures, one figure on each line."""
    down = f"{weight():.1f} N"
    lines = [f"Overlay and electrode boards weigh {down}; {len(TILES)} probes press against."]
    for force in FORCES:
        low, high = bulge(force, CLAMPED), bulge(force, SUPPORTED)
        lines.append(f"Probes of {force:.1f} N lift the middle by {low:.1f} to {high:.1f} mm.")
    most = f"{most_force():.2f} N"
    lines.append(f"Probes of up to {most} leave it within {BEARABLE} mm in any case.")
    return "\n".join(lines)


if __name__ == "__main__":
    print(text())
