"""The palettes that a house can choose from; console and lights each have colours for all."""

from enum import StrEnum


class Palette(StrEnum):
    """Colours for identities and teams, named for the colours that an eye confuses."""

    STANDARD = "standard"
    """For everybody."""
    RED_GREEN = "red-green"
    """For who mixes up red and green: protanopia and deuteranopia."""
    BLUE_YELLOW = "blue-yellow"
    """For who mixes up blue and yellow: tritanopia."""
