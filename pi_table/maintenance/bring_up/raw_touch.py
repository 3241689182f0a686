"""A touch, watched by raw counts alone: thresholds need not be right, nor even sensible.

Pure: readings come in with their times, in seconds. A finger lowers a pad's filtered count; by how
much it lies below the pad's quiet level is the pad's *load*.
"""

import enum
from collections.abc import Callable, Iterator, Sequence
from statistics import median, pstdev
from typing import Final

import msgspec

from pi_table.devices.wire.settings import PAD_COUNT

Loads = tuple[float | None, ...]
"""Counts below the quiet level, for each of the 31 pads; None where a pad cannot be read."""


class Reading(msgspec.Struct, frozen=True):
    """All pads at one instant."""

    at: float
    counts: tuple[int | None, ...]
    """The filtered counts of the 31 pads (0 … 1023); None: cannot be read."""


class Quiet(msgspec.Struct, frozen=True):
    """A pad that nobody touches."""

    level: float
    """The median of the pad's counts."""
    noise: float
    """The band that 95 of 100 readings of the pad lie in, in counts: four standard deviations."""


Quiets = tuple[Quiet | None, ...]


class Pace(msgspec.Struct, frozen=True):
    """How long each part of a touch takes, in seconds."""

    rest: float = 0.4
    """How long nobody touches anything before a pad is asked for."""
    settle: float = 0.25
    """How long it takes from the contact until the finger lies flat."""
    hold: float = 0.75
    """How long the finger is measured after it lies flat; the delta is the median of that time."""
    after: float = 0.25
    """How long is recorded after the lift."""
    patience: float = 20.0
    """How long is waited for a finger to come, and for it to go."""


class Stage(enum.Enum):
    """What the person at the table has to do."""

    REST = "hands off"
    TOUCH = "hold a finger on it"
    HOLD = "keep it there"
    LIFT = "lift it"


class Touch(msgspec.Struct, frozen=True):
    """What was recorded of one touch."""

    quiet: Quiets
    deltas: Loads = (0.0,) * PAD_COUNT
    """The median load of each pad while the finger was held; 0 where no finger came, None where
    the pad cannot be read."""
    begun: float | None = None
    """When the contact began, in seconds; None if no finger came."""
    course: tuple[tuple[float, Loads], ...] = ()
    """The loads over time, in seconds, from shortly before the contact until shortly after the
    lift."""
    lifted: bool = True

    def strongest(self) -> int | None:
        """The pad that reacted most, None if none did."""
        reacting = [pad for pad in range(PAD_COUNT) if reacts(self.quiet[pad], self.deltas[pad])]
        return max(reacting, key=lambda pad: self.deltas[pad] or 0.0, default=None)


SURE: Final = 3
"""Readings in a row that must agree before a contact or a lift counts."""
BEFORE_SECONDS: Final = 0.3
"""How much is recorded from before a contact."""
FOLLOWS: Final = 0.01
"""The share by which a quiet level goes to its pad's count with each reading, until a finger comes:
a drift of minutes is followed, a finger of a second is not."""


def quiet(readings: Sequence[Reading]) -> Quiets:
    """Each pad at rest; None for one that could not be read every time, or if there are none."""
    pads: list[Quiet | None] = []
    for pad in range(PAD_COUNT):
        counts = [count for one in readings if (count := one.counts[pad]) is not None]
        whole = bool(counts) and len(counts) == len(readings)
        pads.append(Quiet(median(counts), 4 * pstdev(counts)) if whole else None)
    return tuple(pads)


def snr(delta: float, noise: float) -> float:
    """Signal to noise: a finger's delta over the noise, of which there is at least the one count
    that the chip resolves."""
    return delta / max(noise, 1)


def reacts(quiet: Quiet | None, load: float | None) -> bool:
    """Is this load more than the pad does by itself?"""
    return quiet is not None and load is not None and load >= _least(quiet)


def during(readings: Iterator[Reading], seconds: float) -> list[Reading]:
    """The readings of the next seconds, at least two."""
    taken = [next(readings), next(readings)]
    while taken[-1].at - taken[0].at < seconds:
        taken.append(next(readings))
    return taken


def watch(
    readings: Iterator[Reading], noise: Quiets, pace: Pace, tell: Callable[[Stage], None]
) -> Touch:
    """Watch one touch, of whatever pad, to its end; `noise` is from a longer rest before it, and
    `tell` is told what the person has to do next."""
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
    """A touch that begins before `until`; None if a pad could not be read any more: its chip is
    started anew then, and has other levels."""
    recent: list[tuple[float, Loads]] = []
    while True:
        tell(Stage.TOUCH)
        contact = _contact(readings, levels, recent, until)
        if contact is None:
            return None if levels.lost(recent[-1][1]) else Touch(levels.quiet())
        tell(Stage.HOLD)
        for reading in during(readings, pace.settle + pace.hold):
            recent.append((reading.at, levels.loads(reading)))
        since = [(at - contact, loads) for at, loads in recent if at >= contact]
        if any(levels.lost(loads) for _, loads in since):
            return None
        held = [loads for at, loads in since if at >= pace.settle]
        deltas = tuple(_median([loads[pad] for loads in held]) for pad in range(PAD_COUNT))
        if any(map(reacts, levels.quiet(), deltas)):
            break  # otherwise that was a brush
    tell(Stage.LIFT)
    lifted = _lift(readings, levels, recent, deltas, pace.patience)
    for reading in during(readings, pace.after):
        recent.append((reading.at, levels.loads(reading)))
    return Touch(levels.quiet(), deltas, contact, tuple(recent), lifted)


class _Levels:
    """The quiet level of each pad, as it drifts."""

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

    def lost(self, loads: Loads) -> bool:
        """Is there a pad that had a level, and cannot be read?"""
        return any(
            one is not None and load is None for one, load in zip(self._quiet, loads, strict=True)
        )

    def follow(self, reading: Reading) -> None:
        for pad, load in enumerate(self.loads(reading)):
            one = self._quiet[pad]
            if one is None or load is None:
                continue
            # Only a hand that lay there all the time can go: then the level was wrong.
            share = 1.0 if load <= -_least(one) else FOLLOWS
            self._quiet[pad] = Quiet(one.level - share * load, one.noise)


def _contact(
    readings: Iterator[Reading],
    levels: _Levels,
    recent: list[tuple[float, Loads]],
    until: float,
) -> float | None:
    """When a finger came, in seconds; None if none came by ``until``, or if a pad was lost. Leaves
    in ``recent`` what was read at that time."""
    row = 0
    for reading in readings:
        loads = levels.loads(reading)
        recent.append((reading.at, loads))
        if levels.lost(loads):
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
    """Wait until what was touched no longer is; False if it still was when patience ended."""
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
    """The load from which on a pad has reacted."""
    return max(4.0, quiet.noise + 2)


def _median(loads: Sequence[float | None]) -> float | None:
    known = [load for load in loads if load is not None]
    return median(known) if known else None
