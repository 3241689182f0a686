"""`pi-table colours`: the distances between the identities' colours, for each kind of colour
vision."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from pi_table.common.palettes import Palette
from pi_table.devices.lights.colours import PALETTES
from pi_table.lab.seeing.difference import least_distance
from pi_table.lab.seeing.lights import MIN_DISTANCE, MOTIONS, pairs
from pi_table.lab.seeing.srgb import dim_light
from pi_table.lab.seeing.vision import Vision
from pi_table.screens.console.schemes import identity_colours

MADE_FOR: Final = {
    Palette.STANDARD: tuple(Vision),
    Palette.RED_GREEN: (Vision.NORMAL, Vision.PROTANOPIA, Vision.DEUTERANOPIA),
    Palette.BLUE_YELLOW: (Vision.NORMAL, Vision.TRITANOPIA),
}
"""The kinds of colour vision for which a palette's colours alone must be sufficient."""


def table() -> str:
    lines = [
        "Least CIEDE2000 distance between two identities; which two. From 20 on colour alone tells",
        "them apart. Shapes differ besides, everywhere. Below 20 there is a mark:",
        "(-)  for eyes that the palette is not made for: choose another palette",
        "(~)  lights, for eyes that it is made for: their shapes and motions tell them apart, as",
        "     the list at the end says",
        "(!)  the hidden screen, for eyes that it is made for: a fault",
        "",
        f"{'where':<9}{'palette':<13}{'what':<10}" + "".join(f"{each:<29}" for each in Vision),
    ]
    for palette in Palette:
        for where, of in (("console", identity_colours(palette)), ("lights", _of_lights(palette))):
            for what, colours in of.items():
                own = " (~)" if where == "lights" else " (!)"
                marks = (own if each in MADE_FOR[palette] else " (-)" for each in Vision)
                found = map(
                    _format_distance, (least_distance(colours, each) for each in Vision), marks
                )
                lines.append(f"{where:<9}{palette:<13}{what:<10}" + "".join(found))
    lines += ["", *_lights_that_shapes_tell_apart()]
    return "\n".join(line.rstrip() for line in lines)


def _lights_that_shapes_tell_apart() -> Iterator[str]:
    yield "Lights whose colours are below 20, and what tells them apart besides: how differently"
    yield "their four corners shine in grey (0 to 1), and how each moves."
    for palette, vision in product(Palette, Vision):
        for pair in pairs(palette, vision):
            if 0.0 < pair.colours < MIN_DISTANCE:
                one, other = pair.one.value, pair.other.value
                moves = f"{one} {MOTIONS[pair.one]}, {other} {MOTIONS[pair.other]}"
                yield (
                    f"{palette:<13}{vision:<14}{'full' if pair.share == 1.0 else 'dimmed':<8}"
                    f"{pair.colours:5.1f} shapes {pair.shapes:.2f}  {moves}"
                )


def _of_lights(palette: Palette) -> dict[str, dict[str, int]]:
    """Return the lights' colours, at full light and at a third."""
    own = PALETTES[palette]
    full = {"RED": own.red, "BLUE": own.blue, "BYSTANDER": own.harmless, "ASSASSIN": own.fatal}
    return {"full": full, "dimmed": {name: dim_light(of, 1 / 3) for name, of in full.items()}}


def _format_distance(least: tuple[float, str, str], mark: str) -> str:
    distance, one, other = least
    flag = mark if distance < MIN_DISTANCE else ""
    return f"{f'{distance:.1f} {one.lower()}, {other.lower()}{flag}':<29}"
