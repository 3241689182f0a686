"""Colours that replace the colours of `style`: for other palettes, and for high contrast."""

from collections.abc import Mapping
from typing import Final

from pi_table.common.palettes import Palette
from pi_table.games.rules.word_games.key import Identity
from pi_table.screens.console import style
from pi_table.screens.console.shapes import Colour
from pi_table.screens.console.symbols import COLOURS

Colours = Mapping[Colour, Colour]

PALETTES: Final[dict[Palette, Colours]] = {
    Palette.STANDARD: {},
    Palette.RED_GREEN: {
        style.RED: 0xF95E49,
        style.RED_DEEP: 0x643600,
        style.RED_DIM: 0xF66800,
        style.BLUE_DEEP: 0x053E8D,
        style.BLUE_DIM: 0x2F78D1,
        style.SAND: 0xFFF0A2,
        style.SAND_DEEP: 0x686769,
        style.SAND_DIM: 0x646361,
        style.WHITE_DIM: 0xAEAEAE,
    },
    Palette.BLUE_YELLOW: {
        style.RED: 0xFF3731,
        style.RED_DEEP: 0x530002,
        style.RED_DIM: 0xD81620,
        style.BLUE_DIM: 0x3B78C8,
        style.SAND: 0xC1A87E,
        style.SAND_DEEP: 0x5A5548,
        style.SAND_DIM: 0x676559,
        style.WHITE_DIM: 0xB0B0B0,
    },
}
HIGH_CONTRAST: Final[Colours] = {
    style.GROUND: 0x000000,
    style.SURFACE: 0x0C0E12,
    style.RAISED: 0x1A1F27,
    style.EDGE: 0x6C7587,
    style.INK: 0xFFFFFF,
    style.SOFT: 0xE2E6EC,
    style.FAINT: 0xA8B0BC,
    style.ACCENT: 0xFFD84A,
    style.ON_ACCENT: 0x000000,
}


def colours_of(palette: str, high_contrast: bool) -> Colours:
    """Return the colours that replace the colours of `style`, for a palette and a contrast."""
    return {**PALETTES[Palette(palette)], **(HIGH_CONTRAST if high_contrast else {})}


def identity_colours(palette: Palette) -> Mapping[str, Mapping[str, Colour]]:
    """Return the colours of grounds, signs and covered cells, each by the identity's name. Decoy
    and nuke are missing: they have the colours of bystander and assassin, and differ only in shape.
    """
    stands_in = PALETTES[palette]
    own = {each: COLOURS[each] for each in Identity if each not in (Identity.DECOY, Identity.NUKE)}
    return {
        "grounds": {each.name: stands_in.get(of.deep, of.deep) for each, of in own.items()},
        "signs": {each.name: stands_in.get(of.bright, of.bright) for each, of in own.items()},
        "covered": {each.name: stands_in.get(of.dim, of.dim) for each, of in own.items()},
    }
