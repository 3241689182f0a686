"""Calculates how far the overlay bulges over the contact springs: `python -m enclosure.bulge`.
Forces are in newtons, lengths in millimetres.

The springs press the overlay up. The overlay and the electrode boards press down with their weight,
and the rim holds the overlay's edge. The remaining force bends the overlay like a plate under an
even load. Cord and tape hold the edge more firmly than a free edge, and less firmly than a clamped
edge. The largest bulge is therefore that of a free edge.
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
SUPPORTED: Final = 0.00406
"""Deflection in the middle of a square plate whose edge is free to turn, as a multiple of load ×
side⁴ / stiffness (published in tables of plates)."""
STAINLESS: Final = 70_000.0
"""Shear modulus in N/mm² of stainless spring wire (published value)."""
COILS: Final = (5, 12)
"""Fewest and most active coils of a spring that is sold in this size (proposed, not measured).
Sellers often do not name their number."""
LEAST_FORCE: Final = 0.15
"""Least force in newtons with which a spring still makes contact (proposed, not measured)."""
BEARABLE: Final = 0.5
"""Largest permitted air gap in mm between walls and overlay (proposed, not measured). Such a gap
lets little light into the next cell."""


def weight() -> float:
    """Return the weight in newtons of the overlay with everything that is glued to it."""
    sheet = 2 * RIGHT * (FAR - NEAR) * MM["overlay_thickness"] * ACRYLIC[2]
    board = MM["electrode_across"] * MM["electrode_down"] * MM["electrode_thickness"] * BOARD
    return (sheet + len(TILES) * board) * GRAVITY


def force(coils: float, wire: float = MM["spring_wire"]) -> float:
    """Return the force in newtons with which a spring with this number of active coils presses on
    the land of an electrode board."""
    across = MM["spring_across"] - wire
    rate = STAINLESS * wire**4 / (8 * across**3 * coils)
    return rate * (MM["spring_length"] - MM["light_depth"] + MM["electrode_thickness"])


def bulge(each: float) -> float:
    """Return the largest rise in mm of the overlay's middle, if each spring presses with ``each``
    newtons; 0 if the weight holds the overlay down."""
    stiff, contraction, _ = ACRYLIC
    plate = stiff * MM["overlay_thickness"] ** 3 / 12 / (1 - contraction**2)
    area = 2 * RIGHT * (FAR - NEAR)
    load = max(0.0, len(TILES) * each - weight()) / area
    return SUPPORTED * load * area**2 / plate


def faults(wire: float = MM["spring_wire"]) -> list[str]:
    """Return a sentence for each spring that presses too little or too much."""
    strong, weak = (force(coils, wire) for coils in COILS)
    found = []
    if weak < LEAST_FORCE:
        found.append(f"A spring of {COILS[1]} coils presses with {weak:.2f} N alone.")
    if bulge(strong) > BEARABLE:
        found.append(f"Springs of {COILS[0]} coils lift the middle by {bulge(strong):.1f} mm.")
    return found


def text() -> str:
    """Return the calculated figures, one figure on each line."""
    strong, weak = map(force, COILS)
    return "\n".join(
        (
            f"Overlay and electrode boards weigh {weight():.1f} N; {len(TILES)} springs press up.",
            f"With {COILS[1]} to {COILS[0]} coils each presses with {weak:.2f} to {strong:.2f} N.",
            f"They lift the overlay's middle by {bulge(strong):.2f} mm at most.",
        )
    )


if __name__ == "__main__":
    print(text())
