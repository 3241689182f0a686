"""ALL-1 at the whole table: sockets, lights, log, files and process tell nothing of the key."""

from collections import Counter

import pytest
from pairs import daemon_worlds, pairs
from refused_covers import evenings_with_refused_covers, trace_of_refused_covers

PAIRS = 20
MANY_PAIRS = 2_000
EVENINGS = 4
MANY_EVENINGS = 300


def test_evenings_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, ALL-2, ALL-3, ALL-4, ALL-5, CN-18
    kinds: Counter[str] = Counter()
    for worlds in pairs(daemon_worlds, "daemon", PAIRS):
        assert not (how := worlds.told_apart()), how
        kinds.update(seen.what for seen in worlds.seen_here or ())
    assert min(kinds[what] for what in EVERYTHING) > 0, kinds


EVERYTHING = (
    "console",
    "files",
    "lights",
    "log",
    "output",
    "output's length",
    "pi-table journal check",
    "pi-table record",
    "pi-table record 1",
    "process",
    "public socket, one that listens",
    "public socket, one that sleeps",
    "public socket, one that speaks",
)


@pytest.mark.torture
def test_many_evenings_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, ALL-2, ALL-3, ALL-4, ALL-5, CN-18
    for worlds in pairs(daemon_worlds, "many evenings", MANY_PAIRS):
        assert not (how := worlds.told_apart()), how
    print(f"{MANY_PAIRS} pairs of evenings look alike.")


def test_a_refused_cover_shows_nothing_to_anybody_else() -> None:  # ALL-1, CN-18
    for evening in evenings_with_refused_covers("covers", EVENINGS):
        trace = trace_of_refused_covers(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"


@pytest.mark.torture
def test_many_refused_covers_show_nothing_to_anybody_else() -> None:  # ALL-1, CN-18
    for evening in evenings_with_refused_covers("many covers", MANY_EVENINGS):
        trace = trace_of_refused_covers(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"
