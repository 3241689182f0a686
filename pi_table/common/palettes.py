"""The palettes that a venue can choose. Console and lights have colours for each palette."""

from enum import StrEnum


class Palette(StrEnum):
    """Colours for identities and teams. A palette's name says which colours its users confuse."""

    STANDARD = "standard"
    """Colours for everybody."""
    RED_GREEN = "red-green"
    """Colours for people who confuse red and green: protanopia and deuteranopia."""
    BLUE_YELLOW = "blue-yellow"
    """Colours for people who confuse blue and yellow: tritanopia."""
