"""A search for the largest length at which a condition holds."""

from collections.abc import Callable


def largest(holds: Callable[[float], bool], low: float, high: float, step: float) -> float:
    """Return the largest ``low`` plus a multiple of ``step``, below ``high``, at which ``holds`` is
    true.

    ``holds`` must be true at ``low``. Above the first length at which ``holds`` is false, it must
    stay false.
    """
    good, bad = 0, round((high - low) / step)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(low + middle * step) else (good, middle)
    return low + good * step
