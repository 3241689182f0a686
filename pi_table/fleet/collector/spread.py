"""The spread of many values: their median, percentiles and histogram."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

Values = Iterable[tuple[float, int]]
"""Different values in ascending order, each with the number of times that it occurs."""


class Spread(msgspec.Struct, frozen=True):
    count: int = 0
    """Number of values."""
    median: float | None = None
    """None if there is no value."""
    tenths: tuple[float, float] | None = None
    """The 10th and the 90th percentile; None if there are fewer than two values."""
    bins: Mapping[int, int] = {}
    """Number of values in each bin of the histogram. Bin 0 begins with the value 0."""


NO_VALUES: Final = Spread()


def spread_of(values: Values, count: int, step: int = 1) -> Spread:
    """Return the spread of values, of which there are ``count`` in total. A bin is ``step`` wide.

    Median and percentiles are those of `statistics`, which needs all values in a list. Here only
    the values of a few ranks are kept.
    """
    if not count:
        return NO_VALUES
    # Step 1: find the ranks, from 0, of the values that decide.
    middle = (count - 1) // 2, count // 2
    (short, above_short), (long, above_long) = (divmod(at * (count - 1), 10) for at in (1, 9))
    wanted = sorted({*middle, short, short + 1, long, long + 1}, reverse=True)
    # Step 2: count the values up to each rank.
    kept: dict[int, float] = {}
    bins: Counter[int] = Counter()
    reached = 0
    for value, times in values:
        bins[int(value // step)] += times
        reached += times
        while wanted and wanted[-1] < reached:
            kept[wanted.pop()] = value
    # Step 3: interpolate between two ranks.
    lower, upper = (kept[rank] for rank in middle)
    median = upper if middle[0] == middle[1] else (lower + upper) / 2
    if count == 1:
        return Spread(count, median, None, bins)

    def between(rank: int, tenths: int) -> float:
        return (kept[rank] * (10 - tenths) + kept[rank + 1] * tenths) / 10

    return Spread(count, median, (between(short, above_short), between(long, above_long)), bins)
