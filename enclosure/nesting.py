"""Places the parts that are cut from plywood on sheets, by their bounding boxes.

Each part keeps `MARGIN` from the sheet's edges and `GAP` from the others. A part may be turned by a
quarter turn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

Size = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, near, right and far edge in mm, from the sheet's lower left corner."""

BEDS: Final[tuple[Size, ...]] = ((600.0, 400.0), (900.0, 600.0))
"""Width and length in mm of the beds of common laser cutters, the smaller first; sheets of plywood
are sold in the larger size."""
SHEET: Final = BEDS[-1]
MARGIN: Final = 5.0
"""Distance in mm from each edge of the sheet or bed: clamps, and a sheet that lies askew."""
GAP: Final = 4.0
"""Distance in mm between two parts: the wood between them does not burn away."""


@dataclass(frozen=True)
class Placed:
    """A piece on a sheet; ``sheet`` counts from 1. ``turned`` is true for a quarter turn left."""

    name: str
    sheet: int
    box: Box
    turned: bool


def least_bed(size: Size, margin: float = MARGIN) -> Size | None:
    """Return the smallest bed that takes a part with its margin; None if no bed does."""
    for bed in BEDS:
        if _fits(size, bed, margin) or _fits(size[::-1], bed, margin):
            return bed
    return None


def nest(sizes: Mapping[str, Size], pieces: Mapping[str, int], sheet: Size = SHEET) -> list[Placed]:
    """Return a place for each piece, on as few sheets as a simple search finds.

    Raises ValueError if a part is too large for a sheet.
    """
    for name, size in sizes.items():
        if not any(_fits(each, sheet, MARGIN) for each in (size, size[::-1])):
            raise ValueError(f"{name} does not fit on a sheet.")
    every = [name for name in sorted(sizes) for _ in range(pieces[name])]
    orders: tuple[Callable[[Size], float], ...] = (max, min, lambda size: size[0] * size[1])
    tried = (
        _nest_in_order(sorted(every, key=lambda name: -order(sizes[name])), sizes, sheet)
        for order in orders
    )
    return min(tried, key=lambda placed: max(each.sheet for each in placed))


def _fits(size: Size, bed: Size, margin: float) -> bool:
    return all(part <= room - 2 * margin for part, room in zip(size, bed, strict=True))


def _nest_in_order(names: list[str], sizes: Mapping[str, Size], sheet: Size) -> list[Placed]:
    """Place one piece after the other where it leaves the narrowest strip free (the method of
    maximal rectangles)."""
    free: list[list[Box]] = []
    placed = []
    for name in names:
        across, down = sizes[name]
        while True:
            ways = [
                (number, min(room[2] - room[0] - w, room[3] - room[1] - h), room[:2], turned)
                for number, rooms in enumerate(free)
                for room in rooms
                for turned, w, h in ((False, across, down), (True, down, across))
                if room[2] - room[0] >= w - 1e-6 and room[3] - room[1] >= h - 1e-6
            ]
            if ways:
                break
            free.append([(MARGIN, MARGIN, sheet[0] - MARGIN, sheet[1] - MARGIN)])
        number, _, (left, near), turned = min(ways)
        w, h = (down, across) if turned else (across, down)
        box = (left, near, left + w, near + h)
        placed.append(Placed(name, number + 1, box, turned))
        taken = (left - GAP, near - GAP, left + w + GAP, near + h + GAP)
        free[number] = _without(free[number], taken)
    return placed


def _without(rooms: list[Box], taken: Box) -> list[Box]:
    """Return the largest rectangles that remain free beside ``taken``."""
    left, near, right, far = taken
    found = []
    for room in rooms:
        if room[0] >= right or room[2] <= left or room[1] >= far or room[3] <= near:
            found.append(room)
            continue
        rest = (
            (room[0], room[1], left, room[3]),
            (right, room[1], room[2], room[3]),
            (room[0], room[1], room[2], near),
            (room[0], far, room[2], room[3]),
        )
        found += [each for each in rest if each[0] < each[2] and each[1] < each[3]]
    return [
        one
        for i, one in enumerate(found)
        if not any(
            _within(one, other) and (one != other or j < i)
            for j, other in enumerate(found)
            if j != i
        )
    ]


def _within(one: Box, other: Box) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one[2] <= other[2] and one[3] <= other[3]
