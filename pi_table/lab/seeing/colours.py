"""`pi-table colours`: how different the identities' colours and the teams' lights look with each
kind of colour vision."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from pi_table.common.palettes import Palette
from pi_table.devices.lights.colours import PALETTES
from pi_table.devices.lights.picture import Look
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.difference import distance, hue_between, least_distance
from pi_table.lab.seeing.lights import DIMMED, MIN_DISTANCE, MOTIONS, pairs
from pi_table.lab.seeing.one_light import moves_apart, one_light_pairs, swing
from pi_table.lab.seeing.srgb import dim_light
from pi_table.lab.seeing.team_lights import neutral_light, team_lights
from pi_table.lab.seeing.vision import Vision, simulate_vision
from pi_table.screens.console.schemes import identity_colours

MADE_FOR: Final = {
    Palette.STANDARD: tuple(Vision),
    Palette.RED_GREEN: (Vision.NORMAL, Vision.PROTANOPIA, Vision.DEUTERANOPIA),
    Palette.BLUE_YELLOW: (Vision.NORMAL, Vision.TRITANOPIA),
}
"""For each palette, the kinds of colour vision for which it must make all identities look
different."""


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
    lines += ["", *_lights_that_shapes_tell_apart(), "", *_one_light_a_cell()]
    lines += ["", *_grounds_and_scenes()]
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


def _one_light_a_cell() -> Iterator[str]:
    yield "With one light a cell (layout string-100) only the mean of the corners is left, and no"
    yield "shape. Least distance between two identities of one game at rest; which two."
    yield f"{'palette':<13}{'light':<8}" + "".join(f"{each:<29}" for each in Vision)
    for palette, share in product(Palette, (1.0, DIMMED)):
        marks = (" (~)" if each in MADE_FOR[palette] else " (-)" for each in Vision)
        line = f"{palette:<13}{'full' if share == 1.0 else 'dimmed':<8}"
        for vision, mark in zip(Vision, marks, strict=True):
            least = min(one_light_pairs(palette, vision, share), key=lambda pair: pair.colours)
            found = (least.colours, least.one.value, least.other.value)
            line += _format_distance(found, mark)
        yield line
    yield from _one_light_that_motion_tells_apart()
    yield "How far the motion of the one light goes, as a share of its brightest moment (at 0 it"
    yield "rests, and only its colour tells):"
    for palette in Palette:
        moves = (f"{each.value} {swing(each, palette):.2f}" for each in Identity)
        yield f"{palette:<13}{', '.join(moves)}"


def _one_light_that_motion_tells_apart() -> Iterator[str]:
    yield "The nearer pairs of that, for the eyes that the palette is made for, and how each moves"
    yield "(at rest 0). Marked (!): both rest or move alike, so that nothing tells them apart."
    for palette, share in product(Palette, (1.0, DIMMED)):
        for vision in MADE_FOR[palette]:
            for pair in one_light_pairs(palette, vision, share):
                if pair.colours < MIN_DISTANCE:
                    moves = (
                        f"{each.value} {MOTIONS[each]} {swing(each, palette):.2f}"
                        for each in (pair.one, pair.other)
                    )
                    flag = "" if moves_apart(pair, palette) else " (!)"
                    light = "full" if share == 1.0 else "dimmed"
                    yield (
                        f"{palette:<13}{vision:<14}{light:<8}{pair.colours:5.1f}  "
                        f"{', '.join(moves)}{flag}"
                    )


def _grounds_and_scenes() -> Iterator[str]:
    """Yield a text that explains the printed table, then a line for each ground and scene, in full
    light and dimmed."""
    yield "Grounds and scenes of the teams: the mean light of the uncovered cells, as LEDs show it."
    yield "hue: degrees between that light and the team's colour, for red and for blue"
    yield "For each kind of eyes: the CIEDE2000 distance between red's light and blue's, and in"
    yield "brackets the distances of both from warm ground. At 0 both teams look the same."
    eyes = "".join(f"{each:<15}" for each in Vision)
    yield f"{'what':<20}{'palette':<13}{'light':<8}{'hue':<10}{eyes}"
    for palette, share in product(Palette, (1.0, DIMMED)):
        look, own = Look(palette, share), PALETTES[palette]
        neutral = neutral_light(look)
        both = zip(team_lights(Team.RED, look), team_lights(Team.BLUE, look), strict=True)
        for red, blue in both:
            hues = f"{hue_between(red.mean, own.red):.0f}, {hue_between(blue.mean, own.blue):.0f}"
            line = f"{red.name:<20}{palette:<13}{'full' if share == 1.0 else 'dimmed':<8}{hues:<10}"
            for vision in Vision:
                one, other, ground = (
                    simulate_vision(each, vision) for each in (red.mean, blue.mean, neutral)
                )
                apart = f"{distance(one, ground):.0f}, {distance(other, ground):.0f}"
                line += f"{f'{distance(one, other):.0f} ({apart})':<15}"
            yield line


def _of_lights(palette: Palette) -> dict[str, dict[str, int]]:
    """Return the colours of the lights by identity: in full light, and dimmed to a third."""
    own = PALETTES[palette]
    full = {"RED": own.red, "BLUE": own.blue, "BYSTANDER": own.harmless, "ASSASSIN": own.fatal}
    return {"full": full, "dimmed": {name: dim_light(of, 1 / 3) for name, of in full.items()}}


def _format_distance(least: tuple[float, str, str], mark: str) -> str:
    distance, one, other = least
    flag = mark if distance < MIN_DISTANCE else ""
    return f"{f'{distance:.1f} {one.lower()}, {other.lower()}{flag}':<29}"
