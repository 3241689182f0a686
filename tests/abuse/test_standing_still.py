"""A program or a controller that stands still makes no guess of a finger that is lifted in time.

Through the controller's own firmware, the link and the engine, in virtual time.
"""

from collections import Counter
from random import Random

import pytest
from abused_table import play
from evenings_of_abuse import HOLD, Evening, Stall, Touch

from pi_table.common.geometry import CELL_COUNT, PLACES
from pi_table.devices.wire.link import Link
from pi_table.simulator.emulated import Build
from pi_table.simulator.hands import FINGER_COUNTS, FINGER_MS
from pi_table.table.engine.touches.intents import EVIDENCE_SECONDS

MAX_STALL_SECONDS = 3.0
SURELY_IN_TIME = HOLD - 0.02
"""Seconds: the controller feels a lift as late as a touch, give or take."""
UNHEARD_IN_TIME = HOLD - EVIDENCE_SECONDS - 0.02
"""The same where what tells the lift may be lost: what is felt counts for so long."""
FOUND_IN_TIME = HOLD - 0.04
"""The same for a finger that lies there when a stall of the controller ends: it is felt at once,
and its lift as late as ever."""
REST = 1.2
"""Seconds in which the table comes to rest."""
TOUCHES: dict[Build, int] = {"host": 8, "emulated": 2, "pi": 8}
MANY: dict[Build, int] = {"host": 1000, "emulated": 200, "pi": 1000}
STATE_BYTES, STATE_EVERY = 54, 0.02
"""Bytes of a state on the line, and seconds between two states while a place is touched."""
FELT_AGAIN = 0.15
"""Seconds after its lift in which a finger that comes again is not felt to have been away."""


def evening(seed: str, count: int, *, lifted: bool, timers_first: bool) -> Evening:
    """So many touches, in each of which the program stands still; each is lifted in time, or held
    long enough."""
    chance = Random(seed)
    shortest = 1.1 * EVIDENCE_SECONDS if timers_first else 0.0
    now = REST
    touches, stalls, lines = [], [], []
    for _ in range(count):
        place = chance.randrange(CELL_COUNT)
        away = chance.uniform(shortest, MAX_STALL_SECONDS)
        begins = chance.uniform(0.0, SURELY_IN_TIME)
        if lifted:
            seconds = chance.uniform(begins, SURELY_IN_TIME)
        else:
            seconds = HOLD + away + EVIDENCE_SECONDS
            touches.append(Touch(place, now, now + seconds))
        stalls.append(Stall(now + begins, now + begins + away, timers_first))
        lines.append((now, f"shape 0 {PLACES[place]} {FINGER_MS}:{FINGER_COUNTS}"))
        lines.append((now + seconds, f"shape 0 {PLACES[place]} {FINGER_MS}:0"))
        now += max(seconds, begins + away) + REST
    return Evening(seed, now, touches, [], lines, Counter(), {}, stalls)


def harmed_evening(seed: str, count: int) -> Evening:
    """So many touches, each lifted in time, while the program stands still and more goes wrong: the
    port is full before the stall is over, states are lost, or the wire is cut. The finger is lifted
    at the stall's very end, or comes again and is lifted once more."""
    chance = Random(seed)
    now = REST
    stalls, lines = [], []
    for _ in range(count):
        place = PLACES[chance.randrange(CELL_COUNT)]
        harm = chance.choice(("full", "lossy", "cut", "none"))
        in_time = SURELY_IN_TIME if harm == "none" else UNHEARD_IN_TIME
        begins, lift = sorted(chance.uniform(0.0, in_time) for _ in range(2))
        again = chance.random() < 0.3
        if again:
            away = FELT_AGAIN + chance.uniform(0.3, MAX_STALL_SECONDS)
        else:
            away = chance.choice(
                (lift - begins + chance.uniform(0.0, 0.03), chance.uniform(0.1, MAX_STALL_SECONDS))
            )
        ends = begins + away
        fingers = [(0.0, True), (lift, False)]
        if again:
            comes = lift + FELT_AGAIN + chance.uniform(0.0, 0.3)
            fingers += [(comes, True), (comes + chance.uniform(0.1, in_time), False)]
        for at, down in fingers:
            counts = FINGER_COUNTS if down else 0
            lines.append((now + at, f"shape 0 {place} {FINGER_MS}:{counts}"))
        room = None
        match harm:
            case "full":
                room = round(chance.uniform(0.0, away / STATE_EVERY) * STATE_BYTES)
            case "lossy":
                for _ in range(chance.randint(1, 5)):
                    cut = chance.uniform(begins, ends)
                    lines += [(now + cut, "unplug"), (now + cut + chance.uniform(0.0, 0.2), "plug")]
            case "cut":
                cut = chance.uniform(begins, ends)
                lines += [(now + cut, "unplug"), (now + ends + chance.uniform(-0.1, 1.0), "plug")]
        stalls.append(Stall(now + begins, now + ends, chance.random() < 0.5, room))
        now += max(fingers[-1][0], ends) + 1.0 + REST
        lines.append((now - REST, "plug"))
    lines.sort(key=lambda line: line[0])
    return Evening(seed, now, [], [], lines, Counter(), {}, stalls)


MIN_AWAY = 0.06
"""Seconds for which a finger is lifted before it is put back."""


def stalled_controller_evening(seed: str, count: int, both: bool) -> Evening:
    """So many touches, none as long as a hold, in each of which the controller stands still; if
    ``both``, the program does too. The finger is lifted meanwhile; or lifted and put back; or held
    until soon after the stall, but in all no longer than a hold."""
    chance = Random(seed)
    now = REST
    stalls, lines = [], []
    for _ in range(count):
        place = PLACES[chance.randrange(CELL_COUNT)]
        begins = chance.uniform(0.05, SURELY_IN_TIME - 0.1)
        away = chance.choice((0.1, 0.13, chance.uniform(0.05, MAX_STALL_SECONDS)))
        ends = begins + away
        match chance.choice(("lifted", "put back", "held")):
            case "put back" if away > MIN_AWAY + 0.02:
                lift = chance.uniform(begins, ends - MIN_AWAY - 0.01)
                back = chance.uniform(lift + MIN_AWAY, ends)
                fingers = [(0.0, True), (lift, False), (back, True)]
                fingers.append((back + chance.uniform(0.1, FOUND_IN_TIME), False))
            case "held" if ends < SURELY_IN_TIME:
                fingers = [(0.0, True), (chance.uniform(ends, SURELY_IN_TIME), False)]
            case _:
                lift = chance.uniform(begins, min(ends, SURELY_IN_TIME))
                fingers = [(0.0, True), (lift, False)]
        for at, down in fingers:
            counts = FINGER_COUNTS if down else 0
            lines.append((now + at, f"shape 0 {place} {FINGER_MS}:{counts}"))
        lines.append((now + begins, f"stall {away * 1000:.0f}"))
        if both:
            late = chance.uniform(0.0, 0.2)
            stalls.append(Stall(now + begins + late, now + ends + late, chance.random() < 0.5))
        now += max(fingers[-1][0], ends) + 1.0 + REST
    lines.sort(key=lambda line: line[0])
    return Evening(seed, now, [], [], lines, Counter(), {}, stalls)


def check(build: Build, count: int, timers_first: bool) -> None:
    away = play(evening(f"lifted/{build}", count, lifted=True, timers_first=timers_first), build)
    held = play(evening(f"held/{build}", count, lifted=False, timers_first=timers_first), build)
    print(
        f"\n{build}, timers first: {timers_first}: {count} lifted in time, {len(away.false)} of "
        f"them guesses; {len(held.fair)} held, {len(held.missed)} of them no guesses."
    )
    assert away.false == []
    assert held.false == []
    assert held.missed == []
    assert len(held.fair) > count // 2  # the others lay on cells that were covered already


@pytest.mark.parametrize("timers_first", [False, True])
@pytest.mark.parametrize("build", TOUCHES)
def test_only_what_is_held_is_a_guess(build: Build, timers_first: bool) -> None:
    check(build, TOUCHES[build], timers_first)


@pytest.mark.torture
@pytest.mark.parametrize("timers_first", [False, True])
@pytest.mark.parametrize("build", MANY)
def test_of_many_touches_only_what_is_held_is_a_guess(build: Build, timers_first: bool) -> None:
    check(build, MANY[build], timers_first)


@pytest.mark.parametrize("build", TOUCHES)
def test_whatever_else_goes_wrong_a_finger_that_was_lifted_is_no_guess(build: Build) -> None:
    assert play(harmed_evening(f"harmed/{build}", TOUCHES[build]), build).false == []


@pytest.mark.torture
@pytest.mark.parametrize("build", MANY)
def test_whatever_else_goes_wrong_of_many_fingers_that_were_lifted_none_is_a_guess(
    build: Build,
) -> None:
    assert play(harmed_evening(f"many harmed/{build}", MANY[build]), build).false == []


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("build", TOUCHES)
def test_a_controller_that_stands_still_makes_no_guess_of_a_lifted_finger(
    build: Build, both: bool
) -> None:
    count = 3 * TOUCHES[build]
    assert play(stalled_controller_evening(f"stalled/{build}", count, both), build).false == []


@pytest.mark.torture
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("build", MANY)
def test_of_many_fingers_lifted_while_the_controller_stands_still_none_is_a_guess(
    build: Build, both: bool
) -> None:
    evening = stalled_controller_evening(f"many stalled/{build}", MANY[build], both)
    assert play(evening, build).false == []


def test_a_link_that_does_not_ask_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes what lay at the port for new, as it would without a stall."""
    monkeypatch.setattr(Link, "is_late", False)
    assert play(harmed_evening("caught", 60)).false
