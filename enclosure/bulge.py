"""The bulge of the overlay over the probes: `python -m enclosure.bulge`. Newtons, millimetres.

The spring probes press the overlay up. Its weight and that of the electrode boards press it down,
and the rim holds its edge. The remaining force bends the sheet like a plate under an even load. Its
edge, between cord and tape, is neither free to turn nor clamped. The true bulge is therefore
between those two cases.
"""

from typing import Final

from enclosure.dimensions import MM
from enclosure.levels import FAR, NEAR, RIGHT
from enclosure.places import TILES

ACRYLIC: Final = (3200.0, 0.38, 1.19e-6)
"""Young's modulus in N/mm², Poisson's ratio, and density in kg/mm³ of cast acrylic (S)."""
BOARD: Final = 1.85e-6
"""Density of a circuit board in kg/mm³ (S)."""
GRAVITY: Final = 9.81
CLAMPED: Final = 0.00126
SUPPORTED: Final = 0.00406
"""Deflection in the middle of a square plate whose edge is free to turn, as a multiple of load ×
side⁴ / stiffness (S: tables of plates)."""
FORCES: Final = (0.4, 0.6, 0.8, 1.0)
"""Force of one probe in newtons, at its compression in this table (P); makers differ."""
BEARABLE: Final = 0.5
"""Millimetres of air over the walls. That much lets little light into the next cell, and a probe
bridges it (P)."""


def weight() -> float:
    """Return the weight of the overlay with everything glued to it, in newtons."""
    sheet = 2 * RIGHT * (FAR - NEAR) * MM["overlay_thickness"] * ACRYLIC[2]
    board = MM["electrode_across"] * MM["electrode_down"] * MM["electrode_thickness"] * BOARD
    return (sheet + len(TILES) * board) * GRAVITY


def bulge(force: float, edge: float) -> float:
    """Return the rise of the overlay's middle in mm, with probes of that force; 0 if the weight
    holds it down."""
    stiff, contraction, _ = ACRYLIC
    plate = stiff * MM["overlay_thickness"] ** 3 / 12 / (1 - contraction**2)
    area = 2 * RIGHT * (FAR - NEAR)
    load = max(0.0, len(TILES) * force - weight()) / area
    return edge * load * area**2 / plate


def most_force(edge: float = SUPPORTED) -> float:
    """Return the strongest force of a probe that lifts the overlay by ``BEARABLE`` at most, in
    steps of 0.01 N."""
    return max(i / 100 for i in range(200) if bulge(i / 100, edge) <= BEARABLE)


def text() -> str:
    """Return the figures, one on each line."""
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
