"""The palettes that a house can choose; console and lights have colours for each."""

from enum import StrEnum


class Palette(StrEnum):
    """Colours for identities and teams, named for the colours that an eye confuses."""

    STANDARD = "standard"
    """For everybody."""
    RED_GREEN = "red-green"
    """For people who confuse red and green: protanopia and deuteranopia."""
    BLUE_YELLOW = "blue-yellow"
    """For people who confuse blue and yellow: tritanopia."""
