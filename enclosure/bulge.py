"""The bulge of the overlay over the probes: `python -m enclosure.bulge`. Newtons, millimetres.

The spring probes press the overlay up, its weight and the electrode boards' press it down, and the
rim holds its edge. The rest bends the sheet like a plate under an even load. Its edge, between cord
and tape, is neither free to turn nor clamped: the truth is between both.
"""

from typing import Final

from enclosure.dimensions import MM
from enclosure.levels import FAR, NEAR, RIGHT
from enclosure.places import TILES

ACRYLIC: Final = (3200.0, 0.38, 1.19e-6)
"""N/mm², transverse contraction, kg/mm³: S, cast acrylic."""
BOARD: Final = 1.85e-6
"""kg/mm³ of a circuit board: S."""
GRAVITY: Final = 9.81
CLAMPED: Final = 0.00126
SUPPORTED: Final = 0.00406
"""Deflection of a square plate's middle, in load × side⁴ / stiffness: S, tables of plates."""
FORCES: Final = (0.4, 0.6, 0.8, 1.0)
"""Newtons of one probe at its compression here (P); makers differ."""
BEARABLE: Final = 0.5
"""Millimetres of air over the walls that let little light into the next cell and that a probe
bridges (P)."""


def weight() -> float:
    """Return the weight of the overlay with everything glued to it, in newtons."""
    sheet = 2 * RIGHT * (FAR - NEAR) * MM["overlay_thickness"] * ACRYLIC[2]
    board = MM["electrode_across"] * MM["electrode_down"] * MM["electrode_thickness"] * BOARD
    return (sheet + len(TILES) * board) * GRAVITY


def bulge(force: float, edge: float) -> float:
    """Return the rise of the middle with probes of that force; 0 if the weight holds it down."""
    stiff, contraction, _ = ACRYLIC
    plate = stiff * MM["overlay_thickness"] ** 3 / 12 / (1 - contraction**2)
    area = 2 * RIGHT * (FAR - NEAR)
    load = max(0.0, len(TILES) * force - weight()) / area
    return edge * load * area**2 / plate


def most_force(edge: float = SUPPORTED) -> float:
    """The strongest probe, in hundredths of a newton, with which the overlay stays down."""
    return max(i / 100 for i in range(200) if bulge(i / 100, edge) <= BEARABLE)


def text() -> str:
    """Return the figures, a line each."""
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
