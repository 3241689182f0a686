"""The largest of the lengths for which something holds."""

from collections.abc import Callable


def largest(holds: Callable[[float], bool], low: float, high: float, step: float) -> float:
    """The largest multiple of ``step`` from ``low``, below ``high``, for which ``holds`` is true.

    It has to be true of ``low``, and never again true above where it is false.
    """
    good, bad = 0, round((high - low) / step)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(low + middle * step) else (good, middle)
    return low + good * step
