"""Observes a touch by raw counts alone, so that it works without good thresholds.

The functions are pure: readings come in with their times, in seconds. A finger lowers a pad's
filtered count; the difference to the pad's quiet level is the pad's *load*.
"""

import enum
from collections.abc import Callable, Iterator, Sequence
from statistics import median, pstdev
from typing import Final

import msgspec

from pi_table.devices.wire.settings import PAD_COUNT

Loads = tuple[float | None, ...]
"""Counts of each of the 31 pads below its quiet level; None for a pad that cannot be read."""


class Reading(msgspec.Struct, frozen=True):
    """The counts of all pads at one instant."""

    at: float
    counts: tuple[int | None, ...]
    """Filtered counts of the 31 pads (0 … 1023); None for a pad that cannot be read."""


class Quiet(msgspec.Struct, frozen=True):
    """The level and the noise of a pad that no finger touches."""

    level: float
    """Median of the pad's counts."""
    noise: float
    """Width in counts of the band with 95 of 100 readings: four standard deviations."""


Quiets = tuple[Quiet | None, ...]


class Pace(msgspec.Struct, frozen=True):
    """Lengths in seconds of the parts of a touch."""

    rest: float = 0.4
    """Seconds without a touch before the person is asked to touch a pad."""
    settle: float = 0.25
    """Seconds from the contact until the finger is flat on the pad."""
    hold: float = 0.75
    """Seconds for which the flat finger is measured; the touch's delta is the median."""
    after: float = 0.25
    """Seconds that are recorded after the finger is lifted."""
    patience: float = 20.0
    """Longest time in seconds to wait for a finger's contact, and again for its lift."""


class Stage(enum.Enum):
    """The present task of the person at the table."""

    REST = "hands off"
    TOUCH = "hold a finger on it"
    HOLD = "keep it there"
    LIFT = "lift it"


class Touch(msgspec.Struct, frozen=True):
    """The record of one touch. Pads are numbered from 0 to 30."""

    quiet: Quiets
    deltas: Loads = (0.0,) * PAD_COUNT
    """Median load of each pad while held; 0 without a finger, None if it cannot be read."""
    begun: float | None = None
    """Time of the finger's contact in seconds; None if no finger came."""
    course: tuple[tuple[float, Loads], ...] = ()
    """All loads by time in seconds, from shortly before the contact to after the lift."""
    lifted: bool = True

    def strongest(self) -> int | None:
        """Return the number of the pad that reacted most; None if no pad reacted."""
        reacting = [pad for pad in range(PAD_COUNT) if reacts(self.quiet[pad], self.deltas[pad])]
        return max(reacting, key=lambda pad: self.deltas[pad] or 0.0, default=None)


SURE: Final = 3
"""Number of consecutive readings that must agree before a contact or a lift counts."""
BEFORE_SECONDS: Final = 0.3
"""Seconds that are recorded before the finger's contact."""
FOLLOWS: Final = 0.01
"""Share by which a quiet level follows the pad's count with each reading until a finger comes: fast
enough for a drift over minutes, too slow for a finger of one second."""


def quiet(readings: Sequence[Reading]) -> Quiets:
    """Return each pad's level and noise; None for a pad that was not always readable."""
    pads: list[Quiet | None] = []
    for pad in range(PAD_COUNT):
        counts = [count for one in readings if (count := one.counts[pad]) is not None]
        whole = bool(counts) and len(counts) == len(readings)
        pads.append(Quiet(median(counts), 4 * pstdev(counts)) if whole else None)
    return tuple(pads)


def snr(delta: float, noise: float) -> float:
    """Return a finger's delta divided by the noise, at least by one count (the resolution)."""
    return delta / max(noise, 1)


def reacts(quiet: Quiet | None, load: float | None) -> bool:
    """True if this load is greater than the pad's own noise."""
    return quiet is not None and load is not None and load >= _least(quiet)


def during(readings: Iterator[Reading], seconds: float) -> list[Reading]:
    """Return the readings of this many seconds from now, at least two readings."""
    taken = [next(readings), next(readings)]
    while taken[-1].at - taken[0].at < seconds:
        taken.append(next(readings))
    return taken


def watch(
    readings: Iterator[Reading], noise: Quiets, pace: Pace, tell: Callable[[Stage], None]
) -> Touch:
    """Observe one touch of any pad to its end. `noise` is from a longer measurement without a
    touch; `tell` gets the person's next task."""
    until = next(readings).at + pace.patience
    while True:
        tell(Stage.REST)
        levels = _Levels(quiet(during(readings, pace.rest)), noise)
        touch = _attempt(readings, levels, pace, until, tell)
        if touch is not None:
            return touch


def _attempt(
    readings: Iterator[Reading],
    levels: "_Levels",
    pace: Pace,
    until: float,
    tell: Callable[[Stage], None],
) -> Touch | None:
    """Return a touch that begins before the time `until`. Return None if a pad could not be read.
    Its chip is then restarted, which changes the levels."""
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
            break  # otherwise it was only brushed
    tell(Stage.LIFT)
    lifted = _lift(readings, levels, recent, deltas, pace.patience)
    for reading in during(readings, pace.after):
        recent.append((reading.at, levels.loads(reading)))
    return Touch(levels.quiet(), deltas, contact, tuple(recent), lifted)


class _Levels:
    """The quiet level of each pad, which follows slow drift."""

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
            # Counts rise only if a hand goes that was there from the start. The level was wrong.
            share = 1.0 if load <= -_least(one) else FOLLOWS
            self._quiet[pad] = Quiet(one.level - share * load, one.noise)


def _contact(
    readings: Iterator[Reading], levels: _Levels, recent: list[tuple[float, Loads]], until: float
) -> float | None:
    """Return the time of a finger's contact, and append all readings to ``recent``. Return None if
    no finger came by ``until``, or if a pad could not be read."""
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
    """Wait until the pads are released; return False after ``patience`` seconds."""
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
    """Return the smallest load of a pad that counts as a reaction."""
    return max(4.0, quiet.noise + 2)


def _median(loads: Sequence[float | None]) -> float | None:
    known = [load for load in loads if load is not None]
    return median(known) if known else None
