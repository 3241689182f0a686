"""Simulates how colour-blind people see colours. They lack one of the three kinds of cones in the
eye.

The method is that of Brettel, Viénot and Mollon, *Computerized simulation of color appearance for
dichromats*, J. Opt. Soc. Am. A 14 (1997). In linear light, a colour is projected onto one of two
half-planes. Colours on these half-planes look the same to a colour-blind person as to other people.
The matrices are those of libDaltonLens (public domain), for sRGB and the cone responses of Smith
and Pokorny. They are right for all three kinds, including tritanopia, for which a single matrix is
not enough.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from pi_table.lab.seeing.srgb import Linear, colour_of, linear


class Vision(StrEnum):
    NORMAL = "normal"
    PROTANOPIA = "protanopia"
    DEUTERANOPIA = "deuteranopia"
    TRITANOPIA = "tritanopia"


Matrix = tuple[Linear, Linear, Linear]


class _HalfPlanes(NamedTuple):
    """A matrix for each side of a plane through black. ``across`` is the normal of that plane."""

    ahead: Matrix
    behind: Matrix
    across: Linear


_BRETTEL: Final = {
    Vision.PROTANOPIA: _HalfPlanes(
        ((0.14980, 1.19548, -0.34528), (0.10764, 0.84864, 0.04372), (0.00384, -0.00540, 1.00156)),
        ((0.14570, 1.16172, -0.30742), (0.10816, 0.85291, 0.03892), (0.00386, -0.00524, 1.00139)),
        (0.00048, 0.00393, -0.00441),
    ),
    Vision.DEUTERANOPIA: _HalfPlanes(
        ((0.36477, 0.86381, -0.22858), (0.26294, 0.64245, 0.09462), (-0.02006, 0.02728, 0.99278)),
        ((0.37298, 0.88166, -0.25464), (0.25954, 0.63506, 0.10540), (-0.01980, 0.02784, 0.99196)),
        (-0.00281, -0.00611, 0.00892),
    ),
    Vision.TRITANOPIA: _HalfPlanes(
        ((1.01277, 0.13548, -0.14826), (-0.01243, 0.86812, 0.14431), (0.07589, 0.80500, 0.11911)),
        ((0.93678, 0.18979, -0.12657), (0.06154, 0.81526, 0.12320), (-0.37562, 1.12767, 0.24796)),
        (0.03901, -0.02788, -0.01113),
    ),
}


def simulate_vision(colour: int, vision: Vision) -> int:
    """Return the colour 0xRRGGBB that looks to people with normal vision as ``colour`` looks to
    people with ``vision``."""
    if vision is Vision.NORMAL:
        return colour
    light = linear(colour)
    planes = _BRETTEL[vision]
    matrix = planes.ahead if _product(planes.across, light) >= 0 else planes.behind
    red, green, blue = (_product(row, light) for row in matrix)
    return colour_of((red, green, blue))


def _product(row: Linear, light: Linear) -> float:
    return sum(a * b for a, b in zip(row, light, strict=True))
