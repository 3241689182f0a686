"""Would it be noticed? Each of many leaks, planted in the real code, is found by the harness."""

from collections.abc import Callable, Iterable
from functools import cache, partial

import leaks_of_daemon
import leaks_of_rules
import pytest
from pairs import Worlds, daemon_worlds, pairs, rules_worlds
from planting import Leak
from refused_covers import evenings_with_refused_covers, trace_of_refused_covers
from seen import Difference

MOST_GAMES, MOST_EVENINGS = 100, 8
"""So many pairs are looked at for a leak, at most."""


@cache
def games() -> list[Worlds]:
    return [*pairs(rules_worlds, "planted", MOST_GAMES)]


@cache
def evenings() -> list[Worlds]:
    return [*pairs(partial(daemon_worlds, length=10, messy=0.4), "planted", MOST_EVENINGS)]


def found_in(leak: Leak, checks: Iterable[Callable[[], list[Difference]]]) -> None:
    """The leak must be found by one of these checks, where it is expected."""
    with leak.plant():
        for number, check in enumerate(checks, 1):
            if found := check():
                where = [difference.what for difference in found]
                print(f"{leak.name}: found by {leak.by} {number}, in {', '.join(where)}")
                assert any(what.startswith(leak.seen_in) for what in where), found[0]
                return
    pytest.fail("Nothing noticed it.")


@pytest.mark.parametrize("leak", leaks_of_rules.LEAKS, ids=lambda leak: leak.name)
def test_a_leak_from_the_rules_is_found(leak: Leak) -> None:
    found_in(leak, (partial(worlds.parted, afresh=True) for worlds in games()))


@pytest.mark.parametrize("leak", leaks_of_daemon.LEAKS, ids=lambda leak: leak.name)
def test_a_leak_from_the_daemon_is_found(leak: Leak) -> None:
    if leak.by == "refused covers":
        with_covers = evenings_with_refused_covers("planted covers", MOST_EVENINGS)
        found_in(leak, (partial(trace_of_refused_covers, evening) for evening in with_covers))
    else:
        found_in(leak, (partial(worlds.parted, afresh=True) for worlds in evenings()))


def test_without_a_leak_the_same_worlds_look_alike() -> None:
    for worlds in (*games(), *evenings()):
        assert not (how := worlds.told_apart(afresh=True)), how
