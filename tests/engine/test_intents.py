"""Intents, as tables of {time, what is touched, what is meant}, and their state machine."""

from math import ceil
from pathlib import Path
from random import Random

import pytest
from diagrams import diagram_in

import pi_table.table.engine
from pi_table.common.config import CHOICES
from pi_table.devices.hal.contracts import HEARTBEAT, TouchFrame
from pi_table.table.engine.touches.intents import (
    EVIDENCE_SECONDS,
    LEFT_BEHIND_SECONDS,
    MODES,
    SETTLING_SECONDS,
    TABLE,
    TAP_SECONDS,
    Hands,
    Hold,
    Intents,
    Mode,
    Sign,
)

PLACES = "ABCDE"
README = Path(pi_table.table.engine.__file__).with_name("README.md")


def played(table: str, mode: Mode, step: float | None = HEARTBEAT) -> str:
    """The table as the intents have it, after an empty first frame.

    A row says when; what is touched then (``-``: nothing; after ``%``: where noise is; after ``~``:
    what cannot be read; after ``#``: which of the touched are heavy; ``?``: late; ``!``: blocked;
    ``*``: no frame, time passes; ``x``: no frame, what was begun is withdrawn); and what is meant
    by it, or since the row before, if anything is. Between two rows time passes in such steps, and
    while a place is touched the frame comes again as the contract of the drivers has it; None:
    nothing happens at all.
    """
    intents = Intents(mode)
    intents.frame(TouchFrame(), 0.0)
    rows, before, latest = [], 0.0, TouchFrame()
    for row in table.split(", "):
        at, given = row.split()[:2]
        meant = None if step is None else passed(intents, latest, before, float(at), step)
        then = play(intents, row)
        rows.append(then if meant is None else f"{then} {PLACES[meant]}")
        before = float(at)
        if given not in ("*", "x"):
            latest = felt(given)
    return ", ".join(rows)


def passed(
    intents: Intents, frame: TouchFrame, begun: float, until: float, step: float
) -> int | None:
    """Let time pass in steps, with the frame that comes again; what was meant meanwhile."""
    meant = None
    again = begun + HEARTBEAT
    for number in range(1, ceil((until - begun) / step)):
        now = begun + number * step
        if frame.touched and now >= again:
            again = now + HEARTBEAT
            assert intents.frame(frame, now) is None
        found = intents.tick(now)
        assert meant is None or found is None
        meant = found if meant is None else meant
    return meant


def play(intents: Intents, row: str) -> str:
    """Give them what a row says; answer with the row as the intents have it."""
    at, touched = row.split()[:2]
    meant = None
    if touched == "*":
        meant = intents.tick(float(at))
    elif touched == "x":
        intents.withdraw()
    else:
        meant = intents.frame(felt(touched), float(at))
    return f"{at} {touched}" if meant is None else f"{at} {touched} {PLACES[meant]}"


def felt(row: str) -> TouchFrame:
    rest, _, noisy = row.removesuffix("!").partition("%")
    rest, _, deaf = rest.partition("~")
    fingers, _, heavy = rest.removesuffix("?").partition("#")
    late, blocked = rest.endswith("?"), row.endswith("!")
    return TouchFrame(
        places(fingers), places(deaf), places(heavy), blocked, late=late, noisy=places(noisy)
    )


def places(names: str) -> frozenset[int]:
    return frozenset(PLACES.index(name) for name in names if name != "-")


TABLES: dict[str, tuple[Mode, str]] = {
    "a place that is held for its time is meant, once": (
        "hold",
        "1.0 A, 1.2 *, 1.4 * A, 1.5 *, 9.0 *",
    ),
    "an instant too early is too early": ("hold", "1.0 A, 1.399999 *, 1.4 * A"),
    "lifting withdraws": ("hold", "1.0 A, 1.39 -, 1.4 *, 2.0 *"),
    "a finger that is lifted at the very end has withdrawn": ("hold", "1.0 A, 1.4 -, 1.4 *"),
    "after lifting, another hold needs its whole time": (
        "hold",
        "1.0 A, 1.3 -, 1.31 A, 1.7 *, 1.71 * A",
    ),
    "a frame that says the same again takes nothing away": ("hold", "1.0 A, 1.1 A, 1.3 A, 1.4 * A"),
    "a spent finger means nothing until it is lifted": (
        "hold",
        "1.0 A, 1.4 * A, 5.0 A, 6.0 *, 6.1 -, 6.5 A, 7.0 * A",
    ),
    "a spent finger that slides on means nothing": ("hold", "1.0 A, 1.4 * A, 1.5 B, 3.0 *"),
    "sliding to the next place withdraws": ("hold", "1.0 A, 1.3 B, 1.4 *, 1.7 *, 3.0 *"),
    "sliding there and back withdraws too": ("hold", "1.0 A, 1.1 B, 1.2 A, 1.6 *, 3.0 *"),
    "two places at once mean nothing": ("hold", "1.0 AB, 1.4 *, 3.0 *"),
    "a second finger withdraws a hold": ("hold", "1.0 A, 1.2 AB, 1.4 *, 3.0 *"),
    "a palm of which one finger stays means nothing": ("hold", "1.0 ABC, 1.1 A, 1.5 *, 9.0 *"),
    "a palm that changes means nothing": ("hold", "1.0 AB, 1.1 CD, 1.2 E, 9.0 *"),
    "after a palm everything must be lifted": ("hold", "1.0 AB, 1.1 B, 1.2 -, 1.8 B, 2.2 * B"),
    "a place that goes deaf while it is held has withdrawn": (
        "hold",
        "1.0 A, 1.2 ~A, 1.4 *, 1.5 A, 9.0 *",
    ),
    "a cup that stands on a place while it cannot be read is no finger": (
        "hold",
        "1.0 ~A, 2.0 A, 2.4 *, 9.0 *",
    ),
    "it counts again once it was lifted": ("hold", "1.0 ~A, 2.0 A, 3.0 -, 3.6 A, 4.0 * A"),
    "another place that cannot be read is no hindrance": ("hold", "1.0 ~B, 2.0 A~B, 2.4 * A"),
    "a tap is meant at once, once": ("tap", "1.0 A A, 1.0 *, 1.1 A, 1.2 -, 1.3 A A"),
    "two places are no tap, nor is what stays of them": ("tap", "1.0 AB, 1.1 A, 1.2 -, 1.8 B B"),
    "a tap that slides is one tap": ("tap", "1.0 A A, 1.1 B, 1.2 C"),
    "the second tap is meant": ("tap-twice", "1.0 A, 1.1 -, 1.5 A A, 1.6 A, 1.7 -"),
    "a third tap is a first one": ("tap-twice", "1.0 A, 1.1 -, 1.2 A A, 1.3 -, 1.4 A"),
    "resting is not tapping twice": ("tap-twice", "1.0 A, 1.5 A, 2.0 *, 2.5 A"),
    "a second tap that comes too late is a first one": (
        "tap-twice",
        "1.0 A, 1.1 -, 3.0 A, 3.1 -, 3.2 A A",
    ),
    "a second tap in the last instant is meant": ("tap-twice", "1.0 A, 1.1 -, 2.999 A A"),
    "a tap elsewhere is a first one": (
        "tap-twice",
        "1.0 A, 1.1 -, 1.65 B, 1.7 -, 2.25 A, 2.3 -, 2.4 A A",
    ),
    "a palm between two taps makes them two first ones": (
        "tap-twice",
        "1.0 A, 1.1 -, 1.2 AB, 1.3 -, 1.9 A",
    ),
    "a tap that slid was none": ("tap-twice", "1.0 A, 1.1 B, 1.2 -, 1.8 A, 1.9 -, 2.0 A A"),
    "a cup that was there before is no tap": ("tap-twice", "1.0 ~A, 1.1 A, 1.2 -, 1.3 A"),
    "a place that goes deaf elsewhere withdraws, and it settles": (
        "hold",
        "1.0 A, 1.2 A~B, 1.4 *, 2.0 ~B, 2.4 C~B, 2.8 *, 3.0 ~B, 3.5 C~B, 3.9 * C",
    ),
    "what lay there while it went deaf may have been calibrated away": (
        "hold",
        "1.0 A#A, 1.5 A, 4.5 *, 5.0 ~A, 6.0 -, 7.0 A, 7.4 *, 8.0 -, 8.5 A, 8.9 * A",
    ),
    "a place that went deaf with nothing there is as good as before": (
        "hold",
        "1.0 ~A, 2.0 -, 2.5 A, 2.9 * A",
    ),
    # Noise.
    "what is touched where noise is means nothing": ("hold", "1.0 A%A, 1.4 *, 3.0 *"),
    "noise withdraws a hold": ("hold", "1.0 A, 1.3 A%A, 1.4 *, 3.0 *"),
    "a finger that was there before the noise ended is none": (
        "hold",
        "1.0 A%A, 2.0 A, 2.4 *, 3.0 -, 3.6 A, 4.0 * A",
    ),
    "nor is one that noise made unclear meanwhile": (
        "hold",
        "1.0 A, 1.2 A%A, 1.25 A, 1.7 *, 3.0 *",
    ),
    "after noise under a finger it must settle": (
        "hold",
        "1.0 A, 1.2 A%A, 1.3 A, 1.4 -, 1.85 B, 2.3 *, 2.4 -, 3.0 B, 3.4 * B",
    ),
    "noise elsewhere hinders nobody": ("hold", "1.0 %B, 2.0 A%B, 2.2 AB%B, 2.4 * A"),
    "nor does it when it comes and goes where nothing is felt": (
        "hold",
        "1.0 A, 1.1 A%B, 1.2 A, 1.3 A%BC, 1.4 * A",
    ),
    "noise nearly everywhere blocks the grid": ("hold", "1.0 A%BCD, 1.2 A%BCDE, 1.4 *, 3.0 *"),
    "noise at three other places does not": ("hold", "1.0 A%BCD, 1.4 * A"),
    "something heavy where noise is blocks the grid": (
        "hold",
        "1.0 B#B%B, 2.0 AB#B%B, 2.4 *, 3.0 %B, 3.6 A%B, 4.0 * A",
    ),
    "water does not dry because there is noise": (
        "hold",
        "1.0 A%B!, 1.4 *, 2.0 %B, 2.5 A%B, 2.9 * A",
    ),
    "noise at a thing that was left behind hinders nobody": (
        "hold",
        "1.0 A#A, 2.0 A, 5.1 AB, 5.3 AB%A, 5.5 * B, 5.7 AB, 6.3 *",
    ),
    "what is felt when noise ends is no second finger's end": (
        "hold",
        "1.0 AB%B, 1.3 AB, 1.4 *, 3.0 *",
    ),
    "a place where noise was is as good as before": ("hold", "1.0 A%A, 2.0 -, 2.5 A, 2.9 * A"),
    "a body that lay under noise when its place went deaf must be lifted first": (
        "hold",
        "1.0 A#A%A, 1.2 ~A, 1.5 -, 3.0 A, 3.4 *, 4.0 -, 4.6 A, 5.0 * A",
    ),
    "noise that was no body leaves no doubt": ("hold", "1.0 A%A, 1.2 ~A, 1.5 -, 3.0 A, 3.4 * A"),
    "noise is no tap": ("tap", "1.0 A%A, 1.1 A, 2.0 -, 3.0 A A"),
    "noise between two taps makes them two first ones": (
        "tap-twice",
        "1.0 A, 1.1 A%A, 1.2 -, 1.8 A, 1.9 -, 2.0 A A",
    ),
    # What is more than a finger.
    "something heavy is no finger": ("hold", "1.0 A#A, 1.4 *, 3.0 *"),
    "what becomes heavy at any moment means nothing": ("hold", "1.0 A, 1.3 A#A, 1.4 *, 3.0 *"),
    "nor does it when it gets lighter again": ("hold", "1.0 A#A, 1.1 A, 1.5 *, 3.0 *"),
    "something heavy is no tap": ("tap", "1.0 A#A, 1.1 A, 2.0 -, 3.0 A A"),
    "a tap that turned heavy was none": (
        "tap-twice",
        "1.0 A, 1.1 A#A, 1.2 -, 1.8 A, 1.9 -, 2.0 A A",
    ),
    # Water, and arms on the rim.
    "a grid that is blocked means nothing": ("hold", "1.0 !, 1.1 A!, 1.5 *, 3.0 *"),
    "being blocked withdraws": ("hold", "1.0 A, 1.3 A!, 1.4 *, 1.5 A, 3.0 *"),
    "being blocked elsewhere withdraws a first tap": (
        "tap-twice",
        "1.0 A, 1.1 -, 1.2 !, 1.3 -, 1.9 A",
    ),
    # Settling.
    "after a palm nothing is meant before it has settled": (
        "hold",
        "1.0 AB, 1.2 -, 1.69 C, 2.09 *, 3.0 *",
    ),
    "then it is": ("hold", "1.0 AB, 1.2 -, 1.7 C, 2.1 * C"),
    "what was touched too soon must settle too": (
        "hold",
        "1.0 AB, 1.2 -, 1.5 C, 1.6 -, 2.09 C, 2.5 *, 2.6 -, 3.1 C, 3.5 * C",
    ),
    "after something heavy it must settle": ("hold", "1.0 A#A, 2.0 -, 2.4 B, 2.8 *, 9.0 *"),
    "after being blocked it must settle": ("hold", "1.0 !, 2.0 -, 2.4 B, 2.8 *, 9.0 *"),
    "a tap after one that was meant is another's soon": ("tap", "1.0 A A, 1.1 -, 1.25 B B"),
    "no tap is meant before it has settled": ("tap", "1.0 AB, 1.2 -, 1.6 C, 1.7 -, 2.3 C C"),
    # Movements.
    "what comes right after another place's lift is a movement": (
        "hold",
        "1.0 A, 1.1 -, 1.15 B, 1.6 *, 3.0 *",
    ),
    "so it is where that one had been meant": (
        "hold",
        "1.0 A, 1.4 * A, 1.5 -, 1.59 B, 2.0 *, 3.0 *",
    ),
    "what comes later is another's": ("hold", "1.0 A, 1.4 * A, 1.5 -, 1.61 B, 2.02 * B"),
    "after a touch that was not meant it is another's only when it has settled": (
        "hold",
        "1.0 A, 1.1 -, 1.59 B, 2.0 *, 2.6 -, 3.11 C, 3.6 * C",
    ),
    "the same place may be touched again at once": ("hold", "1.0 A, 1.1 -, 1.15 A, 1.55 * A"),
    "a movement that has gone on may pause longer": (
        "hold",
        "1.0 A, 1.1 -, 1.2 B, 1.3 -, 1.7 C, 2.1 *, 2.6 -, 3.1 D, 3.5 * D",
    ),
    "who was taken for a movement may try again there": (
        "hold",
        "1.0 A, 1.1 -, 1.2 B, 1.6 -, 1.65 B, 2.1 * B",
    ),
    "of a wipe by taps only the first is meant": (
        "tap",
        "1.0 A A, 1.1 -, 1.2 B, 1.3 -, 1.7 C, 1.8 -, 2.4 D D",
    ),
    # What is left behind.
    "a finger that rests where it has guessed leaves the table to others": (
        "hold",
        "1.0 A, 1.4 * A, 4.4 *, 5.0 AB, 5.4 * B",
    ),
    "but not at once": ("hold", "1.0 A, 1.4 * A, 4.3 *, 4.3 AB, 4.7 *, 9.0 *"),
    "and when it is lifted it means nothing": (
        "hold",
        "1.0 A, 1.4 * A, 4.4 *, 9.0 -, 9.4 *, 10.0 A, 10.4 * A",
    ),
    "what was moved from where it was left is no finger": (
        "hold",
        "1.0 A, 1.4 * A, 4.4 *, 5.0 AB, 5.3 B, 5.4 *, 5.8 *, 8.2 *, 9.0 *",
    ),
    "what was left is no finger when somebody takes hold of it": (
        "hold",
        "1.0 A, 1.4 * A, 4.4 *, 5.0 AB, 5.3 AB#A, 5.4 *, 5.5 A, 9.0 *",
    ),
    "a cup that came down heavily is left too, once nobody holds it": (
        "hold",
        "1.0 A#A, 2.0 A, 5.0 *, 5.1 AB, 5.5 * B",
    ),
    "an elbow is never left": ("hold", "1.0 A#A, 9.0 AB#A, 9.4 *, 10.0 A#A, 20.0 AB#A, 30.0 *"),
    "what was heavy meanwhile is left only when it has been light for as long": (
        "hold",
        "1.0 A, 1.4 * A, 2.0 A#A, 4.0 A, 6.9 *, 6.95 AB, 7.5 *, 9.0 A, 12.0 *, 12.1 AB, 12.5 * B",
    ),
    "so is what was wet meanwhile": (
        "hold",
        "1.0 A, 1.4 * A, 2.0 A!, 4.0 A, 6.9 *, 6.95 AB, 7.5 *, 9.0 A, 12.0 *, 12.1 AB, 12.5 * B",
    ),
    "what somebody took hold of counts as touched again": (
        "hold",
        "1.0 A, 1.4 * A, 4.4 *, 5.0 A#A, 5.5 A, 6.5 AB, 7.0 *, 7.5 *",
    ),
    "two things are not left": ("hold", "1.0 AB, 9.0 ABC, 9.4 *, 19.0 *"),
    "when a cup is taken away the table must settle": (
        "hold",
        "1.0 A#A, 2.0 A, 5.0 *, 6.0 -, 6.4 B, 6.8 *, 9.0 *",
    ),
    "nor is a finger meant that comes down where it stood": (
        "hold",
        "1.0 A#A, 2.0 A, 5.0 *, 6.0 -, 6.3 A, 6.8 *, 9.0 *",
    ),
    "a finger that is lifted beside a cup has withdrawn": (
        "hold",
        "1.0 A#A, 2.0 A, 5.0 *, 5.0 AB, 5.39 A, 5.4 *, 6.0 *",
    ),
    "a cup that stood there when it could not be read is left": (
        "hold",
        "1.0 ~A, 2.0 A, 5.0 *, 5.1 AB, 5.5 * B",
    ),
    "what rests while it is wet is not left": (
        "hold",
        "1.0 A!, 5.0 A, 7.0 AB, 7.5 *, 10.0 *",
    ),
}


@pytest.mark.parametrize("step", [HEARTBEAT, 0.013, 0.001])
@pytest.mark.parametrize("name", TABLES)
def test_what_is_meant(name: str, step: float) -> None:
    mode, table = TABLES[name]
    assert played(table, mode, step) == table


STALLS = {
    "a frame read late never completes a hold": "1.0 A, 9.0 -, 9.0 *",
    "not even a late frame with the finger still there, but the time after it does": (
        "1.0 A, 9.0 A, 9.0 * A"
    ),
    "a hold is not complete on what was felt long ago": "1.0 A, 1.4 *, 9.0 *",
    "it is on what was felt just now": "0.0 A, 0.351 A, 0.4 * A",
    "an instant longer ago is too long": "1.0 A, 1.349 A, 1.4 *",
    "it waits for the next frame, and for the time after that": "1.0 A, 1.4 *, 3.0 A, 3.0 * A",
    "that time may be too late as well": "1.0 A, 1.4 *, 3.0 A, 3.051 *, 3.2 A, 3.225 * A",
    "nor is it complete on what is told late, though it is told again and again": (
        "1.0 A, 1.4 *, 3.0 A?, 3.0 *, 3.02 A?, 3.02 *, 3.04 A, 3.04 * A"
    ),
    "nor if what was felt just now is late all the same": "1.0 A, 1.39 A, 1.4 A?, 1.4 *",
    "what is begun late is complete in its own time": "1.0 A?, 1.38 A, 1.399 *, 1.4 * A",
    "it is not complete if the finger was lifted": "1.0 A, 1.4 *, 3.0 -, 3.0 *, 4.0 *",
    "nor if the lift lies behind a touch": "1.0 A, 1.4 *, 3.0 A, 3.0 -, 3.0 *",
    "nor if another touch lies behind the lift, which has its own time": (
        "1.0 A, 1.4 *, 3.0 -, 3.0 A, 3.0 *, 3.36 A, 3.399 *, 3.4 * A"
    ),
    "nor if another finger has come": "1.0 A, 1.4 *, 3.0 AB, 3.0 *, 3.1 A, 3.1 *",
    "nor if it has become heavy": "1.0 A, 1.4 *, 3.0 A#A, 3.0 *, 3.1 A, 3.1 *",
    "nor if it cannot be read any more": "1.0 A, 1.4 *, 3.0 ~A, 3.0 *, 3.1 A, 3.1 *",
    "nor if it was withdrawn meanwhile": "1.0 A, 1.4 *, 2.0 x, 3.0 A, 3.0 *",
    "an elbow is not left meanwhile": "1.0 A#A, 4.5 *, 5.0 AB, 5.35 AB, 5.4 *",
    "nor what is wet": "1.0 A!, 4.5 *, 5.0 AB, 5.35 AB, 5.4 *",
}
"""Holds; between two rows the program stands still, and no frame comes."""


@pytest.mark.parametrize("name", STALLS)
def test_what_is_meant_when_the_program_stands_still(name: str) -> None:
    assert played(STALLS[name], "hold", None) == STALLS[name]


class Stalled:
    """A finger on A1, and a program that stands still from ``begins`` for ``seconds``.

    The touch grid tells each change and, while it is touched, tells it again. What it told
    meanwhile is taken all at once at the end.
    """

    def __init__(self, begins: float, seconds: float) -> None:
        self.meant: list[int] = []
        self._intents = Intents()
        self._intents.frame(TouchFrame(), 0.0)
        self._now = 0.0
        self._begins, self._ends = begins, begins + seconds

    def hold(self, seconds: float, timers_first: bool = False) -> "Stalled":
        """Touch at 1.0 for so long. ``timers_first``: timers run before the unread frames."""
        frames = [(1.0 + HEARTBEAT * beat, felt("A")) for beat in range(ceil(seconds / HEARTBEAT))]
        frames.append((1.0 + seconds, felt("-")))
        self._take([frame for frame in frames if frame[0] < self._begins])
        self._pass(self._begins)
        self._now = self._ends
        if timers_first:
            self._tick()
        for at, frame in frames:
            if self._begins <= at < self._ends:
                self._intents.frame(frame, self._now)
        self._tick()
        self._take([frame for frame in frames if frame[0] >= self._ends])
        self._pass(9.0)
        return self

    def _take(self, frames: list[tuple[float, TouchFrame]]) -> None:
        for at, frame in frames:
            self._pass(at)
            self._intents.frame(frame, at)

    def _pass(self, until: float) -> None:
        """Let time pass, and tick whenever the intents want it before then."""
        while (wakes := self._intents.wakes) is not None and wakes < until:
            self._now = max(self._now, wakes)
            self._tick()
        self._now = until

    def _tick(self) -> None:
        meant = self._intents.tick(self._now)
        if meant is not None:
            self.meant.append(meant)


MANY = 1000


@pytest.mark.parametrize("timers_first", [False, True])
def test_a_finger_that_is_lifted_in_time_is_no_guess_however_long_the_program_stood_still(
    timers_first: bool,
) -> None:
    """Where its time comes before what lies there, it must have stood for longer than what counts
    as fresh; in which order the loop does it is the daemon's to see to."""
    shortest = EVIDENCE_SECONDS * 1.001 if timers_first else 0.0
    for seed in range(MANY):
        chance = Random(seed)
        lifted = chance.uniform(0.0, 0.399)
        stall = Stalled(1.0 + chance.uniform(0.0, lifted), chance.uniform(shortest, 3.0))
        assert stall.hold(lifted, timers_first).meant == [], seed


@pytest.mark.parametrize("timers_first", [False, True])
def test_a_finger_that_is_held_is_a_guess_however_long_the_program_stood_still(
    timers_first: bool,
) -> None:
    for seed in range(MANY):
        chance = Random(seed)
        begins, seconds = chance.uniform(0.0, 0.5), chance.uniform(0.0, 3.0)
        # It was not seen to come down before the end of a stall that began at once.
        held = max(begins + seconds, 0.4) + 0.4 + HEARTBEAT
        stall = Stalled(1.0 + begins, seconds)
        assert stall.hold(held, timers_first).meant == [0], seed


@pytest.mark.parametrize("mode", MODES)
def test_what_rests_on_the_table_when_it_starts_is_not_meant(mode: Mode) -> None:
    intents = Intents(mode)
    assert intents.frame(TouchFrame(frozenset({3})), 0.0) is None
    assert intents.tick(9.0) is None
    assert intents.touched == frozenset()  # it was left there
    assert intents.frame(TouchFrame(), 10.0) is None
    assert intents.hands is Hands.AWAY


def test_a_hold_is_there_to_be_seen_from_its_first_frame() -> None:
    intents = Intents("hold", 0.5)
    intents.frame(TouchFrame(), 0.0)
    intents.frame(TouchFrame(frozenset({7})), 2.0)
    assert intents.hold == Hold(7, 2.0, 2.5)
    assert intents.hands is Hands.HOLDING


def test_what_was_withdrawn_must_be_lifted_first() -> None:
    intents = Intents()
    intents.frame(TouchFrame(), 0.0)
    intents.frame(TouchFrame(frozenset({7})), 1.0)
    intents.withdraw()
    assert (intents.hold, intents.hands, intents.wakes) == (None, Hands.SPENT, None)
    assert intents.frame(TouchFrame(frozenset({7})), 1.1) is None
    assert intents.tick(2.0) is None
    intents.frame(TouchFrame(), 3.0)
    intents.frame(TouchFrame(frozenset({7})), 4.0)
    intents.frame(TouchFrame(frozenset({7})), 4.36)
    assert intents.tick(4.4) == 7


def test_a_first_tap_that_was_withdrawn_is_forgotten_though_the_hand_is_away() -> None:
    intents = Intents("tap-twice")
    intents.frame(TouchFrame(), 0.0)
    intents.frame(TouchFrame(frozenset({7})), 1.0)
    intents.frame(TouchFrame(), 1.1)
    intents.withdraw()
    assert intents.hands is Hands.AWAY
    assert intents.frame(TouchFrame(frozenset({7})), 1.2) is None


def test_all_that_waits_for_time_says_so() -> None:
    """A caller that follows the requested times sees every change at its instant."""
    intents = Intents()
    intents.frame(TouchFrame(), 0.0)
    intents.frame(felt("AB"), 1.0)
    assert (intents.hands, intents.wakes) == (Hands.UNCLEAR, None)
    intents.frame(felt("-"), 2.0)
    assert (intents.hands, intents.wakes) == (Hands.SETTLING, 2.0 + SETTLING_SECONDS)
    intents.tick(2.0 + SETTLING_SECONDS)
    assert (intents.hands, intents.wakes) == (Hands.AWAY, None)
    intents.frame(felt("C"), 3.0)
    assert (intents.hands, intents.wakes) == (Hands.HOLDING, 3.4)
    intents.tick(3.4)
    assert (intents.hands, intents.wakes) == (Hands.HOLDING, None)  # it waits for a frame
    intents.frame(felt("C"), 3.4)
    assert (intents.hands, intents.wakes) == (Hands.HOLDING, 3.4)
    intents.tick(3.4)
    assert (intents.hands, intents.wakes) == (Hands.SPENT, 3.4 + LEFT_BEHIND_SECONDS)
    intents.tick(3.4 + LEFT_BEHIND_SECONDS)
    assert (intents.hands, intents.wakes, intents.touched) == (Hands.AWAY, None, frozenset())


@pytest.mark.parametrize("begun", [0.1 + 0.2, 1e6 + 0.1, 1 / 3, 12345.678901])
def test_at_the_instant_that_was_named_there_is_something_to_do(begun: float) -> None:
    # Rounding must not leave a caller at an instant at which nothing is due yet, for ever.
    for mode in ("hold", "tap-twice"):
        intents = Intents(mode)
        intents.frame(TouchFrame(), 0.0)
        intents.frame(TouchFrame(frozenset({7})), begun)
        wakes = intents.wakes
        assert wakes is not None
        intents.frame(TouchFrame(frozenset({7})), wakes - HEARTBEAT / 2)
        assert intents.wakes == wakes
        intents.tick(wakes)
        assert intents.hold is None
        assert intents.wakes is None or intents.wakes > wakes


def test_a_first_tap_fades_by_itself() -> None:
    intents = Intents("tap-twice")
    intents.frame(TouchFrame(), 0.0)
    intents.frame(TouchFrame(frozenset({7})), 1.0)
    assert intents.wakes == 1.0 + TAP_SECONDS
    intents.tick(1.0 + TAP_SECONDS)
    assert intents.hold is None


def test_every_mode_that_there_is_can_be_configured() -> None:
    assert CHOICES["touch", "intent"] == MODES


# The state machine


class Walked(Intents):
    """Intents that note each step of their state machine."""

    def __init__(self, mode: Mode) -> None:
        super().__init__(mode)
        self.steps: list[tuple[Hands, Sign, Hands]] = []

    def _see(self, sign: Sign) -> None:
        before = self.hands
        super()._see(sign)
        self.steps.append((before, sign, self.hands))


ARROWS = {(start, sign, end) for sign, leads in TABLE.items() for start, end in leads.items()}
WALKS: dict[str, tuple[Mode, str]] = {
    "away --pressed-> holding": ("hold", "1.0 A"),
    "away --tapped-> spent": ("tap", "1.0 A A"),
    "away --strayed-> unclear": ("hold", "1.0 A, 1.1 -, 1.15 B"),
    "holding --strayed-> unclear": ("hold", "1.0 A, 1.1 B"),
    "spent --strayed-> unclear": ("tap", "1.0 A A, 1.1 B"),
    "away --disturbed-> unclear": ("hold", "1.0 AB"),
    "holding --disturbed-> unclear": ("hold", "1.0 A, 1.1 AB"),
    "spent --disturbed-> unclear": ("tap", "1.0 A A, 1.1 A#A"),
    "settling --disturbed-> unclear": ("hold", "1.0 AB, 1.1 -, 1.2 C"),
    "holding --lifted-> away": ("hold", "1.0 A, 1.1 -"),
    "spent --lifted-> away": ("tap", "1.0 A A, 1.1 -"),
    "unclear --lifted-> away": ("hold", "1.0 A, 1.1 B, 1.2 -"),
    "unclear --cleared-> settling": ("hold", "1.0 AB, 1.1 -"),
    "holding --held-> spent": ("hold", "1.0 A, 1.4 A, 1.4 * A"),
    "holding --withdrawn-> spent": ("hold", "1.0 A, 1.1 x"),
    "settling --settled-> away": ("hold", "1.0 AB, 1.1 -, 1.6 *"),
    "spent --left behind-> away": ("tap", "1.0 A A, 4.0 *"),
    "unclear --left behind-> away": ("hold", "1.0 A, 1.1 B, 4.1 *"),
}
"""For each arrow a table, as above, whose last row walks it."""


@pytest.mark.parametrize(("start", "sign", "end"), sorted(ARROWS, key=str))
def test_every_arrow_is_walked(start: Hands, sign: Sign, end: Hands) -> None:
    mode, table = WALKS[f"{start.value} --{sign.value}-> {end.value}"]
    intents = Walked(mode)
    intents.frame(TouchFrame(), 0.0)
    *before, last = table.split(", ")
    for row in before:
        assert play(intents, row) == row
    assert intents.hands is start
    intents.steps.clear()
    assert play(intents, last) == last
    assert intents.steps == [(start, sign, end)]
    assert intents.hands is end


def test_there_is_a_walk_for_nothing_else() -> None:
    arrows = {f"{start.value} --{sign.value}-> {end.value}" for start, sign, end in ARROWS}
    assert arrows == WALKS.keys()


def test_no_sign_is_without_a_row() -> None:
    assert [*TABLE] == [*Sign]


def test_the_readme_shows_every_arrow_of_the_table() -> None:
    arrows = {(start.value, sign.value, end.value) for start, sign, end in ARROWS}
    assert diagram_in(README) == ({Intents().hands.value}, arrows)
