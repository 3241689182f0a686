"""A program that stands still makes no guess of a finger that is lifted in time.

Through the controller's own firmware, the link and the engine, in virtual time.
"""

from collections import Counter
from random import Random

import pytest
from abused_table import play
from evenings_of_abuse import HOLD, Evening, Stall, Touch

from pi_table.engine.intents import EVIDENCE_SECONDS
from pi_table.geometry import CELL_COUNT, PLACES
from pi_table.simulator.emulated import Build
from pi_table.simulator.hands import FINGER_COUNTS, FINGER_MS

LONGEST = 3.0
LONGEST_HEARD = 0.12
"""Seconds for which the program may stand still in a hold that counts: after 0.15 s without a state
the link does not know any more whether the finger is there, and the latest state is up to 0.02 s
old, and was some time on its way."""
SURELY_IN_TIME = HOLD - 0.02
"""Seconds: the controller feels a lift as late as a touch, give or take."""
REST = 1.2
"""Seconds in which the table comes to rest."""
TOUCHES: dict[Build, int] = {"host": 100, "emulated": 10}
MANY: dict[Build, int] = {"host": 1000, "emulated": 200}


def evening(seed: str, count: int, *, lifted: bool, timers_first: bool) -> Evening:
    """So many touches, in each of which the program stands still; each is lifted in time, or held
    long enough."""
    chance = Random(seed)
    shortest = 1.1 * EVIDENCE_SECONDS if timers_first else 0.0
    now = REST
    touches, stalls, lines = [], [], []
    for _ in range(count):
        place = chance.randrange(CELL_COUNT)
        away = chance.uniform(shortest, LONGEST if lifted else LONGEST_HEARD)
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
