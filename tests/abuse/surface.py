"""The table's surface: where its pads lie, and how much of what lies on it loads each of them.

Millimetres, x to the right and y towards the operatives; the far left corner of A1's cell is at
(0, 0). Where pads lie stands in hardware/dimensions.toml. Counts are what the touch chip's filtered
value falls by (firmware/model/README.md).

A pad and what lies on it are the two plates of a capacitor; 3 mm of acrylic are between them. A
fingertip, a disc of 10 mm, makes 16 counts. The other end of what lies there is not always at
ground: a person is, a drop of water is not. A body that floats is at ground only through the other
pads that it lies on (while the chip measures one, it holds the others at ground), and through the
air: a flat disc of radius r has a capacitance of 8 ε r to everything else, which is as much as
8 r mm² of it have to a pad.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from hardware.dimensions import MM
from pi_table.common.geometry import CELLS, PLACES, SIDE

SAMPLE_MS: Final = 10
SAMPLE: Final = SAMPLE_MS / 1000
"""Seconds from one sample of a course of loads to the next."""

COUNTS_PER_MM2: Final = 16.0 / (math.pi * 5.0**2)
MAX_COUNTS: Final = 250.0
GROUNDED: Final = math.inf
AIR_PER_RADIUS: Final = 8.0
"""mm² for each mm of a flat body's radius: what the air is worth to it as a way to ground."""


class Rectangle(NamedTuple):
    left: float
    far: float
    right: float
    near: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.far + self.near) / 2

    def holds(self, other: "Rectangle") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.far <= other.far and other.near <= self.near


def _cell(column: float, row: int) -> Rectangle:
    """The electrode in the middle of a cell."""
    x, y = (column + 0.5) * MM["pitch_across"], (row + 0.5) * MM["pitch_down"]
    across, down = MM["electrode_across"] / 2, MM["electrode_down"] / 2
    return Rectangle(x - across, y - down, x + across, y + down)


FIELD: Final = Rectangle(0.0, 0.0, SIDE * MM["pitch_across"], (SIDE + 1) * MM["pitch_down"])
"""The cells and, nearest the operatives, the pads' row: what lies within the rim."""


def _pads() -> dict[str, Rectangle]:
    pads = {name: _cell(cell % SIDE, cell // SIDE) for cell, name in enumerate(CELLS)}
    middle, aside = (SIDE - 1) / 2, MM["pads_from_middle"] / MM["pitch_across"]
    pads["end-turn"], pads["hourglass"] = (_cell(middle + by, SIDE) for by in (-aside, aside))
    gap, out = MM["guard_gap"], MM["guard_gap"] + MM["guard_width"]
    left, far, right, near = FIELD
    pads["far"] = Rectangle(left - out, far - out, right + out, far - gap)
    pads["near"] = Rectangle(left - out, near + gap, right + out, near + out)
    pads["left"] = Rectangle(left - out, far - gap, left - gap, near + gap)
    pads["right"] = Rectangle(right + gap, far - gap, right + out, near + gap)
    return pads


PADS: Final = _pads()
"""All that feels, by its name in hardware/wiring.csv. The rim runs round all the places."""
assert [*PADS][: len(PLACES)] == [*PLACES]


class Shape(Protocol):
    """Something convex, seen from above."""

    @property
    def bounds(self) -> Rectangle: ...

    def chord(self, x: float) -> tuple[float, float]:
        """From where to where it reaches along y at this x, which is within its bounds."""

    @property
    def area(self) -> float: ...

    @property
    def radius(self) -> float:
        """Of a disc that is as large."""
        return math.sqrt(self.area / math.pi)


@dataclass(frozen=True)
class Ellipse(Shape):
    """``along`` and ``across`` are its half axes, ``angle`` that of the first (radians)."""

    x: float
    y: float
    along: float
    across: float
    angle: float = 0.0

    @property
    def area(self) -> float:
        return math.pi * self.along * self.across

    @property
    def bounds(self) -> Rectangle:
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        width = math.hypot(self.along * cos, self.across * sin)
        height = math.hypot(self.along * sin, self.across * cos)
        return Rectangle(self.x - width, self.y - height, self.x + width, self.y + height)

    @cached_property
    def _quadratic(self) -> tuple[float, float, float]:
        # (X cos + Y sin)² / along² + (Y cos - X sin)² / across² = 1, in powers of Y.
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        a, b = self.along**-2, self.across**-2
        square, mixed = a * sin * sin + b * cos * cos, sin * cos * (a - b)
        return square, mixed, a * cos * cos + b * sin * sin

    def chord(self, x: float) -> tuple[float, float]:
        square, mixed, rest = self._quadratic
        apart = x - self.x
        half = -apart * mixed / square
        root = half * half - (apart * apart * rest - 1.0) / square
        reach = math.sqrt(root) if root > 0.0 else 0.0
        return self.y + half - reach, self.y + half + reach


def disc(x: float, y: float, radius: float) -> Ellipse:
    return Ellipse(x, y, radius, radius)


@dataclass(frozen=True)
class Capsule(Shape):
    """All that is within ``thick`` of the line between two points: an arm."""

    x: float
    y: float
    to_x: float
    to_y: float
    thick: float

    @property
    def area(self) -> float:
        length = math.hypot(self.to_x - self.x, self.to_y - self.y)
        return math.pi * self.thick**2 + 2 * self.thick * length

    @property
    def bounds(self) -> Rectangle:
        return Rectangle(
            min(self.x, self.to_x) - self.thick,
            min(self.y, self.to_y) - self.thick,
            max(self.x, self.to_x) + self.thick,
            max(self.y, self.to_y) + self.thick,
        )

    def chord(self, x: float) -> tuple[float, float]:
        over, down = self.to_x - self.x, self.to_y - self.y
        length, thick = math.hypot(over, down), self.thick
        if abs(over) < 1e-6:
            reach = math.sqrt(max(0.0, thick**2 - (x - self.x) ** 2))
            return min(self.y, self.to_y) - reach, max(self.y, self.to_y) + reach
        # The disc of the line that reaches farthest at this x, up and down.
        ends = (x - thick - self.x) / over, (x + thick - self.x) / over
        first, last = max(0.0, min(ends)), min(1.0, max(ends))
        tilt = thick * down / length * math.copysign(1.0, over)
        found = []
        for sign in (-1.0, 1.0):
            at = (x + sign * tilt - self.x) / over
            at = min(last, max(first, at))
            apart = x - self.x - at * over
            reach = math.sqrt(max(0.0, thick**2 - apart**2))
            found.append(self.y + at * down + sign * reach)
        return found[0], found[1]


@dataclass(frozen=True)
class Body:
    """Something on the table. ``contact`` (0 … 1) is the share of its capacitance to a pad that is
    left by what is between: cloth, air, the bottom of a glass. ``ground`` (mm²) is what its way to
    ground is worth."""

    shape: Shape
    contact: float = 1.0
    ground: float = GROUNDED


def floating(shape: Shape, contact: float = 1.0, more: float = 0.0) -> Body:
    """A body that is at ground through the air alone."""
    return Body(shape, contact, AIR_PER_RADIUS * shape.radius + more)


SLICES: Final = 8
_COLUMNS: Final = [
    (left, right, [(name, pad) for name, pad in PADS.items() if (pad.left, pad.right) == sides])
    for sides in dict.fromkeys((pad.left, pad.right) for pad in PADS.values())
    for left, right in [sides]
]


def areas(shape: Shape) -> dict[str, float]:
    """The area (mm²) of a shape that lies over each pad, where it is anything."""
    bounds = shape.bounds
    found: dict[str, float] = {}
    for left, right, pads in _COLUMNS:
        if bounds.left >= right or bounds.right <= left:
            continue
        below = [at for at in pads if bounds.far < at[1].near and at[1].far < bounds.near]
        if not below:
            continue
        (name, pad), *_ = below
        if pad.holds(bounds):
            return {name: shape.area}
        left, right = max(bounds.left, left), min(bounds.right, right)
        wide = (right - left) / SLICES
        chords = [shape.chord(left + (number + 0.5) * wide) for number in range(SLICES)]
        for name, pad in below:
            high = 0.0
            for far, near in chords:
                reach = min(near, pad.near) - max(far, pad.far)
                if reach > 0.0:
                    high += reach
            if high > 0.0:
                found[name] = high * wide
    return found


def loads(bodies: Iterable[Body]) -> dict[str, float]:
    """Return the load of each pad that these bodies load, in counts."""
    found: dict[str, float] = {}
    for body in bodies:
        over = areas(body.shape)
        whole = body.contact * sum(over.values()) + body.ground
        for name, area in over.items():
            area *= body.contact
            share = 1.0 if whole == math.inf else (whole - area) / whole
            counts = found.get(name, 0.0) + COUNTS_PER_MM2 * area * share
            found[name] = min(MAX_COUNTS, counts)
    return found
