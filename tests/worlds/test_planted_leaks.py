"""Would it be noticed? Each of many leaks, planted in the real code, is found by the harness."""

from functools import partial

import leaks_of_appearance
import leaks_of_daemon
import leaks_of_peeks
import leaks_of_process
import leaks_of_rules
import leaks_of_service
import leaks_of_sound
import pytest
from pairs import checks, daemon_worlds, rules_worlds
from planting import Leak, found_in, planted
from refused_covers import evenings_with_refused_covers, trace_of_refused_covers
from sounders import sound_of

MOST_GAMES, MOST_EVENINGS = 100, 24
"""So many pairs are looked at for a leak, at most."""
A_FEW = 4


evenings = partial(daemon_worlds, length=12, messy=0.8)
GAMES = partial(checks, rules_worlds, "planted")
EVENINGS = partial(checks, evenings, "planted")


OF_THE_RULES = (*leaks_of_rules.LEAKS, *leaks_of_appearance.IN_THE_RULES)


@pytest.mark.parametrize("leak", planted("rules", OF_THE_RULES))
def test_a_leak_from_the_rules_is_found(leak: Leak) -> None:
    found_in(leak, GAMES(range(MOST_GAMES)))


OF_THE_DAEMON = (
    *leaks_of_daemon.LEAKS,
    *leaks_of_appearance.AT_THE_TABLE,
    *leaks_of_process.LEAKS,
    *leaks_of_peeks.IN_WORD_GAMES,
    *leaks_of_sound.IN_WORD_GAMES,
    *leaks_of_service.LEAKS,
)


@pytest.mark.parametrize("leak", planted("daemon", OF_THE_DAEMON))
def test_a_leak_from_the_daemon_is_found(leak: Leak) -> None:
    if leak.by == "refused covers":
        with_covers = evenings_with_refused_covers("planted covers", MOST_EVENINGS, first=10)
        found_in(leak, (partial(trace_of_refused_covers, evening) for evening in with_covers))
    else:
        found_in(leak, EVENINGS(range(MOST_EVENINGS)))


@pytest.mark.parametrize("leak", planted("speech", leaks_of_sound.IN_WORDS))
def test_a_leak_in_what_is_spoken_is_found(leak: Leak) -> None:
    speaking = (n for n in range(MOST_EVENINGS) if sound_of(f"planted/{n}").speech != "off")
    found_in(leak, EVENINGS(speaking))


@pytest.mark.mutation
def test_without_a_leak_the_same_worlds_look_alike() -> None:
    for check in (*GAMES(range(MOST_GAMES)), *EVENINGS(range(A_FEW))):
        assert not (found := check()), found[0]
