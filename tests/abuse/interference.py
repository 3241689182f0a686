"""Interference from the neighbourhood: mains, motors, dimmers, chargers, phones, wet cloths.

Noise is given to the world as in firmware/model/README.md: in counts before the touch chip's
filters, which reduce it.
"""

import math
from collections.abc import Callable
from random import Random
from typing import Final

from hands import Course, anywhere, near, steps, still
from surface import COUNTS_PER_MM2, GROUNDED, PADS, Body, Capsule, Ellipse, disc, floating
from trouble import FELT_THROUGH, Trouble

CHARGES: Final = 10
APART: Final = 2e-6
"""Charges of a channel for one sample, and the seconds between them (set by the firmware)."""
SAMPLES: Final = 4
"""Of which a value is the mean."""


def left_of(counts: float, hertz: float) -> float:
    """Return the largest height of a rectangular wave of so many counts behind the first filter,
    the chip's mean over charges."""

    def kept(hertz: float) -> float:
        half = math.pi * hertz * APART
        return abs(math.sin(CHARGES * half) / (CHARGES * math.sin(half)))

    return counts * (kept(hertz) + kept(3.0 * hertz) / 3.0)


def mains(chance: Random, usual: float) -> Trouble:
    """A cable without earth under the table, or a lamp that somebody has a hand on: the mains with
    their harmonics, at all pads or through fingers alone."""
    seconds = chance.uniform(0.5, 10.0)
    hertz = chance.choice((50.0, 60.0)) * chance.uniform(0.998, 1.002)
    counts = 10 ** chance.uniform(0.0, 1.8)
    if chance.random() < 0.5:
        said = f"hum {counts:.2f} {hertz:.4f} {chance.uniform(0.0, 0.4):.2f} 0.1"
        return Trouble([(0.0, said), (seconds, "hum 0 0")], seconds, counts < FELT_THROUGH / 1.5)
    said = f"common {counts:.2f} {hertz:.4f}"
    return Trouble([(0.0, said), (seconds, "common 0 0")], seconds, counts < FELT_THROUGH / 1.5)


def motor(chance: Random, usual: float) -> Trouble:
    """A vacuum cleaner, a coffee grinder, a dimmed lamp: bursts of everything, at a few pads more
    than at the others."""
    seconds = chance.uniform(0.5, 10.0)
    dimmer = chance.random() < 0.3
    hertz = chance.choice((100.0, 120.0)) if dimmer else 10 ** chance.uniform(-0.3, 2.3)
    length = min(10 ** chance.uniform(1.7, 5.5), 0.9e6 / hertz)
    counts = 10 ** chance.uniform(0.3, 2.3)
    lines = [(0.0, f"bursts {counts:.1f} {hertz:.2f} {length:.0f}"), (seconds, "bursts 0 0 0")]
    return Trouble(lines, seconds, counts < FELT_THROUGH)


def charger(chance: Random, usual: float) -> Trouble:
    """A charger whose noise reaches the table's ground: most of it is felt where a finger is. Its
    frequency is steady, or swings."""
    seconds = chance.uniform(0.5, 10.0)
    hertz = chance.uniform(100e3, 300e3)
    if chance.random() < 0.3:  # as the chip's samples are apart, or nearly so: a slow beat
        hertz = 1000.0 * round(hertz / 1000.0) + chance.uniform(-5.0, 5.0)
    swing = 0.0 if chance.random() < 0.3 else 10 ** chance.uniform(0.0, 4.0)
    counts = 10 ** chance.uniform(0.5, 2.5)
    lines = [(0.0, f"common {counts:.1f} {hertz:.2f} {swing:.1f}"), (seconds, "common 0 0")]
    return Trouble(lines, seconds, left_of(counts, hertz) < FELT_THROUGH / 1.5)


def warmth(chance: Random, usual: float) -> Trouble:
    """The sun comes out, or the heating goes on: all pads drift, each a little otherwise."""
    seconds = chance.uniform(2.0, 15.0)
    counts = chance.choice((-1, 1)) * chance.uniform(2.0, 40.0)
    lines = [(0.0, f"warmth {counts:.1f} {chance.uniform(20.0, 300.0):.0f}")]
    return Trouble(lines, seconds, spares=True)


def phone(chance: Random) -> Course:
    """A phone is put down, lies there, perhaps is pushed, and is taken again. It floats, or is at
    ground by its cable; its back is of metal or glass."""
    x, y = anywhere(chance, 20.0)
    angle, contact = chance.uniform(0.0, math.pi), chance.uniform(0.3, 1.0)
    plugged = chance.random() < 0.3

    def lying(share: float, held: bool) -> list[Body]:
        over, down = 45.0 * math.cos(angle), 45.0 * math.sin(angle)
        shape = Capsule(x - over, y - down, x + over, y + down, 34.0)
        if held or plugged:
            return [Body(shape, contact * share, GROUNDED)]
        return [floating(shape, contact * share)]

    for share in steps(chance.uniform(0.05, 0.4)):
        yield lying(share, True)
    for _ in range(chance.choice((1, 1, 2))):
        yield from still(lying(1.0, False), chance.uniform(0.5, 8.0))
        x, y = near(chance, (x, y), 10.0)
        yield from still(lying(1.0, True), chance.uniform(0.1, 0.6))
    for share in steps(chance.uniform(0.05, 0.4)):
        yield lying(1.0 - share, True)


def phone_calls(chance: Random, usual: float) -> Trouble:
    """Draw a phone's interference: a call, or the noise of a charger through its cable."""
    if chance.random() < 0.5:
        counts = 10 ** chance.uniform(0.0, 2.0)
        return Trouble([(0.0, f"tdma {counts:.1f}"), (6.0, "tdma 0")], 6.0, spares=False)
    return charger(chance, usual)


def hand_above(chance: Random) -> Course:
    """A hand is kept just above a place, without touching it: less than a touch, but noise comes
    through it."""
    pad = chance.choice([*PADS.values()])
    shape = disc(*near(chance, pad.middle, 5.0), chance.uniform(10.0, 20.0))
    contact = chance.uniform(2.5, 4.5) / (COUNTS_PER_MM2 * shape.area)
    yield from (
        [Body(shape, contact * share)]
        for share in (*steps(0.3), *(1.0 for _ in steps(chance.uniform(3.0, 8.0))))
    )


def mains_through_people(chance: Random, usual: float) -> Trouble:
    """Somebody has a laptop on the knees whose charger has no earth."""
    hertz = chance.choice((50.0, 60.0)) * chance.uniform(0.998, 1.002)
    lines = [(0.0, f"common {chance.uniform(30.0, 120.0):.1f} {hertz:.4f}"), (8.0, "common 0 0")]
    return Trouble(lines, 8.0, spares=False)


def wet_cloth(chance: Random) -> Course:
    """A soaked cloth is laid down, drawn over the table by a hand, or lies there and moves; it
    leaves a film, which dries."""
    x, y = anywhere(chance)
    along, across = chance.uniform(50.0, 150.0), chance.uniform(30.0, 90.0)
    angle, contact = chance.uniform(0.0, math.pi), chance.uniform(0.5, 1.0)
    for share in steps(chance.uniform(0.05, 0.3)):
        yield [Body(Ellipse(x, y, along, across, angle), contact * share, GROUNDED)]
    for _ in range(chance.randint(1, 5)):
        to_x, to_y = near(chance, (x, y), 120.0)
        from_x, from_y = x, y
        held = chance.random() < 0.7
        for share in steps(math.dist((x, y), (to_x, to_y)) / chance.uniform(80.0, 800.0)):
            x, y = from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share
            shape = Ellipse(x, y, along, across, angle)
            yield [Body(shape, contact, GROUNDED) if held else floating(shape, contact)]
        resting = floating(Ellipse(x, y, along, across, angle), contact)
        yield from still([resting], chance.uniform(0.0, 1.0))
    for gone in steps(chance.uniform(0.5, 6.0)):
        film = chance.uniform(0.0, 0.02) + 0.15 * (1.0 - gone)
        yield [floating(Ellipse(x, y, along, across, angle), film)]


BODIES: Final[dict[str, Callable[[Random], Course]]] = {
    "phone": phone,
    "wet cloth": wet_cloth,
    "hand above": hand_above,
}
TROUBLES: Final[dict[str, Callable[[Random, float], Trouble]]] = {
    "mains": mains,
    "motor": motor,
    "charger": charger,
    "warmth": warmth,
}
BESIDE: Final[dict[str, Callable[[Random, float], Trouble]]] = {
    "phone": phone_calls,
    "hand above": mains_through_people,
}
"""The noise that passes through a body of this kind while it is there."""
