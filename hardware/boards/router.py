"""Draws the tracks and vias of nets. It searches the cheapest path for one connection after
another, on a grid of two layers.

All copper counts as boxes: a track counts as a row of small boxes. If the router finds no path for
a net, it moves this net to the front of the queue and draws all nets again. The same input gives
the same tracks.
"""

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hardware.boards.board import Layer, Point, Track, Via

WIDTH: Final = 0.3
"""Width of a track in mm."""
CLEARANCE: Final = 0.25
"""Minimum distance in mm between the copper of two nets."""
VIA: Final = 0.7
"""Diameter of a via's copper in mm."""
EDGE: Final = 0.6
"""Minimum distance in mm from copper to the board's edge."""
VIA_COST: Final = 12.0
"""Cost of a via, in steps of the router's grid."""
BEND_COST: Final = 0.3
LAYERS: Final[tuple[Layer, Layer]] = ("F.Cu", "B.Cu")
_SOLDER: Final = "solder"
"""A net name that no real net has. It marks places where no via is allowed."""
Node = tuple[int, int, int]
"""Column and row of a grid point, counted from the board's middle, and the number of its layer."""


class NoWayError(RuntimeError):
    """The router found no path for a net, in any order of nets that it tried."""


@dataclass(frozen=True)
class Pad:
    """A box of copper: the end of a net, or an obstacle for other nets."""

    net: str
    layers: tuple[int, ...]
    middle: Point
    half: Point
    """Half of the box's width and half of its height, in mm."""

    def gap(self, x: float, y: float) -> float:
        """Return the distance in mm from a point to the box; 0 for a point inside the box."""
        return math.hypot(
            max(abs(x - self.middle[0]) - self.half[0], 0.0),
            max(abs(y - self.middle[1]) - self.half[1], 0.0),
        )


class Router:
    """The copper on a board of `across` × `down` mm, and the search for paths between its pads."""

    def __init__(self, across: float, down: float, grid: float, pads: list[Pad]) -> None:
        self.grid = grid
        self.columns = int((across / 2 - EDGE - WIDTH / 2) / grid)
        self.rows = int((down / 2 - EDGE - WIDTH / 2) / grid)
        self.pads = pads
        self._near: tuple[dict[Node, set[str]], dict[Node, set[str]]] = ({}, {})
        """Two mappings, the first for tracks, the second for vias. Each maps a point to the nets
        whose copper is so near that other nets may not use the point. Points are half a grid step
        apart."""
        for pad in pads:
            self._keep_away(pad)
            if len(pad.layers) == 1:
                self._no_via(pad)

    def take(self, track: Track) -> None:
        """Reserve the track's space, so that other nets keep their distance."""
        layer = LAYERS.index(track.layer)
        for (x0, y0), (x1, y1) in pairwise(track.points):
            steps = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / (self.grid / 2)))
            half = track.width / 2
            for step in range(steps + 1):
                at = (x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps)
                self._keep_away(Pad(track.net, (layer,), at, (half * 0.8, half * 0.8)))

    def take_via(self, via: Via) -> None:
        self._keep_away(Pad(via.net, (0, 1), via.place, (VIA * 0.4, VIA * 0.4)))

    def _keep_away(self, pad: Pad) -> None:
        for near, half in zip(self._near, (WIDTH / 2, VIA / 2), strict=True):
            reach = CLEARANCE + half
            step = self.grid / 2
            for column in _steps(pad.middle[0], pad.half[0] + reach, step):
                for row in _steps(pad.middle[1], pad.half[1] + reach, step):
                    if pad.gap(column * step, row * step) < reach:
                        for layer in pad.layers:
                            near.setdefault((column, row, layer), set()).add(pad.net)

    def _no_via(self, pad: Pad) -> None:
        """Forbid vias in a surface-mount pad, even vias of the pad's own net, because solder would
        flow away through the via."""
        step = self.grid / 2
        for column in _steps(pad.middle[0], pad.half[0] + VIA / 2, step):
            for row in _steps(pad.middle[1], pad.half[1] + VIA / 2, step):
                if pad.gap(column * step, row * step) < VIA / 2:
                    for layer in pad.layers:
                        self._near[1].setdefault((column, row, layer), set()).add(_SOLDER)

    def free(self, node: Node, net: str, dx: int = 0, dy: int = 0) -> bool:
        """True if a track of the net may run through the node. `dx` and `dy` shift the tested point
        by half grid steps."""
        column, row, layer = node
        inside = abs(column) <= self.columns and abs(row) <= self.rows
        half = (2 * column + dx, 2 * row + dy, layer)
        return inside and not self._near[0].get(half, set()) - {net}

    def _free_for_via(self, node: Node, net: str) -> bool:
        column, row, _ = node
        return not any(
            self._near[1].get((2 * column, 2 * row, layer), set()) - {net} for layer in (0, 1)
        )

    def _moves(self, node: Node, net: str) -> Iterator[tuple[Node, float]]:
        column, row, layer = node
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                to = (column + dx, row + dy, layer)
                if (dx or dy) and self.free(to, net) and self.free(node, net, dx, dy):
                    yield to, math.hypot(dx, dy)
        over = (column, row, 1 - layer)
        if self.free(over, net) and self._free_for_via(node, net):
            yield over, VIA_COST

    def at(self, pad: Pad, net: str) -> list[Node]:
        """Return the grid nodes that the net may use inside the pad. A straight track from such a
        node to the pad's middle stays on the pad."""
        return [
            node
            for column in _steps(pad.middle[0], pad.half[0], self.grid)
            for row in _steps(pad.middle[1], pad.half[1], self.grid)
            for layer in pad.layers
            if pad.gap(column * self.grid, row * self.grid) == 0
            and self.free(node := (column, row, layer), net)
        ]

    def way(self, net: str, starts: Iterable[Node], goals: set[Node]) -> list[Node] | None:
        """Return the cheapest path from one of the starts to one of the goals, or None if there is
        no path."""
        if not goals:
            return None
        left = min(node[0] for node in goals)
        right = max(node[0] for node in goals)
        low = min(node[1] for node in goals)
        high = max(node[1] for node in goals)

        def rest(node: Node) -> float:
            dx = max(left - node[0], node[0] - right, 0)
            dy = max(low - node[1], node[1] - high, 0)
            return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)

        came: dict[Node, Node | None] = {}
        cost = dict.fromkeys(sorted(starts), 0.0)
        queue: list[tuple[float, Node, Node | None]] = [(rest(node), node, None) for node in cost]
        heapq.heapify(queue)
        while queue:
            _, node, before = heapq.heappop(queue)
            if node in came:
                continue
            came[node] = before
            if node in goals:
                way = [node]
                while (previous := came[way[-1]]) is not None:
                    way.append(previous)
                return way[::-1]
            for to, price in self._moves(node, net):
                if to in came:
                    continue
                bend = before is not None and (node[0] - before[0], node[1] - before[1]) != (
                    to[0] - node[0],
                    to[1] - node[1],
                )
                total = cost[node] + price + (BEND_COST if bend else 0.0)
                if total < cost.get(to, math.inf):
                    cost[to] = total
                    heapq.heappush(queue, (total + rest(to), to, node))
        return None

    def place(self, node: Node) -> Point:
        return (round(node[0] * self.grid, 4), round(node[1] * self.grid, 4))

    def link(self, net: str, width: float) -> tuple[list[Track], list[Via]] | None:
        """Connect all pads of the net. Each step connects the nearest remaining pad. Returns None
        if a pad cannot be reached."""
        waiting = [pad for pad in self.pads if pad.net == net]
        first = waiting.pop(0)
        reached: dict[Node, Pad | None] = dict.fromkeys(self.at(first, net), first)
        tracks: list[Track] = []
        vias: list[Via] = []
        while waiting:
            goals = {node: pad for pad in reversed(waiting) for node in self.at(pad, net)}
            way = self.way(net, reached, {*goals})
            if way is None:
                return None
            goal = goals[way[-1]]
            start = reached[way[0]]
            tracks += self._tracks(net, width, way, start, goal)
            vias += [
                Via(net, self.place(here)) for here, there in pairwise(way) if here[2] != there[2]
            ]
            waiting.remove(goal)
            reached |= {node: None for node in way if node not in reached}
            reached |= dict.fromkeys(self.at(goal, net), goal)
        return tracks, vias

    def _tracks(
        self, net: str, width: float, way: list[Node], start: Pad | None, goal: Pad
    ) -> list[Track]:
        """Return the path as tracks. A new track begins at each change of layer. A track's points
        are its ends and corners."""
        tracks = []
        points = [start.middle] if start else []
        layer = way[0][2]
        for node in [*way, None]:
            if node is None or node[2] != layer:
                if node is None:
                    points.append(goal.middle)
                corners = _corners(points)
                if len(corners) > 1:
                    tracks.append(Track(net, LAYERS[layer], width, tuple(corners)))
                if node is None:
                    break
                layer = node[2]
                points = []
            points.append(self.place(node))
        return tracks


def _steps(middle: float, reach: float, step: float) -> range:
    """Return the numbers of the grid steps within `reach` of `middle`, and one more at each end."""
    return range(math.floor((middle - reach) / step), math.ceil((middle + reach) / step) + 1)


def _corners(points: list[Point]) -> list[Point]:
    """Return the points without duplicates, and without points on a straight line between their
    neighbours."""
    found: list[Point] = []
    for point in points:
        if found and math.dist(found[-1], point) < 1e-6:
            continue
        if len(found) > 1:
            (x0, y0), (x1, y1) = found[-2:]
            if abs((x1 - x0) * (point[1] - y1) - (y1 - y0) * (point[0] - x1)) < 1e-9:
                found.pop()
        found.append(point)
    return found


def route(
    across: float,
    down: float,
    grid: float,
    pads: list[Pad],
    copper: tuple[list[Track], list[Via]],
    nets: tuple[str, ...],
    width: float = WIDTH,
    tries: int = 40,
) -> tuple[list[Track], list[Via]]:
    """Return tracks and vias for the nets. ``copper`` has the tracks and vias that already exist.
    Raises NoWayError if no order of nets works in ``tries`` attempts."""
    order = [*nets]
    for _ in range(tries):
        router = Router(across, down, grid, pads)
        for track in copper[0]:
            router.take(track)
        for via in copper[1]:
            router.take_via(via)
        tracks: list[Track] = []
        vias: list[Via] = []
        for net in order:
            found = router.link(net, width)
            if found is None:
                order.remove(net)
                order.insert(0, net)
                break
            for track in found[0]:
                router.take(track)
            for via in found[1]:
                router.take_via(via)
            tracks += found[0]
            vias += found[1]
        else:
            return tracks, vias
    raise NoWayError(f"The router finds no way for {order[0]}: give it more room.")
