"""Faults of the wires: noise, drift, and touch chips that fail.

Each is a list of (seconds from its beginning, line for the world: firmware/model/README.md).
"""

from random import Random
from typing import Final, NamedTuple

from surface import PADS


class Trouble(NamedTuple):
    lines: list[tuple[float, str]]
    seconds: float
    spares: bool
    """True if fingers must be felt all the same."""


FELT_THROUGH: Final = 3.0
"""Counts of noise or hum through which a fingertip is to be felt."""
MAX_HUM_COUNTS: Final = 5.0
"""Counts. A pad whose fingertip is less than 5 times its noise, 3.2 counts, is none to begin with
(`pi-table calibrate` refuses it); this is half as much again."""
SLOWEST_HUM: Final = 1.25
"""Hertz: half a wave is as long as a hold."""


def noise(chance: Random, usual: float) -> Trouble:
    """Mains: hum as the filters leave it, from a slow beat to its full frequency, or mere noise.

    A beat that is slower than two holds, and swings from crest to trough by as much as a touch, is
    a touch, on the pad that it reaches first: those are left out.
    """
    seconds = chance.uniform(0.5, 10.0)
    if chance.random() < 0.3:
        counts = chance.uniform(0.3, 3.0)
        lines = [(0.0, f"noise {counts:.2f}"), (seconds, f"noise {usual:.2f}")]
        return Trouble(lines, seconds, counts < FELT_THROUGH / 2)
    hertz = chance.choice((0.05, 0.3, 1.0, 4.0, 50.0)) * chance.uniform(0.7, 1.5)
    counts = chance.uniform(0.5, MAX_HUM_COUNTS if hertz > SLOWEST_HUM else 3.0)
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
            # It is tried again after 10 ms, 20 ms and so on: 9 times take some 5 s.
            lines = [(0.0, f"chip {number} nack {chance.randint(1, 9)}")]
            seconds = 5.0
        case "nacks":
            lines = [(0.0, f"chip {number} nack -"), (seconds, f"chip {number} nack 0")]
        case "flip":
            lines = [(0.0, f"chip {number} flip {chance.randint(1, 60)}")]
        case "hold":
            lines = [(0.0, f"chip {number} hold {1000 * seconds:.0f}")]
        case what:
            lines = [(0.0, f"chip {number} {what}")]
    return Trouble(lines, seconds, spares=False)
