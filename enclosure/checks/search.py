"""A search for the largest length at which a condition holds."""

from collections.abc import Callable


def largest(holds: Callable[[float], bool], low: float, high: float, step: float) -> float:
    """Return the largest value low + n × ``step`` below ``high`` for which ``holds`` is true.

    ``holds`` must be true for ``low``. If it is false for a value, it must be false for all larger
    values, because this is a binary search.
    """
    good, bad = 0, round((high - low) / step)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(low + middle * step) else (good, middle)
    return low + good * step
