"""ALL-1 at a table without a hidden screen: the operator's desk begins games and shows the codes of
seats. Spymasters have the key on their phones, and all six agents of Codex have phones."""

from collections.abc import Iterator
from functools import lru_cache, partial

import leaks_of_the_desk
import msgspec
import pytest
from daemon_world import SCREEN_OF
from pairs import (
    Worlds,
    checks,
    codex_pages_worlds,
    look_alike,
    many_look_alike,
    screenless_worlds,
    shown,
)
from planting import Leak, found_in, planted

PAIRS = 1
MANY_PAIRS = 500
SEEDS = (1, 0, *range(2, 16))
"""Evenings that are compared, at most; the first one shows all."""
LEAKY = (3, 0, 2, *range(4, 16))
"""Evenings that are looked at for a leak, at most; the first one shows each."""
NAME_IN_CODEX = "codex, no screen"
IN_CODEX = (5, 0, *range(6, 16))
"""Evenings of Codex for both, at most; the first one shows all, and the first two each leak."""
make = partial(screenless_worlds, length=10, messy=0.1)
make_codex = partial(codex_pages_worlds, screenless=True)
make_codex_once = lru_cache(1)(make_codex)
"""The first evening is compared, and then looked at for leaks."""
EVERYTHING = (
    *("desk", "desk: phone", "desk: started", "pages, the desk", "pages, a viewer"),
    *("phone of red-spymaster", "phone of blue-spymaster"),
)
EVERYTHING_IN_CODEX = (
    *("desk", "desk: phone", "desk: record", "desk: started", "pages, the desk", "pages, a viewer"),
    *("send", "act", "discuss", "vote", "machine", "over", "together", "votes", "revealed"),
    *(f"phone of agent-{number}" for number in range(1, 7)),
    SCREEN_OF,  # what agents see on their phones who see nothing different
    *("announced", "lights", "sound", "sealed socket"),
)


def _shows(worlds: Worlds) -> Iterator[str]:
    yield from shown(worlds)
    for seen in worlds.seen_here or ():
        yield SCREEN_OF if seen.what.startswith(SCREEN_OF) else seen.what
        if seen.what == "desk":
            assert isinstance(seen.value, bytes)
            told = msgspec.json.decode(seen.value)["told"]
            for field, what in (("for", "phone"), ("game", "started"), ("lines", "record")):
                if isinstance(told, dict) and told.get(field):
                    yield f"desk: {what}"


def test_evenings_without_a_screen_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    look_alike(make, "no screen", SEEDS, PAIRS, _shows, EVERYTHING)


def test_games_of_codex_without_a_screen_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-11, CX-16, CX-18, CX-19, CX-20
    look_alike(make_codex_once, NAME_IN_CODEX, IN_CODEX, PAIRS, _shows, EVERYTHING_IN_CODEX)


@pytest.mark.torture
def test_many_games_of_codex_without_a_screen_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-11, CX-16, CX-18, CX-19, CX-20
    name = "many of codex without a screen"
    many_look_alike(make_codex, name, MANY_PAIRS, "evenings of Codex without a screen")


@pytest.mark.torture
def test_many_evenings_without_a_screen_look_alike() -> None:  # ALL-1
    many_look_alike(make, "many without a screen", MANY_PAIRS, "evenings without a screen")


@pytest.mark.parametrize("leak", planted("no screen", leaks_of_the_desk.LEAKS))
def test_a_leak_to_the_desk_is_found(leak: Leak) -> None:
    found_in(leak, checks(make, "planted desks", LEAKY))


@pytest.mark.parametrize("leak", planted("codex without a screen", leaks_of_the_desk.IN_CODEX))
def test_a_leak_of_codex_to_the_desk_is_found(leak: Leak) -> None:
    found_in(leak, checks(make_codex_once, NAME_IN_CODEX, IN_CODEX))
