"""Basic movements of light scenes: each function returns a brightness for a time.

``t`` is the time in seconds since a movement began; for endless movements it is the time of the
table's clock. Results are from 0 to 1.
"""

import math


def rise(t: float, seconds: float) -> float:
    """Return the brightness of a rise from 0 to 1, which is slow at both ends."""
    share = min(1.0, max(0.0, t / seconds))
    return share * share * (3.0 - 2.0 * share)


def fall(t: float, seconds: float) -> float:
    """Return the brightness of a fall from 1 to 0, which is slow at both ends."""
    return 1.0 - rise(t, seconds)


def breath(t: float, period: float) -> float:
    """Return the brightness of a wave from 0 to 1 and back, once in each ``period`` (seconds)."""
    return 0.5 - 0.5 * math.cos(2 * math.pi * t / period)


def blink(t: float, period: float) -> bool:
    """True in the first half of each ``period`` (seconds)."""
    return t / period % 1.0 < 0.5


def band(where: float, front: float, width: float) -> float:
    """Return the brightness that a band of light has at ``where``. The band is brightest at
    ``front``, and dark at a distance of ``width`` or more. All three are in millimetres."""
    off = abs(where - front) / width
    return 1.0 - off if off < 1.0 else 0.0


def turning(corner: int, turns: float) -> float:
    """Return the brightness of a corner (0 … 3, clockwise) while a lit pair of opposite corners
    goes round. ``turns`` is the number of turns that the pair has made."""
    across = math.cos(math.pi / 2 * corner - 2 * math.pi * turns)
    return across * across


def running(corner: int, turns: float) -> float:
    """Return the brightness of a corner (0 … 3, clockwise) while a light goes round. ``turns`` is
    the number of turns that the light has made. The sum of the four corners is constant, so a cell
    with one light does not flash."""
    share = 0.5 + 0.5 * math.cos(2 * math.pi * (turns - corner / 4))
    return share * share
