"""The visible difference of two colours: CIE L*a*b*, and the CIEDE2000 distance. Also finds the two
most similar of several colours.

The formula is that of Sharma, Wu and Dalal, *The CIEDE2000 Color-Difference Formula*, Color
Research and Application 30 (2005), with all weights 1. A distance of 1 is barely visible side by
side. From a distance of 20 on, people recognise each colour even when they see only one of them.
"""

from collections.abc import Mapping
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Final, NamedTuple

from pi_table.lab.seeing.srgb import linear
from pi_table.lab.seeing.vision import Vision, simulate_vision


class Lab(NamedTuple):
    """A colour in CIE L*a*b*: lightness (0 … 100), ``a`` from green to red, ``b`` from blue to
    yellow."""

    lightness: float
    a: float
    b: float


def distance(one: int, other: int) -> float:
    return ciede2000(lab(one), lab(other))


def hue_between(one: int, other: int) -> float:
    """Return the angle in degrees, 0 … 180, between the hues of two colours 0xRRGGBB."""
    first, second = (_hue(each.a, each.b) for each in (lab(one), lab(other)))
    return abs((first - second + 180) % 360 - 180)


class Least(NamedTuple):
    """The two most similar colours, and their CIEDE2000 distance."""

    distance: float
    one: str
    other: str


def least_distance(colours: Mapping[str, int], vision: Vision = Vision.NORMAL) -> Least:
    """Return the two of these colours 0xRRGGBB that look most similar with this kind of colour
    vision."""
    shown = {name: simulate_vision(colour, vision) for name, colour in colours.items()}
    return min(
        Least(distance(shown[one], shown[other]), one, other)
        for one, other in combinations(shown, 2)
    )


def lab(colour: int) -> Lab:
    """Return a colour 0xRRGGBB in L*a*b*, relative to the white of sRGB (D65, 2°)."""
    light = linear(colour)
    x, y, z = (
        sum(weight * part for weight, part in zip(row, light, strict=True)) / sum(row)
        for row in _XYZ
    )
    fx, fy, fz = _cube_root(x), _cube_root(y), _cube_root(z)
    return Lab(116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


_XYZ: Final = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
"""Matrix from linear sRGB to CIE XYZ (IEC 61966-2-1). The sum of each row is the XYZ value of
white."""


def _cube_root(value: float) -> float:
    """Return the cube root of a number, or near black the linear function that L*a*b* uses
    there."""
    edge = 6 / 29
    return value ** (1 / 3) if value > edge**3 else value / (3 * edge**2) + 4 / 29


def ciede2000(one: Lab, other: Lab) -> float:
    chroma = (hypot(one.a, one.b) + hypot(other.a, other.b)) / 2
    stretch = 1 + 0.5 * (1 - _share_of_25(chroma))
    a1, a2 = one.a * stretch, other.a * stretch
    c1, c2 = hypot(a1, one.b), hypot(a2, other.b)
    h1, h2 = _hue(a1, one.b), _hue(a2, other.b)

    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    lightness, chroma = (one.lightness + other.lightness) / 2, (c1 + c2) / 2
    hue = h1 + h2 if grey else _middle(h1, h2)

    of_hue = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )
    off_50 = (lightness - 50) ** 2
    d_lightness = (other.lightness - one.lightness) / (1 + 0.015 * off_50 / sqrt(20 + off_50))
    d_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * of_hue)
    blue = 30 * exp(-(((hue - 275) / 25) ** 2))
    twist = -sin(radians(2 * blue)) * 2 * _share_of_25(chroma)
    return sqrt(d_lightness**2 + d_chroma**2 + d_hue**2 + twist * d_chroma * d_hue)


def _share_of_25(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25**7))


def _hue(a: float, b: float) -> float:
    """Return the hue angle in degrees, 0 … 360; 0 for grey."""
    return degrees(atan2(b, a)) % 360


def _middle(h1: float, h2: float) -> float:
    """Return the hue halfway between two hues, in degrees, the shorter way round the circle."""
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2


def _cos(angle: float) -> float:
    return cos(radians(angle))
