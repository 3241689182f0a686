"""Hands and arms at a table: each is a course of bodies, one list for every 10 ms.

All ranges are assumptions (pi_table/table/engine/ABUSE.md), drawn widely on purpose.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Final

from surface import FIELD, GROUNDED, PADS, SAMPLE, Body, Capsule, Ellipse, Rectangle

from pi_table.common.geometry import PLACES

Course = Iterator[list[Body]]
"""The bodies on the table, sample by sample."""
Point = tuple[float, float]

AIM_ERROR: Final = 5.0
"""Standard deviation (mm, each way) of where a finger comes down around the middle of a place."""


def steps(seconds: float) -> Iterator[float]:
    """From 0 to 1, a step for each sample of so many seconds."""
    count = max(1, round(seconds / SAMPLE))
    return ((number + 1) / count for number in range(count))


def still(bodies: list[Body], seconds: float) -> Course:
    for _ in steps(seconds):
        yield bodies


def anywhere(chance: Random, beyond: float = 0.0) -> Point:
    """A point of the field, or up to so many millimetres beyond it."""
    return (
        chance.uniform(FIELD.left - beyond, FIELD.right + beyond),
        chance.uniform(FIELD.far - beyond, FIELD.near + beyond),
    )


def near(chance: Random, point: Point, spread: float) -> Point:
    return chance.gauss(point[0], spread), chance.gauss(point[1], spread)


def at_an_edge(chance: Random) -> Point:
    """A point near one of the four edges of the field."""
    x, y = anywhere(chance)
    along = chance.gauss(0.0, 25.0)
    match chance.randrange(4):
        case 0:
            return FIELD.left + along, y
        case 1:
            return FIELD.right + along, y
        case 2:
            return x, FIELD.far + along
        case _:
            return x, FIELD.near + along


def pressed(chance: Random, x: float, y: float, radius: float, seconds: float) -> Course:
    """A fingertip that comes down, trembles, and is lifted; ``seconds`` from touch to lift."""
    stretch, angle = chance.uniform(1.0, 1.4), chance.uniform(0.0, math.pi)
    tremor, hertz = chance.uniform(0.1, 1.0), chance.uniform(6.0, 12.0)
    drift = chance.gauss(0.0, 2.0), chance.gauss(0.0, 2.0)
    comes, goes = chance.uniform(0.02, 0.06), chance.uniform(0.02, 0.06)

    def tip(size: float, at: float) -> list[Body]:
        swing = tremor * math.sin(2 * math.pi * hertz * at)
        share = at / seconds
        shape = Ellipse(
            x + drift[0] * share + swing,
            y + drift[1] * share,
            radius * size * stretch,
            radius * size / stretch,
            angle,
        )
        return [Body(shape)]

    for share in steps(comes):
        yield tip(math.sqrt(share), 0.0)
    for share in steps(seconds - comes):
        yield tip(1.0, share * seconds)
    for share in steps(goes):
        yield tip(math.sqrt(1.0001 - share), seconds)


def aimed(chance: Random, place: int) -> Point:
    """Where a finger comes down that means this place."""
    return near(chance, PADS[PLACES[place]].middle, AIM_ERROR)


def pointing(chance: Random, point: Point, seconds: float, wet: bool = False) -> Course:
    """A finger that means something; a wet one is larger."""
    radius = chance.uniform(6.0, 9.0) if wet else chance.uniform(4.0, 7.0)
    return pressed(chance, *point, radius, seconds)


def together(courses: list[tuple[float, Course]]) -> Course:
    """Several courses, each from its own instant on (seconds)."""
    waiting = sorted(courses, key=lambda course: course[0])
    going: list[Course] = []
    step = 0
    while waiting or going:
        while waiting and waiting[0][0] <= step * SAMPLE:
            going.append(waiting.pop(0)[1])
        bodies: list[Body] = []
        for course in [*going]:
            now = next(course, None)
            if now is None:
                going.remove(course)
            else:
                bodies += now
        yield bodies
        step += 1


# --- what nobody means


def two_people(chance: Random) -> Course:
    """Two people point at two cells, the second before the first can have meant it."""
    one, other = chance.sample(range(len(PLACES)), 2)
    later = chance.uniform(0.0, 0.3)
    first, second = chance.uniform(0.45, 1.2), chance.uniform(0.45, 1.2)
    return together(
        [
            (0.0, pointing(chance, aimed(chance, one), first)),
            (later, pointing(chance, aimed(chance, other), second)),
        ]
    )


def resting(chance: Random) -> Course:
    """A hand that rests on two to five fingertips."""
    x, y = anywhere(chance, 20.0)
    angle, apart = chance.uniform(0.0, math.pi), chance.uniform(16.0, 28.0)
    seconds = chance.uniform(0.5, 6.0)
    fingers = []
    for number in range(chance.randint(2, 5)):
        along = number * apart
        tip = x + along * math.cos(angle), y + along * math.sin(angle) + chance.gauss(0.0, 4.0)
        course = pressed(
            chance, *tip, chance.uniform(3.5, 7.0), seconds + chance.uniform(-0.15, 0.15)
        )
        fingers.append((chance.uniform(0.0, 0.08), course))
    return together(fingers)


def children(chance: Random) -> Course:
    """Children drum on the table, or draw on it with a finger."""
    return _drawing(chance) if chance.random() < 0.4 else _drumming(chance)


def _drawing(chance: Random) -> Course:
    for _ in range(chance.randint(1, 3)):
        stops = [anywhere(chance)]
        for _ in range(chance.randint(1, 6)):
            stops.append(near(chance, stops[-1], 60.0))
        tip = chance.uniform(3.5, 6.0), chance.uniform(3.5, 6.0)
        yield from stroking(chance, stops, chance.uniform(0.1, 0.8), *tip, 1.0, GROUNDED)
        yield from still([], chance.uniform(0.05, 0.6))


def _drumming(chance: Random) -> Course:
    """With one to four hands."""
    taps = []
    for _ in range(chance.randint(1, 4)):
        at, middle, spread = 0.0, anywhere(chance, 10.0), chance.uniform(0.0, 120.0)
        pause = chance.uniform(0.04, 0.25)
        for _ in range(chance.randint(4, 20)):
            seconds = chance.uniform(0.05, 0.22)
            tip = near(chance, middle, spread)
            taps.append((at, pressed(chance, *tip, chance.uniform(3.5, 6.5), seconds)))
            at += seconds + pause * chance.uniform(0.6, 1.6)
    return together(taps)


def palm(chance: Random) -> Course:
    """A palm or an elbow that leans on the table, once or again and again."""
    place = at_an_edge(chance) if chance.random() < 0.5 else anywhere(chance, 20.0)
    for _ in range(chance.choice((1, 1, 2, 4))):
        yield from _leaning(chance, near(chance, place, 15.0))
        yield from still([], chance.uniform(0.03, 0.7))


def lingering(chance: Random) -> Course:
    """A hand that leans on the table, eases its weight for seconds, moves on, and leans again."""
    point = anywhere(chance, 20.0)
    along, across = chance.uniform(12.0, 45.0), chance.uniform(10.0, 35.0)
    angle = chance.uniform(0.0, math.pi)

    def there(at: Point, weight: float) -> list[Body]:
        return [Body(Ellipse(*at, along * weight, across * weight, angle))]

    for share in steps(chance.uniform(0.04, 0.5)):
        yield there(point, math.sqrt(share))
    weight = 1.0
    for _ in range(chance.randint(1, 3)):
        yield from still(there(point, weight), chance.uniform(0.1, 1.5))
        eased = weight * chance.uniform(0.2, 0.7)
        for share in steps(chance.uniform(0.1, 0.5)):
            yield there(point, weight + (eased - weight) * share)
        seconds, hertz = chance.uniform(2.0, 9.0), chance.uniform(0.1, 1.0)
        sway = chance.uniform(0.0, 0.2)
        for share in steps(seconds):
            swing = math.sin(2 * math.pi * hertz * seconds * share)
            yield there(point, eased * (1.0 + sway * swing))
        to = near(chance, point, chance.choice((10.0, 40.0, 80.0)))
        for share in steps(chance.uniform(0.1, 0.8)):
            yield there(_between(point, to, share), eased)
        point, weight = to, chance.uniform(eased, 1.0)
        for share in steps(chance.uniform(0.05, 0.4)):
            yield there(point, eased + (weight - eased) * share)
    for share in steps(chance.uniform(0.04, 0.5)):
        yield there(point, weight * math.sqrt(1.0001 - share))


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _leaning(chance: Random, point: Point) -> Course:
    """It comes down, shifts a little, and leaves."""
    x, y = point
    if chance.random() < 0.5:
        along, across = chance.uniform(12.0, 28.0), chance.uniform(10.0, 20.0)  # an elbow
    else:
        along, across = chance.uniform(30.0, 55.0), chance.uniform(22.0, 42.0)
    angle = chance.uniform(0.0, math.pi)
    shift = chance.gauss(0.0, 6.0), chance.gauss(0.0, 6.0)
    weight, hertz = chance.uniform(0.0, 0.25), chance.uniform(0.2, 2.0)

    def leaning(size: float, at: float) -> list[Body]:
        size *= 1.0 - weight * (0.5 - 0.5 * math.cos(2 * math.pi * hertz * at))
        where = x + shift[0] * min(at, 1.0), y + shift[1] * min(at, 1.0)
        return [Body(Ellipse(*where, along * size, across * size, angle))]

    for share in steps(chance.uniform(0.04, 0.8)):
        yield leaning(math.sqrt(share), 0.0)
    seconds = chance.uniform(0.2, 3.0)
    for share in steps(seconds):
        yield leaning(1.0, share * seconds)
    for share in steps(chance.uniform(0.04, 0.6)):
        yield leaning(math.sqrt(1.0001 - share), seconds)


def sleeve(chance: Random) -> Course:
    """An arm in a sleeve that reaches over the table, or a cuff that hangs down and drags."""
    return _cuff(chance) if chance.random() < 0.4 else _arm(chance)


def _arm(chance: Random) -> Course:
    reach = anywhere(chance)
    beyond = Rectangle(FIELD.left - 60.0, FIELD.far - 60.0, FIELD.right + 60.0, FIELD.near + 60.0)
    side = chance.choice(
        ((beyond.left, None), (beyond.right, None), (None, beyond.far), (None, beyond.near))
    )
    from_x = reach[0] + chance.gauss(0.0, 60.0) if side[0] is None else side[0]
    from_y = reach[1] + chance.gauss(0.0, 60.0) if side[1] is None else side[1]
    thick, contact = chance.uniform(12.0, 45.0), chance.uniform(0.05, 0.6)
    ground = GROUNDED

    def reaching(share: float, pressed: float) -> list[Body]:
        x = from_x + (reach[0] - from_x) * share
        y = from_y + (reach[1] - from_y) * share
        return [Body(Capsule(from_x, from_y, x, y, thick), contact * pressed, ground)]

    lands = chance.uniform(0.0, 1.0)  # how far it has come when it touches
    for share in steps(chance.uniform(0.05, 0.6)):
        yield reaching(lands, share)
    for share in steps(chance.uniform(0.1, 1.2)):
        yield reaching(lands + (1.0 - lands) * share, 1.0)
    yield from still(reaching(1.0, 1.0), chance.uniform(0.1, 4.0))
    for share in steps(chance.uniform(0.05, 0.8)):
        yield reaching(1.0 - (1.0 - lands) * share, 1.0)
    for share in steps(chance.uniform(0.05, 0.4)):
        yield reaching(lands, 1.0 - share)


def _cuff(chance: Random) -> Course:
    along, across = chance.uniform(12.0, 45.0), chance.uniform(6.0, 20.0)
    contact = chance.uniform(0.03, 0.4)
    ground = chance.choice((GROUNDED, chance.uniform(50.0, 2000.0)))
    stops = [anywhere(chance, 40.0) for _ in range(chance.randint(2, 5))]
    yield from stroking(chance, stops, chance.uniform(0.05, 0.8), along, across, contact, ground)


def wiping(chance: Random) -> Course:
    """A hand with a cloth, or bare fingers, to and fro, or dabbing; it leaves the table dry."""
    fingers = chance.random() < 0.4
    along = chance.uniform(5.0, 15.0) if fingers else chance.uniform(25.0, 70.0)
    across = chance.uniform(5.0, 10.0) if fingers else chance.uniform(15.0, 45.0)
    x, y = anywhere(chance, 20.0)
    if chance.random() < 0.25:
        yield from _dabbing(chance, (x, y), along, across)
        return
    stops = [(x, y)]
    angle, length = chance.uniform(0.0, math.pi), chance.uniform(60.0, 350.0)
    for _ in range(chance.randint(2, 8)):
        length = -length
        x += length * math.cos(angle) + chance.gauss(0.0, 25.0)
        y += length * math.sin(angle) + chance.gauss(0.0, 25.0)
        stops.append((x, y))
    speed = chance.uniform(0.15, 1.2)
    contact = chance.uniform(0.2, 1.0)
    yield from stroking(chance, stops, speed, along, across, contact, GROUNDED)


def _dabbing(chance: Random, point: Point, along: float, across: float) -> Course:
    for _ in range(chance.randint(2, 8)):
        tip = chance.random() < 0.4
        size = (chance.uniform(5.0, 9.0), 5.0) if tip else (along, across)
        shape = Ellipse(*near(chance, point, 40.0), *size, chance.uniform(0.0, math.pi))
        contact = chance.uniform(0.1, 1.0)
        for share in steps(chance.uniform(0.02, 0.1)):
            yield [Body(shape, contact * share)]
        yield from still([Body(shape, contact)], chance.uniform(0.05, 0.8))
        yield from still([], chance.uniform(0.05, 0.6))


def stroking(
    chance: Random,
    stops: list[Point],
    speed: float,
    along: float,
    across: float,
    contact: float,
    ground: float,
) -> Course:
    """Something that lands at the first stop, is drawn over the others (m/s), and is lifted; now
    and then it leaves the table between two strokes, or rests."""
    angle = chance.uniform(0.0, math.pi)

    def there(x: float, y: float, pressure: float) -> list[Body]:
        return [Body(Ellipse(x, y, along, across, angle), contact * pressure, ground)]

    for share in steps(chance.uniform(0.02, 0.2)):
        yield there(*stops[0], share)
    for start, end in pairwise(stops):
        length = math.dist(start, end)
        hops = chance.random() < 0.15
        for share in steps(max(0.05, length / (1000.0 * speed))):
            eased = 0.5 - 0.5 * math.cos(math.pi * share)
            x = start[0] + (end[0] - start[0]) * eased
            y = start[1] + (end[1] - start[1]) * eased
            yield [] if hops and 0.25 < share < 0.75 else there(x, y, 1.0)
        if chance.random() < 0.3:
            yield from still(there(*end, 1.0), chance.uniform(0.05, 1.2))
    for share in steps(chance.uniform(0.02, 0.2)):
        yield there(*stops[-1], 1.0 - share)
