"""Judges whether two words are kin, by a logistic regression. The regression learns from word
families that people wrote."""

from collections.abc import Iterable

import msgspec
import numpy as np

ROUNDS = 30
"""Number of steps of Newton's method; a dozen steps are enough."""
RIDGE = 1e-2

Features = list[float]


class Judge(msgspec.Struct, frozen=True):
    """A fitted regression: a weight for each feature of a pair of words."""

    weights: tuple[float, ...]

    def chance(self, features: Features) -> float:
        """Return the probability (0 to 1) that a pair of words with these features is kin."""
        return float(1 / (1 + np.exp(-np.dot(features, self.weights))))


def fit(examples: Iterable[tuple[Features, bool]]) -> Judge:
    """Return the judge whose probabilities agree best with the examples."""
    examples = list(examples)
    given = np.array([features for features, _ in examples], float)
    wanted = np.array([is_kin for _, is_kin in examples], float)
    weights = np.zeros(given.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (wanted - chance) - RIDGE * weights
        curve = (given * (chance * (1 - chance))[:, None]).T @ given
        weights = weights + np.linalg.solve(curve + RIDGE * np.eye(len(weights)), slope)
    return Judge(tuple(map(float, weights)))
