"""The hidden screen's visible surface, and the points that represent it."""

from dataclasses import dataclass

import numpy as np

from enclosure.checks.bodies import Points

GRID = 8.0
"""Millimetres from one point of the screen's surface to the next, at most."""

BEFORE = 0.2
"""Millimetres that the points lie before the surface, so that no line touches it."""


@dataclass(frozen=True)
class Screen:
    """The visible surface of the screen: its middle, the two ways along it, and the way it faces.

    ``across`` and ``up`` are half of its width and of its height, as vectors in millimetres.
    """

    middle: Points
    across: Points
    up: Points

    @property
    def plane(self) -> float:
        """The y of the surface's upper edge, where the operatives' sides end."""
        return float(self.middle[1] + self.up[1])

    @property
    def facing(self) -> Points:
        """The way that the screen shines, of length 1."""
        way = np.cross(self.up, self.across)
        return np.asarray(way / np.linalg.norm(way))

    def before(self, eyes: Points) -> Points:
        """Those eyes that are before the surface: to all others it turns its back."""
        return eyes[(eyes - self.middle) @ self.facing > 0]

    def points(self) -> Points:
        """A dense grid on the surface, its corners included."""
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
