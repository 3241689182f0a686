"""What the wires do: noise, drift, and touch chips that fail; lines for the world, with their times.

A course here is a list of (seconds from its beginning, line of firmware/model/README.md).
"""

from random import Random
from typing import Final, NamedTuple

from surface import PADS


class Trouble(NamedTuple):
    lines: list[tuple[float, str]]
    seconds: float
    spares: bool
    """Are fingers to be felt all the same?"""


FELT_THROUGH: Final = 3.0
"""Counts of noise or hum through which a fingertip is to be felt."""


def noise(chance: Random, usual: float) -> Trouble:
    """Mains: hum as the filters leave it, from a slow beat to its full frequency, or mere noise."""
    seconds = chance.uniform(0.5, 10.0)
    counts = chance.uniform(0.5, 10.0)
    if chance.random() < 0.3:
        counts *= 0.3
        lines = [(0.0, f"noise {counts:.2f}"), (seconds, f"noise {usual:.2f}")]
        return Trouble(lines, seconds, counts < FELT_THROUGH / 2)
    hertz = chance.choice((0.05, 0.3, 1.0, 4.0, 50.0)) * chance.uniform(0.7, 1.5)
    lines = [(0.0, f"hum {counts:.2f} {hertz:.3f}"), (seconds, "hum 0 0")]
    return Trouble(lines, seconds, counts < FELT_THROUGH)


def drift(chance: Random, usual: float) -> Trouble:
    """The table warms up or cools down, everywhere or under one pad, by up to half a count a
    second: two fingertips in a minute."""
    seconds = chance.uniform(2.0, 15.0)
    rate = 10 ** chance.uniform(-2.0, -0.3) * chance.choice((-1, 1))
    pad = chance.choice(("all", chance.choice([*PADS])))
    lines = [(0.0, f"drift {pad} {rate:.3f}"), (seconds, f"drift {pad} 0")]
    return Trouble(lines, seconds, spares=True)


def chip(chance: Random, usual: float) -> Trouble:
    """A touch chip browns out, stops, does not answer, answers wrongly, or holds the bus."""
    number = chance.randrange(3)
    seconds = chance.uniform(0.05, 3.0)
    match chance.choice(("brown-out", "over-current", "nack", "nacks", "flip", "hold")):
        case "nack":
            lines = [(0.0, f"chip {number} nack {chance.randint(1, 60)}")]
        case "nacks":
            lines = [(0.0, f"chip {number} nack -"), (seconds, f"chip {number} nack 0")]
        case "flip":
            lines = [(0.0, f"chip {number} flip {chance.randint(1, 60)}")]
        case "hold":
            lines = [(0.0, f"chip {number} hold {1000 * seconds:.0f}")]
        case what:
            lines = [(0.0, f"chip {number} {what}")]
    return Trouble(lines, seconds, spares=False)
