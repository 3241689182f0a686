"""Voltage losses and currents in the wires from the supply to the lights.

A loss includes both ways: the 5 V wire to the light and the ground wire back. The two wires run
side by side, so each link has one resistance, the sum of both wires.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Network:
    """A chain of tiles. Some of the tiles have a feed, which is a wire from the supply."""

    tiles: tuple[str, ...]
    """Names of the tiles in the order of the chain."""
    links: tuple[float, ...]
    """Resistance in ohms from each tile to the next."""
    feeds: Mapping[str, float]
    """Resistance in ohms from the supply to each tile with a feed."""

    def losses(self) -> list[list[float]]:
        """Return a matrix in ohms. The value in row i, column j is the loss in volts at tile i for
        each ampere that tile j takes."""
        size = len(self.tiles)
        matrix = [[0.0] * size for _ in range(size)]
        for at, ohms in enumerate(self.links):
            for one, other in ((at, at + 1), (at + 1, at)):
                matrix[one][one] += 1 / ohms
                matrix[one][other] -= 1 / ohms
        for place, ohms in self.feeds.items():
            at = self.tiles.index(place)
            matrix[at][at] += 1 / ohms
        return _inverse(matrix)

    def without(self, place: str) -> "Network":
        """Return a copy of the network in which the feed of this tile is broken."""
        feeds = {name: ohms for name, ohms in self.feeds.items() if name != place}
        return Network(self.tiles, self.links, feeds)


def worst_loss(
    losses: Sequence[Sequence[float]], idle: Sequence[float], most: Sequence[float], cap: float
) -> float:
    """Return the greatest loss of a tile in volts.

    Each tile takes at least its ``idle`` and at most its ``most`` amperes; all tiles together take
    at most ``cap`` amperes. Each tile's loss is calculated for the lights that are worst for this
    tile.
    """
    return max(_dearest(row, idle, most, cap) for row in losses)


def worst_currents(
    network: Network, idle: Sequence[float], most: Sequence[float], cap: float
) -> dict[str, float]:
    """Return the greatest current in amperes of each feed and each link, with the lights that are
    worst for it. All tiles together take at most ``cap`` amperes.

    The key of a feed is the name of its tile. The key of a link is the name of its first tile,
    followed by `>`.
    """
    losses = network.losses()
    worst = {}
    for place, ohms in network.feeds.items():
        at = network.tiles.index(place)
        worst[place] = _dearest([loss / ohms for loss in losses[at]], idle, most, cap)
    for at, ohms in enumerate(network.links):
        flow = [(one - other) / ohms for one, other in zip(losses[at + 1], losses[at], strict=True)]
        ways = (flow, [-each for each in flow])
        worst[network.tiles[at] + ">"] = max(_dearest(way, idle, most, cap) for way in ways)
    return worst


def _dearest(
    weights: Sequence[float], idle: Sequence[float], most: Sequence[float], cap: float
) -> float:
    """Return the greatest possible sum of weight × current. Each tile has at least its idle
    current; the rest of the cap goes to the tiles with the greatest weights."""
    total = sum(weight * each for weight, each in zip(weights, idle, strict=True))
    left = cap - sum(idle)
    for at in sorted(range(len(weights)), key=lambda at: -weights[at]):
        if left <= 0 or weights[at] <= 0:
            break
        more = min(left, most[at] - idle[at])
        total += weights[at] * more
        left -= more
    return total


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of the matrix, by Gauss-Jordan elimination. The matrix of a network with
    at least one feed is invertible."""
    size = len(matrix)
    rows = [
        [*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)
    ]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [each / rows[at][at] for each in rows[at]]
        for other in range(size):
            if other != at:
                share = rows[other][at]
                rows[other] = [a - share * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
