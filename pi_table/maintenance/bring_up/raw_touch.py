"""Observes a touch by the pads' raw counts. This also works while the thresholds are wrong.

The functions are pure: each reading has its time in seconds. A finger lowers a pad's filtered
count. The difference from the count without a finger is the pad's *load*.
"""

import enum
from collections.abc import Callable, Iterator, Sequence
from statistics import median, pstdev
from typing import Final

import msgspec

from pi_table.devices.wire.settings import PAD_COUNT

Loads = tuple[float | None, ...]
"""The load of each of the 31 pads in counts; None for a pad that cannot be read."""


class Reading(msgspec.Struct, frozen=True):
    """The counts of all pads at one moment."""

    at: float
    counts: tuple[int | None, ...]
    """Filtered counts of the 31 pads (0 … 1023); None for a pad that cannot be read."""


class Quiet(msgspec.Struct, frozen=True):
    """The level and the noise of one pad without a touch."""

    level: float
    """Median of the pad's counts."""
    noise: float
    """Four standard deviations, in counts. A band of this width contains about 95 of 100 readings.
    """


Quiets = tuple[Quiet | None, ...]


class Pace(msgspec.Struct, frozen=True):
    """Durations in seconds of the parts of a touch."""

    rest: float = 0.4
    """Seconds without a touch before the person is asked to touch a pad."""
    settle: float = 0.25
    """Seconds from the contact until the finger is flat on the pad."""
    hold: float = 0.75
    """Seconds for which the flat finger is measured. The median is the touch's delta."""
    after: float = 0.25
    """Seconds that are recorded after the finger is lifted."""
    patience: float = 20.0
    """Timeout in seconds for the finger's contact, and again for its lift."""


class Stage(enum.Enum):
    """The stages of a touch, each with its instruction to the person at the table."""

    REST = "hands off"
    TOUCH = "hold a finger on it"
    HOLD = "keep it there"
    LIFT = "lift it"


class Touch(msgspec.Struct, frozen=True):
    """The record of one touch. Pads are numbered from 0 to 30."""

    quiet: Quiets
    deltas: Loads = (0.0,) * PAD_COUNT
    """Median load of each pad during the hold; 0 if no finger came, None if the pad cannot be
    read."""
    begun: float | None = None
    """Time in seconds of the finger's contact; None if no finger came."""
    course: tuple[tuple[float, Loads], ...] = ()
    """The loads with their times in seconds, from just before the contact until after the lift."""
    lifted: bool = True

    def strongest(self) -> int | None:
        """Return the number of the pad that reacted most; None if no pad reacted."""
        reacting = [pad for pad in range(PAD_COUNT) if reacts(self.quiet[pad], self.deltas[pad])]
        return max(reacting, key=lambda pad: self.deltas[pad] or 0.0, default=None)


SURE: Final = 3
"""Number of consecutive readings that must agree before they count as a contact or a lift."""
RESTS: Final = 3
"""Maximum number of measurements without a touch before each touch."""
BEFORE_SECONDS: Final = 0.3
"""Seconds that are recorded before the finger's contact."""
FOLLOWS: Final = 0.01
"""Share (0 … 1) by which each reading moves a pad's quiet level towards the new count, until a
finger comes. The level follows a drift of minutes, but not a finger of one second."""


def quiet(readings: Sequence[Reading], least: float = 1.0) -> Quiets:
    """Return each pad's level and noise; None for a pad that could be read in less than the share
    ``least`` (0 … 1) of the readings."""
    pads: list[Quiet | None] = []
    for pad in range(PAD_COUNT):
        counts = [count for one in readings if (count := one.counts[pad]) is not None]
        whole = bool(counts) and len(counts) >= least * len(readings)
        pads.append(Quiet(median(counts), 4 * pstdev(counts)) if whole else None)
    return tuple(pads)


def snr(delta: float, noise: float) -> float:
    """Return ``delta`` divided by ``noise``. Noise below the resolution of one count is taken as
    one count."""
    return delta / max(noise, 1)


def reacts(quiet: Quiet | None, load: float | None) -> bool:
    """True if a pad with this level and noise has a load that its noise cannot cause."""
    return quiet is not None and load is not None and load >= _least(quiet)


def during(readings: Iterator[Reading], seconds: float) -> list[Reading]:
    """Return the readings of the next ``seconds`` seconds; at least two readings."""
    taken = [next(readings), next(readings)]
    while taken[-1].at - taken[0].at < seconds:
        taken.append(next(readings))
    return taken


def watch(
    readings: Iterator[Reading], noise: Quiets, pace: Pace, tell: Callable[[Stage], None]
) -> Touch:
    """Observe one touch of any pad until the finger is lifted.

    ``noise`` is from a longer measurement without a touch. ``tell`` is called with each new stage.
    """
    until = next(readings).at + pace.patience
    while True:
        tell(Stage.REST)
        levels = _Levels(_resting(readings, noise, pace.rest), noise)
        touch = _attempt(readings, levels, pace, until, tell)
        if touch is not None:
            return touch


def _resting(readings: Iterator[Reading], noise: Quiets, seconds: float) -> Quiets:
    """Return the levels without a touch. Measure again, `RESTS` times at most, if a pad is lost:
    the controller restarts a chip after strong noise."""
    for _ in range(RESTS):
        resting = quiet(during(readings, seconds))
        if not any(known and one is None for known, one in zip(noise, resting, strict=True)):
            break
    return resting


def _attempt(
    readings: Iterator[Reading],
    levels: "_Levels",
    pace: Pace,
    until: float,
    tell: Callable[[Stage], None],
) -> Touch | None:
    """Return a touch that begins before the time `until`. If no finger comes, return a `Touch`
    without contact.

    Return None if a pad could not be read: its chip was then restarted, which changes the levels.
    """
    recent: list[tuple[float, Loads]] = []
    while True:
        tell(Stage.TOUCH)
        contact = _contact(readings, levels, recent, until)
        if contact is None:
            return None if levels.has_lost(recent[-1][1]) else Touch(levels.quiet())
        tell(Stage.HOLD)
        for reading in during(readings, pace.settle + pace.hold):
            recent.append((reading.at, levels.loads(reading)))
        since = [(at - contact, loads) for at, loads in recent if at >= contact]
        if any(levels.has_lost(loads) for _, loads in since):
            return None
        held = [loads for at, loads in since if at >= pace.settle]
        deltas = tuple(_median([loads[pad] for loads in held]) for pad in range(PAD_COUNT))
        if any(map(reacts, levels.quiet(), deltas)):
            break  # otherwise the finger only brushed a pad
    tell(Stage.LIFT)
    lifted = _lift(readings, levels, recent, deltas, pace.patience)
    for reading in during(readings, pace.after):
        recent.append((reading.at, levels.loads(reading)))
    return Touch(levels.quiet(), deltas, contact, tuple(recent), lifted)


class _Levels:
    """The quiet level of each pad. It follows slow drift."""

    def __init__(self, resting: Quiets, noise: Quiets) -> None:
        self._quiet = [
            None if one is None or known is None else Quiet(one.level, known.noise)
            for one, known in zip(resting, noise, strict=True)
        ]

    def quiet(self) -> Quiets:
        return tuple(self._quiet)

    def loads(self, reading: Reading) -> Loads:
        return tuple(
            None if one is None or count is None else one.level - count
            for one, count in zip(self._quiet, reading.counts, strict=True)
        )

    def has_lost(self, loads: Loads) -> bool:
        """True if a pad that had a level cannot be read now."""
        return any(
            one is not None and load is None for one, load in zip(self._quiet, loads, strict=True)
        )

    def follow(self, reading: Reading) -> None:
        for pad, load in enumerate(self.loads(reading)):
            one = self._quiet[pad]
            if one is None or load is None:
                continue
            # Counts rise only if a hand that was there from the start leaves: the level was wrong.
            share = 1.0 if load <= -_least(one) else FOLLOWS
            self._quiet[pad] = Quiet(one.level - share * load, one.noise)


def _contact(
    readings: Iterator[Reading], levels: _Levels, recent: list[tuple[float, Loads]], until: float
) -> float | None:
    """Return the time of a finger's contact; append all readings to ``recent``. Return None if no
    finger came by ``until``, or if a pad could not be read."""
    row = 0
    for reading in readings:
        loads = levels.loads(reading)
        recent.append((reading.at, loads))
        if levels.has_lost(loads):
            return None
        row = row + 1 if any(map(reacts, levels.quiet(), loads)) else 0
        if row == SURE:
            return recent[-SURE][0]
        if row == 0:
            levels.follow(reading)
            recent[:] = [one for one in recent if reading.at - one[0] <= BEFORE_SECONDS]
            if reading.at > until:
                return None
    return None


def _lift(
    readings: Iterator[Reading],
    levels: _Levels,
    recent: list[tuple[float, Loads]],
    deltas: Loads,
    patience: float,
) -> bool:
    """Wait until the touched pads are released. Return False if they are not released within
    ``patience`` seconds."""
    touched = [pad for pad, one in enumerate(levels.quiet()) if reacts(one, deltas[pad])]
    until, row = recent[-1][0] + patience, 0
    for reading in readings:
        loads = levels.loads(reading)
        recent.append((reading.at, loads))
        held = any((loads[pad] or 0.0) > (deltas[pad] or 0.0) / 2 for pad in touched)
        row = 0 if held else row + 1
        if row == SURE or reading.at > until:
            break
    return row == SURE


def _least(quiet: Quiet) -> float:
    """Return the smallest load that counts as this pad's reaction."""
    return max(4.0, quiet.noise + 2)


def _median(loads: Sequence[float | None]) -> float | None:
    known = [load for load in loads if load is not None]
    return median(known) if known else None
