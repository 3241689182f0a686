"""ALL-1, CX-18 at the whole table: nothing outside the hidden screen tells anything of the agents.

Two worlds are two deals of Codex, with the same acts, or others in their place, at the same times.
"""

from collections.abc import Iterator
from functools import partial

import leaks_of_codex_daemon
import leaks_of_peeks
import leaks_of_sound
import pytest
from daemon_world import SCREEN_OF
from pairs import (
    LISTENER,
    Worlds,
    checks,
    codex_worlds,
    look_alike,
    many_look_alike,
    shown,
)
from planting import Leak, found_in, planted

PAIRS = 3
SHORT = (10, 3, 5, *range(11, 40))
"""Evenings of one phase. So many are compared, and more until everything was shown; the first ones
show all."""
MANY_PAIRS = 300
SEEDS = (5, 8, 7, 37, *range(20, 50))
"""Evenings that are looked at for a leak, at most; the first ones show many."""


short = partial(codex_worlds, phases=1)
tidy = partial(codex_worlds, phases=1, messy=0.0)


def test_games_of_codex_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-9, CX-11, CX-14, CX-16, CX-18, CX-19
    def shows(worlds: Worlds) -> Iterator[object]:
        assert worlds.here != worlds.there
        yield worlds.there.otherwise  # type: ignore[attr-defined]
        for seen in worlds.seen_here or ():
            yield SCREEN_OF if seen.what.startswith(SCREEN_OF) else seen.what
        yield from shown(worlds)

    look_alike(short, "codex, short", SHORT, PAIRS, shows, EVERYTHING)
    look_alike(codex_worlds, "codex", range(20), 1)


EVERYTHING = (
    *(True, False),  # do the agents enter something else in the other world?
    SCREEN_OF,  # of those who see nothing different
    *("send", "act", "discuss", "vote", "machine", "over", "added", "votes", "revealed"),
    "together",
    "announced",
    "console",
    "files",
    "lights",
    "log",
    "output",
    "pi-table journal check",
    "pi-table record",
    "process",
    LISTENER,
    "public socket, one that sleeps",
    "public socket, one that speaks",
    "sound",
)


@pytest.mark.torture
def test_many_games_of_codex_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-9, CX-11, CX-14, CX-16, CX-18, CX-19
    many_look_alike(codex_worlds, "many games of codex", MANY_PAIRS, "evenings of Codex")


LEAKS = (*leaks_of_codex_daemon.LEAKS, *leaks_of_peeks.IN_CODEX, *leaks_of_sound.IN_CODEX)


@pytest.mark.parametrize("leak", planted("codex", LEAKS))
def test_a_leak_from_a_game_of_codex_is_found(leak: Leak) -> None:
    found_in(leak, checks(tidy, "planted", SEEDS))
