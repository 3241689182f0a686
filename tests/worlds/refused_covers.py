"""Signs of a refused cover for others: the same evening, with and without it."""

from collections.abc import Iterable, Iterator
from itertools import count, islice

import daemon_world
from evenings import Evening, plan
from seen import Difference, Seen, differences

THEIRS = ("console", daemon_world.SCREEN_OF)
"""Prefixes of the observables that only people at the hidden screen see."""


def evenings_with_refused_covers(name: str, number: int, first: int = 0) -> Iterator[Evening]:
    """So many evenings in which covers are refused, from seed ``name/first`` on."""
    planned = (plan(f"{name}/{seed}", messy=0.0) for seed in count(first))
    likely = (evening for evening in planned if evening.covers_refused)
    return islice((one for one in likely if daemon_world.watch(one).wrong_covers), number)


def trace_of_refused_covers(evening: Evening) -> list[Difference]:
    """Return the signs of the refused covers that others could see."""
    watched = daemon_world.watch(evening)
    without = daemon_world.watch(evening.without(watched.wrong_covers))
    assert watched.wrong_covers, f"No cover was refused in the evening of {evening.seed!r}."
    return differences(_of_others(watched.seen), _of_others(without.seen))


def _of_others(seen: Iterable[Seen]) -> list[Seen]:
    return [one for one in seen if not one.what.startswith(THEIRS)]
