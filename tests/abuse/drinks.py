"""Drinks on a table: cups, drops and spills, as courses like those of `hands`."""

import math
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Final

from hands import Course, Point, anywhere, near, steps, still, together
from surface import GROUNDED, Body, Ellipse, disc, floating

DRY = 0.05
"""Share of a puddle's radius that is left when it counts as gone."""


def cup(chance: Random) -> Course:
    """A glass, from a shot glass to a pint, is put down, let go, stands, and is lifted again."""
    radius = chance.uniform(18.0, 45.0)
    x, y = anywhere(chance, 10.0)
    contact = chance.uniform(0.2, 0.6)  # a bottom of glass, more or less hollow
    alone = chance.uniform(150.0, 900.0)  # a glass is tall: the air is worth more to it
    held = GROUNDED if chance.random() < 0.85 else alone  # by its stem, with gloves: not at all

    def standing(above: float, ground: float) -> list[Body]:
        """``above``: millimetres over the table."""
        return [Body(disc(x, y, radius), contact / (1.0 + contact * above), ground)]

    speed = chance.uniform(40.0, 500.0)
    for share in steps(30.0 / speed):
        yield standing(30.0 * (1.0 - share), held)
    yield from still(standing(0.0, held), chance.uniform(0.05, 2.0))
    for _ in range(chance.choice((1, 1, 1, 2))):
        yield from _let_go(standing, held, alone, chance.uniform(0.03, 0.15))
        yield from still(standing(0.0, alone), chance.uniform(0.3, 8.0))
        if held == GROUNDED:
            for share in steps(chance.uniform(0.03, 0.15)):
                yield standing(0.0, alone / (1.0001 - share))
        yield from still(standing(0.0, held), chance.uniform(0.05, 1.0))
        if chance.random() < 0.3:
            to = near(chance, (x, y), 40.0)
            begun = x, y
            for share in steps(math.dist(begun, to) / chance.uniform(50.0, 400.0)):
                x = begun[0] + (to[0] - begun[0]) * share
                y = begun[1] + (to[1] - begun[1]) * share
                yield standing(0.0, held)
    for share in steps(30.0 / speed):
        yield standing(30.0 * share, held)
    if chance.random() < 0.5:  # and leaves a ring, which dries
        share = chance.uniform(0.02, 0.25)
        seconds = chance.uniform(0.5, 8.0)
        for gone in steps(seconds):
            yield [floating(disc(x, y, radius), share * (1.0 - gone))]


def _let_go(standing: object, held: float, alone: float, seconds: float) -> Course:
    assert callable(standing)
    if held == GROUNDED:
        for share in steps(seconds):
            yield standing(0.0, alone / max(share, 0.01))


def drip(chance: Random) -> Course:
    """Single drops, of 0.01 to 0.2 ml, that fall, lie there, and dry."""
    middle, spread = anywhere(chance, 10.0), chance.choice((2.0, 15.0, 60.0, 150.0))
    at = 0.0
    drops = []
    for _ in range(chance.randint(1, 12)):
        drops.append((at, _drop(chance, near(chance, middle, spread), chance.uniform(1.5, 5.0))))
        at += chance.choice((0.02, 0.15, 0.6, 2.0)) * chance.uniform(0.3, 1.5)
    return _flowing_together(together(drops))


THICK: Final = 2.5
"""Millimetres: a larger puddle is no thicker."""
LARGEST: Final = 5.0
"""Radius (mm) of a drop that has become so thick: 0.2 ml."""


def _volume(radius: float) -> float:
    """In mm³: smaller drops are of one shape."""
    return math.pi * THICK * radius**2 * min(1.0, radius / LARGEST)


def _radius(volume: float) -> float:
    """In millimetres."""
    flat = math.sqrt(volume / (math.pi * THICK))
    return flat if flat > LARGEST else (flat**2 * LARGEST) ** (1 / 3)


def _flowing_together(drops: Course) -> Course:
    """Merge drops that touch into one, with the water of both."""
    before: list[Body] | None = None
    for bodies in drops:
        if bodies != before:
            before, apart = (
                bodies,
                _apart([(*b.shape.bounds.middle, b.shape.radius) for b in bodies]),
            )
        yield apart


def _apart(drops: list[tuple[float, float, float]]) -> list[Body]:
    for one, other in combinations(drops, 2):
        if math.dist(one[:2], other[:2]) < one[2] + other[2]:
            volumes = _volume(one[2]), _volume(other[2])
            whole = sum(volumes)
            x, y = (
                (at * volumes[0] + to * volumes[1]) / whole
                for at, to in zip(one[:2], other[:2], strict=True)
            )
            rest = [drop for drop in drops if drop is not one and drop is not other]
            return _apart([*rest, (x, y, _radius(whole))])
    return [floating(disc(*drop)) for drop in drops]


def _drop(chance: Random, point: Point, radius: float) -> Course:
    """It splashes, and draws itself together again."""
    for share in steps(0.03):
        yield [floating(disc(*point, radius * 1.3 * share))]
    yield from _drying(chance, [point], [radius], chance.uniform(1.0, 8.0))


def spill(chance: Random) -> Course:
    """A glass falls over: 5 to 300 ml spread, lie there, and are wiped off."""
    thick = chance.uniform(2.5, 4.0)
    radius = math.sqrt(chance.uniform(5.0, 300.0) * 1000.0 / (math.pi * thick))
    x, y = anywhere(chance, 30.0)
    stretch, angle = chance.uniform(1.0, 1.6), chance.uniform(0.0, math.pi)
    flow = chance.uniform(0.0, 60.0), chance.uniform(0.0, 2 * math.pi)

    def puddle(size: float) -> Body:
        return floating(
            Ellipse(
                x + flow[0] * size * math.cos(flow[1]),
                y + flow[0] * size * math.sin(flow[1]),
                radius * size * stretch,
                radius * size / stretch,
                angle,
            )
        )

    lasting = chance.uniform(0.05, 0.6)
    for share in steps(4 * lasting):
        yield [puddle(1.0 - math.exp(-4 * share))]
    yield from still([puddle(1.0)], chance.uniform(0.2, 4.0))
    yield from _wiped_off(chance, puddle, radius)


def _wiped_off(chance: Random, puddle: object, radius: float) -> Course:
    """Strokes of a hand with a cloth: while it is in the water, the water is at ground."""
    assert callable(puddle)
    size = 1.0
    body = puddle(size)
    x, y = body.shape.x, body.shape.y
    across = chance.uniform(20.0, 45.0)
    for _ in range(chance.randint(1, 5)):
        less = size * chance.uniform(0.3, 0.8)
        over = chance.uniform(0.8, 1.5) * radius
        angle = chance.uniform(0.0, math.pi)
        for share in steps(chance.uniform(0.2, 0.8)):
            along = over * (2 * share - 1)
            hand = Body(
                Ellipse(x + along * math.cos(angle), y + along * math.sin(angle), across, 30.0),
                0.6,
            )
            body = puddle(size + (less - size) * share)
            yield [Body(body.shape, body.contact, GROUNDED), hand]
        size = less
        yield from still([puddle(size)], chance.uniform(0.05, 0.5))
    points = [near(chance, (x, y), max(8.0, radius * 0.7)) for _ in range(chance.randint(0, 8))]
    radii = [chance.uniform(1.5, 9.0) for _ in points]
    for share in steps(0.1):
        film = [floating(disc(*point, r)) for point, r in zip(points, radii, strict=True)]
        yield [puddle(max(DRY, size * (1.0 - share))), *film]
    yield from _drying(chance, points, radii, chance.uniform(1.0, 8.0))


def _drying(
    chance: Random, points: list[Point], radii: list[float], seconds: float
) -> Iterator[list[Body]]:
    """Drops that lie there, and shrink."""

    def drops(size: float) -> list[Body]:
        return [floating(disc(*point, r * size)) for point, r in zip(points, radii, strict=True)]

    begins = chance.uniform(0.0, 0.9)
    yield from still(drops(1.0), begins * seconds)
    for share in steps((1.0 - begins) * seconds):
        yield drops(max(DRY, 1.0 - share))


def left_by_a_finger(chance: Random, point: Point) -> Course:
    """The drop that a wet finger leaves."""
    yield from _drying(chance, [point], [chance.uniform(1.5, 5.0)], chance.uniform(0.5, 6.0))
