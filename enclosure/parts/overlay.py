"""The touch surface: one sheet of opal acrylic, the electrodes glued flat beneath it."""

from build123d import Shape

from enclosure.dimensions import MM
from enclosure.levels import FAR, NEAR, RIGHT
from enclosure.shapes import block, rounded

HALF_DOWN = (FAR - NEAR) / 2


def overlay() -> Shape:
    """The sheet, its middle at the origin, lying on z = 0."""
    sheet = block(-RIGHT, RIGHT, -HALF_DOWN, HALF_DOWN, 0, MM["overlay_thickness"])
    return rounded(sheet, 3)
