"""The hidden screen's visible surface, and a grid of points on it."""

from dataclasses import dataclass

import numpy as np

from enclosure.checks.bodies import Points

GRID = 8.0
"""Largest distance in mm between neighbouring points on the screen's surface."""

BEFORE = 0.2
"""Distance in mm between the screen's surface and the tested points in front of it. So no line of
sight touches the surface itself."""


@dataclass(frozen=True)
class Screen:
    """The visible surface of the screen: its middle, and two vectors along the surface in mm.

    The vector ``across`` is half of the surface's width, the vector ``up`` half of its height.
    """

    middle: Points
    across: Points
    up: Points

    @property
    def plane(self) -> float:
        """The y in mm of the surface's upper edge. The operatives' sides of the table end at this
        line."""
        return float(self.middle[1] + self.up[1])

    @property
    def facing(self) -> Points:
        """The direction in which the screen shines, as a vector of length 1."""
        way = np.cross(self.up, self.across)
        return np.asarray(way / np.linalg.norm(way))

    def before(self, eyes: Points) -> Points:
        """Return the eyes that are in front of the surface. Eyes behind it cannot see it."""
        return eyes[(eyes - self.middle) @ self.facing > 0]

    def points(self) -> Points:
        """Return a dense grid of points on the surface, its corners included."""
        ways = [
            np.linspace(-1, 1, int(np.ceil(2 * np.linalg.norm(half) / GRID)) + 1)
            for half in (self.across, self.up)
        ]
        return np.array(
            [
                self.middle + x * self.across + y * self.up + BEFORE * self.facing
                for x in ways[0]
                for y in ways[1]
            ]
        )
