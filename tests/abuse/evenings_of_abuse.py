"""A minute at a table in a bar: touches that are meant, and abuse between and around them.

The abuse is drawn by its geometry, and as it comes. Drips are played as they fall. Of all else what
no rule could tell from a finger is drawn anew (`lookalikes`), and counted.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import add
from random import Random
from typing import Final

import drinks
import hands
import interference
import trouble
from hands import Course
from surface import MAX_COUNTS, SAMPLE, SAMPLE_MS, loads

from pi_table.common.geometry import CELL_COUNT, END_TURN, HOURGLASS, PLACES

Loads = dict[str, list[float]]
"""Counts of each pad that is loaded at all, a number for each sample."""

BODIES: Final[dict[str, Callable[[Random], Course]]] = {
    "spill": drinks.spill,
    "drip": drinks.drip,
    "wipe": hands.wiping,
    "sleeve": hands.sleeve,
    "palm": hands.palm,
    "lingering": hands.lingering,
    "cup": drinks.cup,
    "two people": hands.two_people,
    "resting": hands.resting,
    "children": hands.children,
    **interference.BODIES,
}
TROUBLES: Final[dict[str, Callable[[Random, float], trouble.Trouble]]] = {
    "noise": trouble.noise,
    "drift": trouble.drift,
    "chip": trouble.chip,
    **interference.TROUBLES,
}
KINDS: Final = (*BODIES, *TROUBLES)
"""Besides wet fingers, which mean what they do."""
NEVER_ANEW: Final = "drip"
"""A kind that is played as it is drawn, though some of it comes and stays as a finger does."""

TOUCH, RELEASE, HEAVY = 7.0, 4.0, 60.0
"""The controller's thresholds (counts), as it begins with them."""
HOLD: Final = 0.4
"""Seconds."""
CALM: Final = 0.5
"""Seconds after which a touch is a new one, whatever was before: who guesses does not wait longer
for others."""
FAINT: Final = 5.0
"""Counts that noise may lift to a touch."""
LEFT_OF_IT: Final = 3.0
"""Counts at which what was a touch may still be one, while noise helps."""
HELD: Final = 5.5
"""Counts on average, less what noise does to that, for which the controller goes on feeling it."""
DOUBT: Final = 3.0
"""Counts by which a baseline that has not quite followed may change what is felt."""
COMES: Final = 0.13
"""Seconds. What takes longer to come down is no finger, and the controller knows that."""
FELT_SOON: Final = 0.03
"""Seconds after which what comes is felt."""
AT_ONCE: Final = 5.0
"""Counts by which a pad must then be loaded more than before, or it may be known: a touch less what
noise does to the difference."""
SURELY_FELT: Final = 0.05
"""Seconds for which something must be there to be felt for certain."""


@dataclass
class Touch:
    """Somebody means a place; seconds from the beginning."""

    place: int
    begins: float
    ends: float


@dataclass
class Incident:
    kind: str
    begins: float
    ends: float
    spares: bool = False
    """True if fingers must be felt all the same."""
    loads: Loads = field(default_factory=dict)
    lines: list[tuple[float, str]] = field(default_factory=list)


@dataclass
class Stall:
    """The program stands still; seconds from the beginning."""

    begins: float
    ends: float
    timers_first: bool
    """True if an expired timer comes before unread input."""
    room: int | None = None
    """Bytes that the port keeps meanwhile; None: all."""


@dataclass
class Evening:
    seed: str
    seconds: float
    touches: list[Touch]
    incidents: list[Incident]
    lines: list[tuple[float, str]]
    """Lines for the world, each with its time."""
    unlike: Counter[str]
    """Number of redrawn evenings of each kind."""
    abuse: Loads
    stalls: list[Stall] = field(default_factory=list)


def plan(seed: str, kinds: Iterable[str] = KINDS) -> Evening:
    """The evening that this seed gives, with incidents of these kinds."""
    chance = Random(seed)
    kinds = [*kinds]
    usual = chance.uniform(0.1, 0.8)
    touches, fingers, incidents = _touches(chance)
    seconds = touches[-1].ends
    unlike: Counter[str] = Counter()
    abuse: Loads = {}
    but_drips: Loads = {}
    for _ in range(chance.randint(2, 4)):
        kind = chance.choice(kinds)
        begins = chance.uniform(0.5, seconds)
        while True:
            incident = _incident(chance, kind, begins, usual)
            if kind == NEVER_ANEW:
                break
            among = _sum([(0.0, but_drips), (begins, incident.loads)])
            if not lookalikes(among):
                but_drips = among
                break
            unlike[kind] += 1
        abuse = _sum([(0.0, abuse), (begins, incident.loads)])
        incidents.append(incident)
    seconds = max([seconds, *(incident.ends for incident in incidents)]) + 1.5
    told = [(0.0, f"noise {usual:.2f}")]
    for incident in incidents:
        told += [(incident.begins + at, line) for at, line in incident.lines]
    told += shapes(_sum([(0.0, abuse), (0.0, fingers)]))
    told.sort(key=lambda line: line[0])
    return Evening(seed, seconds, touches, incidents, told, unlike, abuse)


def _touches(chance: Random) -> tuple[list[Touch], Loads, list[Incident]]:
    """Draw intended touches: the touches, their loads, and the traces of wet fingers."""
    now = 0.5
    touches, felt, left = [], [], []
    for _ in range(chance.randint(6, 10)):
        now += chance.choice((0.2, 0.6, 2.0, 5.0)) * chance.uniform(1.0, 1.5)
        place = chance.randrange(CELL_COUNT)
        if chance.random() < 0.1:
            place = chance.choice((END_TURN, HOURGLASS))
        seconds = chance.uniform(0.45, 0.9)
        point, wet = hands.aimed(chance, place), chance.random() < 0.1
        touches.append(Touch(place, now, now + seconds))
        felt.append((now, _loads(hands.pointing(chance, point, seconds, wet))))
        now += seconds
        if wet:
            drop = _loads(drinks.left_by_a_finger(chance, point))
            felt.append((now, drop))
            left.append(Incident("wet finger", now, now + _length(drop)))
    return touches, _sum(felt), left


def _incident(chance: Random, kind: str, begins: float, usual: float) -> Incident:
    if kind in TROUBLES:
        lines, seconds, spares = TROUBLES[kind](chance, usual)
        return Incident(kind, begins, begins + seconds, spares, lines=lines)
    felt = _loads(BODIES[kind](chance))
    seconds, lines = _length(felt), []
    if kind in interference.BESIDE:
        beside = interference.BESIDE[kind](chance, usual)
        seconds, lines = max(seconds, beside.seconds), beside.lines
    return Incident(kind, begins, begins + seconds, loads=felt, lines=lines)


def _length(felt: Loads) -> float:
    """In seconds."""
    return SAMPLE * max(map(len, felt.values()), default=0)


def _loads(course: Course) -> Loads:
    felt: Loads = {}
    before = None
    now: dict[str, float] = {}
    step = 0
    for step, bodies in enumerate(course, 1):
        if bodies is not before:
            before, now = bodies, loads(bodies)
        for pad, counts in now.items():
            of_pad = felt.setdefault(pad, [])
            of_pad += [0.0] * (step - 1 - len(of_pad))
            of_pad.append(counts)
    for of_pad in felt.values():
        of_pad += [0.0] * (step + 1 - len(of_pad))
    return felt


def _sum(all_loads: list[tuple[float, Loads]]) -> Loads:
    """Loads that begin at these instants, together."""
    found: Loads = {}
    for begins, felt in all_loads:
        first = round(begins / SAMPLE)
        for pad, counts in felt.items():
            of_pad = found.setdefault(pad, [])
            of_pad += [0.0] * (first + len(counts) - len(of_pad))
            there = slice(first, first + len(counts))
            of_pad[there] = map(add, of_pad[there], counts)
    return found


def lookalikes(felt: Loads, left: float = LEFT_OF_IT) -> list[tuple[str, float]]:
    """Where, and from when on, these loads are what a finger does that means a place.

    That is: for as long as a hold takes, one place is loaded as by a finger, and nothing else is,
    nor was in the time after which a touch is a new one; and it comes as quickly as a finger.
    ``left``: counts that it has to have all the time.
    """
    hold, calm, sure = (round(seconds / SAMPLE) for seconds in (HOLD, CALM, SURELY_FELT))
    others = {pad: _spans(counts, TOUCH + DOUBT, sure) for pad, counts in felt.items()}
    found = []
    for pad in felt.keys() & {*PLACES}:
        counts = felt[pad]
        elsewhere = [span for other, spans in others.items() if other != pad for span in spans]
        heavy = _spans(counts, HEAVY + DOUBT, sure)
        for step in _beginnings(counts):
            last = step + hold - 3
            clear = min(counts[step:last], default=0.0) > left and last < len(counts)
            if (
                clear
                and _at_once(counts, step)
                and not any(
                    begins + sure <= last and ends > step - since
                    for since, spans in ((calm, elsewhere), (0, heavy))
                    for begins, ends in spans
                )
            ):
                found.append((pad, step * SAMPLE))
    return found


def _at_once(counts: list[float], step: int) -> bool:
    """True if this pad's load has just risen above its load before the finger came."""
    comes, soon = round(COMES / SAMPLE), round(FELT_SOON / SAMPLE)
    before = counts[max(0, step - comes) : step + 1] if step >= comes else [0.0]
    return max(counts[step : step + soon + 1]) > min(before) + AT_ONCE


def _beginnings(counts: list[float]) -> Iterator[int]:
    """The samples at which a touch of this pad may begin."""
    sure = round(SURELY_FELT / SAMPLE)
    felt, lowest = 0, 0.0
    for step, count in enumerate(counts):
        if felt >= sure and count < RELEASE + DOUBT:
            felt, lowest = 0, count
        lowest = min(lowest, count)
        if felt < sure:
            felt = felt + 1 if count > TOUCH + DOUBT else 0
            if count > max(FAINT, lowest + DOUBT):
                yield step


def _spans(counts: list[float], least: float, steps: int) -> list[tuple[int, int]]:
    """From which sample to which (not included) there are more counts than these, for so long."""
    found = []
    begins = None
    for step, count in enumerate([*counts, 0.0]):
        if count > least:
            begins = step if begins is None else begins
        elif begins is not None:
            if step - begins >= steps:
                found.append((begins, step))
            begins = None
    return found


def shapes(felt: Loads) -> list[tuple[float, str]]:
    """These loads as lines for the world, each with its instant."""
    lines = []
    for pad, counts in felt.items():
        points = _bends(counts)
        while points:
            first, points, now = points[0][0], points[POINTS:], points[:POINTS]
            told = " ".join(f"{(step - first) * SAMPLE_MS}:{count:.1f}" for step, count in now)
            lines.append((first * SAMPLE, f"shape 0 {pad} {told}"))
    return lines


POINTS: Final = 31
"""Of a shape, at most."""
FINE: Final = 0.2
"""Counts by which a line between two points may miss a sample."""


def _bends(counts: list[float]) -> list[tuple[int, float]]:
    """The samples between which straight lines are near enough to all others."""
    points = []
    at, value, before, rests = -1, 0.0, 0.0, True
    least, most = -math.inf, math.inf
    for step, count in enumerate([*counts, 0.0]):
        if count == before == value:
            rests = True  # as most pads do most of the time
            continue
        if rests or not least <= (count - value) / (step - at) <= most:
            at, value, rests = step - 1, before, False
            points.append((at, min(MAX_COUNTS, value)))
            least, most = -math.inf, math.inf
        before = count
        least = max(least, (count - FINE - value) / (step - at))
        most = min(most, (count + FINE - value) / (step - at))
    points.append((len(counts), 0.0))
    return points
