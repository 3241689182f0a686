"""Fairness of a generator of keys: six tests, each with a p-value, for six kinds of unfairness.

The keys are turned on their side: for each cell and letter there is one long integer, whose bit k
is set when key k has that letter there. A count is then an AND and a count of bits, which takes a
second for 200,000 keys.

Where several counts go into one p-value, it is that of the least likely of them times their number
(Bonferroni's bound). This holds for any dependence between them.
"""

from collections.abc import Callable, Iterable, Sequence
from math import erfc, exp, factorial, lgamma, log, sqrt

CELLS = 25
LETTERS = "rbna"
COUNTS = {"red": {"r": 9, "b": 8, "n": 7, "a": 1}, "blue": {"r": 8, "b": 9, "n": 7, "a": 1}}
KEYS_THERE_ARE = 2 * factorial(25) // (factorial(9) * factorial(8) * factorial(7))

NEIGHBOURS = [(cell, cell + 1) for cell in range(CELLS) if cell % 5 < 4] + [
    (cell, cell + 5) for cell in range(CELLS - 5)
]
SAME_UNDER_TWO_CELLS = (9 * 8 + 8 * 7 + 7 * 6) / (25 * 24)


def normal_p(z: float) -> float:
    """Return the two-sided probability that a standard normal value is at least this far from 0."""
    return erfc(abs(z) / sqrt(2))


def poisson_below(count: int, mean: float) -> float:
    """Return the probability that a Poisson variable of this mean, above 0, is below ``count``."""
    return sum(exp(i * log(mean) - mean - lgamma(i + 1)) for i in range(count))


def chi_square_p(value: float, degrees: int) -> float:
    """Return the probability that a chi-square value is at least ``value``, for even degrees.

    For an even number this is a sum of Poisson terms, exactly: Abramowitz and Stegun, Handbook of
    Mathematical Functions, 26.4.21.
    """
    assert degrees % 2 == 0
    return poisson_below(degrees // 2, value / 2)


class Sample:
    """Keys of one generator, in the order in which they came."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.size = len(keys)
        self.distinct = len(set(keys))
        text = "".join(keys)
        columns = [text[cell::CELLS] for cell in range(CELLS)]
        self.bits = {letter: [_bits(column, letter) for column in columns] for letter in LETTERS}
        starts = "".join("r" if key.count("r") == 9 else "b" for key in keys)
        self.starts = {"red": _bits(starts, "r"), "blue": _bits(starts, "b")}


def _bits(column: str, letter: str) -> int:
    digits = {ord(other): "1" if other == letter else "0" for other in LETTERS}
    return int(column.translate(digits), 2)


def starting_team(sample: Sample) -> float:
    """Red starts half of the games (binomial)."""
    red = sample.starts["red"].bit_count()
    return normal_p((red - sample.size / 2) / sqrt(sample.size / 4))


def identity_by_cell(sample: Sample) -> float:
    """Every cell has its share of each identity, among the keys with either starting team.

    In one key the counts of every letter are fixed, which ties the cells to one another: their
    covariance is 25/24 of that of free cells, and one degree is lost by cell as well as by letter.
    So 24/25 of the usual sum is chi-square with 24 · 3 degrees (for two letters: Cochran's Q).
    """
    value, degrees = 0.0, 0
    for team, starts in sample.starts.items():
        if games := starts.bit_count():
            degrees += (CELLS - 1) * (len(LETTERS) - 1)
            for letter, count in COUNTS[team].items():
                expected = games * count / CELLS
                for bits in sample.bits[letter]:
                    value += ((bits & starts).bit_count() - expected) ** 2 / expected
    return chi_square_p(value * (CELLS - 1) / CELLS, degrees)


def assassin_by_starting_team(sample: Sample) -> float:
    """The assassin is as likely in any cell, whoever starts (one place a key: multinomial)."""
    value, degrees = 0.0, 0
    for starts in sample.starts.values():
        if games := starts.bit_count():
            degrees += CELLS - 1
            expected = games / CELLS
            for bits in sample.bits["a"]:
                value += ((bits & starts).bit_count() - expected) ** 2 / expected
    return chi_square_p(value, degrees)


def neighbours(sample: Sample) -> float:
    """Two cells side by side are as often alike as any two are: in 17 of 60 keys (binomial)."""
    alike = [
        sum((bits[one] & bits[two]).bit_count() for bits in sample.bits.values())
        for one, two in NEIGHBOURS
    ]
    p = SAME_UNDER_TWO_CELLS
    deviation = sqrt(sample.size * p * (1 - p))
    return _least(normal_p((count - sample.size * p) / deviation) for count in alike)


def successive(sample: Sample) -> float:
    """A key tells nothing of the next: not the starting team, an identity, the assassin's cell."""
    half, agents = [1 / 2, 1 / 2], 17 / 50
    return _least(
        [
            _repetition_p(sample.size, list(sample.starts.values()), half),
            _repetition_p(sample.size, sample.bits["a"], [1 / CELLS] * CELLS),
            *(
                _repetition_p(sample.size, cell, [agents, agents, 7 / 25, 1 / 25])
                for cell in zip(*(sample.bits[letter] for letter in LETTERS), strict=True)
            ),
        ]
    )


def _repetition_p(size: int, values: Sequence[int], chances: Sequence[float]) -> float:
    """Return the p-value of the number of keys with the same value as the one before.

    ``values`` has the bits for each value, ``chances`` its probability. Two comparisons that share
    a key are not independent where the chances differ: both hold with the sum of their cubes.
    """
    count = sum((bits & bits >> 1).bit_count() for bits in values)
    once = sum(chance**2 for chance in chances)
    twice = sum(chance**3 for chance in chances)
    variance = (size - 1) * (once - once**2) + 2 * (size - 2) * (twice - once**2)
    return normal_p((count - (size - 1) * once) / sqrt(variance))


def repeats(sample: Sample) -> float:
    """No more keys come again than by chance (birthdays: the number is close to Poisson)."""
    pairs = sample.size * (sample.size - 1) / 2
    return max(0.0, 1 - poisson_below(sample.size - sample.distinct, pairs / KEYS_THERE_ARE))


def _least(p_values: Iterable[float]) -> float:
    found = list(p_values)
    return min(1.0, min(found) * len(found))


SUITE: dict[str, Callable[[Sample], float]] = {
    "starting team": starting_team,
    "identity by cell": identity_by_cell,
    "assassin by starting team": assassin_by_starting_team,
    "neighbours": neighbours,
    "successive keys": successive,
    "repeats": repeats,
}


def p_values(keys: Sequence[str]) -> dict[str, float]:
    """The p-value of each test of the suite for these keys, texts of 25 letters."""
    sample = Sample(keys)
    return {name: test(sample) for name, test in SUITE.items()}
