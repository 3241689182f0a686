"""The other palettes, and high contrast: what stands in for a colour of `style`."""

from collections.abc import Mapping
from typing import Final

from pi_table.colour.palettes import Palette
from pi_table.console import style
from pi_table.console.shapes import Colour

Colours = Mapping[Colour, Colour]

PALETTES: Final[dict[Palette, Colours]] = {
    Palette.STANDARD: {},
    Palette.RED_GREEN: {},
    Palette.BLUE_YELLOW: {},
}
HIGH_CONTRAST: Final[Colours] = {
    style.GROUND: 0x000000,
    style.SURFACE: 0x0C0E12,
    style.RAISED: 0x1A1F27,
    style.EDGE: 0x8A94A6,
    style.INK: 0xFFFFFF,
    style.SOFT: 0xE2E6EC,
    style.FAINT: 0xA8B0BC,
    style.ACCENT: 0xFFD84A,
    style.ON_ACCENT: 0x000000,
}


def colours_of(palette: str, high_contrast: bool) -> Colours:
    """What stands in for the colours of `style` in this palette."""
    return {**PALETTES[Palette(palette)], **(HIGH_CONTRAST if high_contrast else {})}
