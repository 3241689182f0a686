"""How identities look in a cell with only one light, which shows the mean of the four corners. Only
colour and brightness remain of an identity's colour, shape and motion."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec

from pi_table.common.palettes import Palette
from pi_table.devices.hal.led_curve import colour_of_pulses, pulses_of_colour
from pi_table.devices.hal.strip import mean_of
from pi_table.devices.lights.colours import PALETTES, dim
from pi_table.devices.lights.identities import corners
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.difference import distance
from pi_table.lab.seeing.lights import MOTIONS
from pi_table.lab.seeing.srgb import luminance
from pi_table.lab.seeing.vision import Vision, simulate_vision

CYCLE_SECONDS: Final = 8.0
"""Seconds in which every motion completes a cycle, or nearly."""
MIN_SWING: Final = 0.3
"""Minimum motion of a light that people notice, as a share of its brightest moment (estimated)."""
STEP_SECONDS: Final = 0.05
TOGETHER: Final = (
    (Identity.RED, Identity.BLUE, Identity.BYSTANDER, Identity.ASSASSIN),
    (Identity.RED, Identity.BLUE, Identity.DECOY, Identity.NUKE),
)
"""Groups of identities that may be seen in the same game."""


class OnePair(msgspec.Struct, frozen=True):
    """Two identities that may be seen in the same game, compared on cells with only one light."""

    one: Identity
    other: Identity
    colours: float
    """CIEDE2000 distance of the lights at rest, as seen with one kind of colour vision."""


def one_light(identity: Identity, palette: Palette, now: float, still: bool = False) -> int:
    """Return the colour of a cell's only light for this identity, without motion if ``still``."""
    face = corners(identity, PALETTES[palette], now, still)
    return colour_of_pulses(mean_of([pulses_of_colour(corner) for corner in face]))


def one_light_pairs(palette: Palette, vision: Vision, share: float) -> Iterator[OnePair]:
    """Yield a comparison of each pair of identities, at this share of full light (0 … 1)."""
    for one, other in dict.fromkeys(pair for of in TOGETHER for pair in combinations(of, 2)):
        first, second = (
            simulate_vision(dim(one_light(each, palette, 0.0, still=True), share), vision)
            for each in (one, other)
        )
        yield OnePair(one, other, distance(first, second))


def moves_apart(pair: OnePair, palette: Palette) -> bool:
    """True if motion distinguishes the two lights: they move in different ways, and their swings
    differ by `MIN_SWING` or both reach it."""
    first, second = swing(pair.one, palette), swing(pair.other, palette)
    if MOTIONS[pair.one] == MOTIONS[pair.other]:
        return False
    return abs(first - second) >= MIN_SWING or min(first, second) >= MIN_SWING


def swing(identity: Identity, palette: Palette) -> float:
    """Return how much a cell's only light changes in brightness, as a share of its brightest moment
    (0 … 1). At 0 the light seems to rest."""
    moments = range(round(CYCLE_SECONDS / STEP_SECONDS))
    levels = [luminance(one_light(identity, palette, each * STEP_SECONDS)) for each in moments]
    return 1.0 - min(levels) / max(levels)
