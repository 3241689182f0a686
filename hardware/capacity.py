"""Capacitances of plates, strips, wires and traces, in picofarads; lengths are in millimetres."""

import math
from collections.abc import Sequence
from typing import Final

EPSILON: Final = 8.854e-3
"""Permittivity of a vacuum, pF/mm."""


def wire(height: float, radius: float) -> float:
    """Return the capacitance of a wire over a plane, pF/m."""
    return 1000 * 2 * math.pi * EPSILON / math.acosh(height / radius)


def bundled(places: Sequence[float], height: float, radius: float) -> float:
    """Return the capacitance of a wire of a bundle over a plane while all others are grounded, in
    pF/m: of the wire that has most. ``places`` are the wires' distances from a line along them.

    The wires' charges follow from their potentials: one for the wire, none for the others.
    """
    wires = range(len(places))
    potentials = [
        [_potential(abs(places[i] - places[j]), height, radius) for j in wires] for i in wires
    ]
    return max(1000 * 2 * math.pi * EPSILON * _solve(potentials, i)[i] for i in wires)


def _potential(apart: float, height: float, radius: float) -> float:
    """Return the potential at a wire from the charge of a wire at this distance; 0 is itself."""
    return math.log(math.hypot(apart, 2 * height) / max(apart, radius))


def _solve(matrix: Sequence[Sequence[float]], one: int) -> list[float]:
    """Solve ``matrix`` · x = 1 at place ``one``, 0 elsewhere. The diagonal must dominate."""
    rows = [[*row, float(i == one)] for i, row in enumerate(matrix)]
    for i, row in enumerate(rows):
        rows[i] = row = [each / row[i] for each in row]
        for j, other in enumerate(rows):
            if j != i:
                rows[j] = [a - other[i] * b for a, b in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def trace(width: float, height: float, permittivity: float) -> float:
    """Return the capacitance of a narrow trace over its ground, pF/m (Hammerstad's formulas)."""
    ratio, seen = width / height, effective_permittivity(width, height, permittivity)
    ohms = 60 / math.sqrt(seen) * math.log(8 / ratio + ratio / 4)
    return math.sqrt(seen) / (299_792_458 * ohms) * 1e12


def effective_permittivity(width: float, height: float, permittivity: float) -> float:
    """Return the effective relative permittivity of a narrow trace: between that of air and that of
    the board."""
    return (permittivity + 1) / 2 + (permittivity - 1) / 2 / math.sqrt(1 + 12 * height / width)


def edges(width: float, gap: float) -> float:
    """Return the factor by which a plate's edges increase its capacitance to another plate
    (Palmer's formula)."""
    return 1 + gap / (math.pi * width) * (1 + math.log(2 * math.pi * width / gap))


def strips(width: float, gap: float) -> float:
    """Return the capacitance in pF/mm of two flat strips side by side. Only the field on one side
    of the strips counts."""
    k = gap / (gap + 2 * width)
    return EPSILON / 2 * _elliptic(math.sqrt(1 - k * k)) / _elliptic(k)


def _elliptic(k: float) -> float:
    """Return the complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    one, other = 1.0, math.sqrt(1 - k * k)
    while abs(one - other) > 1e-12:
        one, other = (one + other) / 2, math.sqrt(one * other)
    return math.pi / (2 * one)


def coupling(spacing: float, height: float, radius: float, permittivity: float) -> float:
    """Return the capacitance between two wires over a plane, pF/m.

    Each wire's potential comes from its own charge and from the other wire's charge; the
    capacitance follows from both potentials.
    """
    own = math.log(2 * height / radius)
    other = math.log(math.hypot(spacing, 2 * height) / spacing)
    return 1000 * 2 * math.pi * EPSILON * permittivity * other / (own * own - other * other)
