"""The few movements that scenes are made of: time in, a share of light out.

``t`` is in seconds since a movement began, or of the table's clock where it goes on for ever; what
comes out is from 0 to 1.
"""

import math


def rise(t: float, seconds: float) -> float:
    """From 0 to 1 within ``seconds``, slowly at both ends."""
    share = min(1.0, max(0.0, t / seconds))
    return share * share * (3.0 - 2.0 * share)


def fall(t: float, seconds: float) -> float:
    """From 1 to 0 within ``seconds``, slowly at both ends."""
    return 1.0 - rise(t, seconds)


def breath(t: float, period: float) -> float:
    """From 0 to 1 and back, once in a ``period``."""
    return 0.5 - 0.5 * math.cos(2 * math.pi * t / period)


def blink(t: float, period: float) -> bool:
    """On for the first half of each ``period``."""
    return t / period % 1.0 < 0.5


def band(where: float, front: float, width: float) -> float:
    """How brightly a band ``width`` wide shines at ``where``, when its middle is at ``front``; all
    three in millimetres."""
    off = abs(where - front) / width
    return 1.0 - off if off < 1.0 else 0.0


def turning(corner: int, turns: float) -> float:
    """How brightly a corner (0 … 3, clockwise) shines in a pair of opposite lights that has made so
    many ``turns``."""
    across = math.cos(math.pi / 2 * corner - 2 * math.pi * turns)
    return across * across


def running(corner: int, turns: float) -> float:
    """How brightly a corner (0 … 3, clockwise) shines when one light with a tail has run round so
    many ``turns``."""
    behind = (turns - corner / 4) % 1.0
    return max(0.0, 1.0 - 2.0 * behind)
