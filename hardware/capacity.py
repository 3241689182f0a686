"""Capacities of plates, strips, wires and traces, in picofarads; lengths are in millimetres."""

import math
from typing import Final

EPSILON: Final = 8.854e-3
"""Of empty space, in pF/mm."""


def wire(height: float, radius: float) -> float:
    """A wire over a plane, for a metre."""
    return 1000 * 2 * math.pi * EPSILON / math.acosh(height / radius)


def trace(width: float, height: float, permittivity: float) -> float:
    """A narrow trace of a board over its ground, for a metre (Hammerstad's formulas)."""
    ratio, seen = width / height, seen_by_trace(width, height, permittivity)
    ohms = 60 / math.sqrt(seen) * math.log(8 / ratio + ratio / 4)
    return math.sqrt(seen) / (299_792_458 * ohms) * 1e12


def seen_by_trace(width: float, height: float, permittivity: float) -> float:
    """The permittivity that such a trace sees: between those of the board and of air."""
    return (permittivity + 1) / 2 + (permittivity - 1) / 2 / math.sqrt(1 + 12 * height / width)


def edges(width: float, gap: float) -> float:
    """By how much the edges of a plate so wide multiply its capacity to another (Palmer)."""
    return 1 + gap / (math.pi * width) * (1 + math.log(2 * math.pi * width / gap))


def strips(width: float, gap: float) -> float:
    """Two flat strips beside each other, in one half of space, for a millimetre of length."""
    k = gap / (gap + 2 * width)
    return EPSILON / 2 * _elliptic(math.sqrt(1 - k * k)) / _elliptic(k)


def _elliptic(k: float) -> float:
    """The complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    one, other = 1.0, math.sqrt(1 - k * k)
    while abs(one - other) > 1e-12:
        one, other = (one + other) / 2, math.sqrt(one * other)
    return math.pi / (2 * one)


def coupled(spacing: float, height: float, radius: float, permittivity: float) -> float:
    """Two wires over a plane, for a metre, from the potentials that each has by its own charge and
    by the other's."""
    own = math.log(2 * height / radius)
    other = math.log(math.hypot(spacing, 2 * height) / spacing)
    return 1000 * 2 * math.pi * EPSILON * permittivity * other / (own * own - other * other)
