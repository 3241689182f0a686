"""ALL-1 at a table without a hidden screen: the operator's desk begins games and shows the codes of
seats, and spymasters have the key on their phones."""

from collections.abc import Iterator
from functools import partial

import leaks_of_the_desk
import msgspec
import pytest
from pairs import Worlds, checks, look_alike, many_look_alike, screenless_worlds
from planting import Leak, found_in, planted

PAIRS = 1
MANY_PAIRS = 500
SEEDS = (1, 0, *range(2, 16))
"""Evenings that are compared, at most; the first one shows all."""
LEAKY = (3, 0, 2, *range(4, 16))
"""Evenings that are looked at for a leak, at most; the first one shows each."""
make = partial(screenless_worlds, length=10, messy=0.1)
EVERYTHING = (
    *("desk", "desk: phone", "desk: started", "pages, the desk", "pages, a viewer"),
    *("phone of red-spymaster", "phone of blue-spymaster"),
)


def _shows(worlds: Worlds) -> Iterator[str]:
    for seen in worlds.seen_here or ():
        yield seen.what
        if seen.what == "desk":
            assert isinstance(seen.value, bytes)
            told = msgspec.json.decode(seen.value)["told"]
            if isinstance(told, dict) and "for" in told:
                yield "desk: phone"
            if isinstance(told, dict) and told.get("game"):
                yield "desk: started"


def test_evenings_without_a_screen_that_differ_in_what_is_hidden_look_alike() -> None:  # ALL-1
    look_alike(make, "no screen", SEEDS, PAIRS, _shows, EVERYTHING)


@pytest.mark.torture
def test_many_evenings_without_a_screen_look_alike() -> None:  # ALL-1
    many_look_alike(make, "many without a screen", MANY_PAIRS, "evenings without a screen")


@pytest.mark.parametrize("leak", planted("no screen", leaks_of_the_desk.LEAKS))
def test_a_leak_to_the_desk_is_found(leak: Leak) -> None:
    found_in(leak, checks(make, "planted desks", LEAKY))
