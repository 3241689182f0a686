"""`pi-table colours`: how far apart the identities' colours are, for eyes of each kind."""

from typing import Final

from pi_table.colour.least import least_distance
from pi_table.colour.palettes import Palette
from pi_table.colour.srgb import dimmed
from pi_table.colour.vision import Vision
from pi_table.console.schemes import identity_colours
from pi_table.lights.colours import PALETTES

ENOUGH: Final = 20.0
"""The CIEDE2000 distance from which colours are told apart without doubt."""
MADE_FOR: Final = {
    Palette.STANDARD: tuple(Vision),
    Palette.RED_GREEN: (Vision.NORMAL, Vision.PROTANOPIA, Vision.DEUTERANOPIA),
    Palette.BLUE_YELLOW: (Vision.NORMAL, Vision.TRITANOPIA),
}
"""The eyes that each palette is to serve by its colours alone."""


def table() -> str:
    """The least distance between two identities, by palette, by what is coloured, and by vision."""
    lines = [
        "Least CIEDE2000 distance between two identities; which two. From 20 on colour alone tells",
        "them apart. Shapes differ besides, everywhere; (-) is below 20 for eyes that the palette",
        "is not made for, and (!) for eyes that it is.",
        "",
        f"{'where':<9}{'palette':<13}{'what':<10}" + "".join(f"{each:<29}" for each in Vision),
    ]
    for palette in Palette:
        for where, of in (("console", identity_colours(palette)), ("lights", _of_lights(palette))):
            for what, colours in of.items():
                found = (_told(least_distance(colours, each), palette, each) for each in Vision)
                lines.append(f"{where:<9}{palette:<13}{what:<10}" + "".join(found))
    return "\n".join(line.rstrip() for line in lines)


def _of_lights(palette: Palette) -> dict[str, dict[str, int]]:
    """The colours of the lights, in full and at a third of their light."""
    own = PALETTES[palette]
    full = {"RED": own.red, "BLUE": own.blue, "BYSTANDER": own.harmless, "ASSASSIN": own.fatal}
    return {"full": full, "dimmed": {name: dimmed(of, 1 / 3) for name, of in full.items()}}


def _told(least: tuple[float, str, str], palette: Palette, vision: Vision) -> str:
    distance, one, other = least
    flag = ""
    if distance < ENOUGH:
        flag = " (!)" if vision in MADE_FOR[palette] else " (-)"
    return f"{f'{distance:.1f} {one.lower()}, {other.lower()}{flag}':<29}"
