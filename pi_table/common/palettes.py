"""The palettes that a house can choose; console and lights have colours for each."""

from enum import StrEnum


class Palette(StrEnum):
    """Colours for identities and teams, named for the colours that an eye confuses."""

    STANDARD = "standard"
    """Colours for everybody."""
    RED_GREEN = "red-green"
    """Colours for people who confuse red and green: protanopia and deuteranopia."""
    BLUE_YELLOW = "blue-yellow"
    """Colours for people who confuse blue and yellow: tritanopia."""
