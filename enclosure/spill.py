"""Calculates how much of a spilled drink the rim keeps on the overlay: `python -m enclosure.spill`.

Volumes are in mm³.
"""

import math
from typing import Final

from enclosure.dimensions import MM
from enclosure.levels import FAR, NEAR, RIGHT, RIM_HEIGHT

HALF_LITRE: Final = 500_000.0
LEAN: Final = 1.0
"""Angle in degrees by which a table may lean (proposed, not measured), such as on a café's uneven
floor with a folded beer mat under one foot."""


def inside() -> tuple[float, float]:
    """Return the width and the length in mm of the area between the rim's lips."""
    lips = 2 * MM["rim_lip"]
    return 2 * RIGHT - lips, FAR - NEAR - lips


def volume_held(lean: float, height: float = RIM_HEIGHT) -> float:
    """Return the volume in mm³ that stays on an overlay that leans by ``lean`` degrees, in the
    worst direction.

    The worst direction is towards a corner, not towards a side. The remaining drink is then a
    pyramid in that corner.
    """
    across, down = inside()
    if not lean:
        return across * down * height
    slope = math.tan(math.radians(lean))
    ways = [math.radians(way) for way in range(1, 90)]
    return min(_volume_held(slope * math.cos(a), slope * math.sin(a), height) for a in ways)


def _volume_held(slope_across: float, slope_down: float, height: float) -> float:
    """Return the volume in mm³ between the overlay and the surface of the drink. The surface is
    ``height`` mm above the lowest corner; from there, the depth falls in both directions by these
    slopes."""
    across, down = (
        each * slope for each, slope in zip(inside(), (slope_across, slope_down), strict=True)
    )
    cut = (height, height - across, height - down, height - across - down)
    whole, one, other, both = (max(each, 0.0) ** 3 for each in cut)
    return (whole - one - other + both) / (6 * slope_across * slope_down)


def least_height(lean: float = LEAN) -> float:
    """Return the height in mm that a rim needs to keep half a litre on an overlay that leans by
    ``lean`` degrees, in steps of 0.1 mm."""
    return next(i / 10 for i in range(1, 1000) if volume_held(lean, i / 10) >= HALF_LITRE)


def text() -> str:
    """Return the calculated figures, one figure on each line."""
    across, down = inside()
    lines = [
        f"Within the rim: {across:.0f} × {down:.0f} mm;"
        f" half a litre stands {HALF_LITRE / across / down:.1f} mm high."
    ]
    for lean in (0.0, 0.5, LEAN, 2.0):
        kept = volume_held(lean) / 1000
        lines.append(f"Leaning by {lean:.1f}°: a rim of {RIM_HEIGHT:.1f} mm keeps {kept:.0f} ml.")
    lines.append(f"For half a litre at {LEAN:.1f}° it has to be {least_height():.1f} mm.")
    return "\n".join(lines)


if __name__ == "__main__":
    print(text())
