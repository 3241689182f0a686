"""ALL-1 beyond the table: pages, phones, the network, and the process that serves them."""

from collections.abc import Iterator
from functools import partial

import leaks_of_links
import leaks_of_pages
import pytest
from pairs import Worlds, checks, look_alike, many_look_alike, pages_worlds
from planting import Leak, found_in, planted
from secret_phones import evenings_with_phones, trace_of_phones

PAIRS = 1
MANY_PAIRS = 2_000
EVENINGS = 1
MANY_EVENINGS = 300
MAX_WORLDS = 32
"""So many pairs are looked at for a leak, at most."""
make = partial(pages_worlds, length=10, messy=0.1)


def test_evenings_with_pages_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CN-2
    def shows(worlds: Worlds) -> Iterator[str]:
        return (seen.what for seen in worlds.seen_here or ())

    look_alike(make, "pages", range(MAX_WORLDS), PAIRS, shows, EVERYTHING)


EVERYTHING = (
    "pages, a desk",
    "pages, a phone",
    "pages, a viewer",
    *("pages, /", "pages, /api/1/about", "pages, /api/1/table", "pages, /qr.svg"),
    "phone of blue-operatives",
    "phone of blue-spymaster",
    "phone of red-operatives",
    "phone of red-spymaster",
    "public socket, that of the pages",
    "sealed socket",
)


@pytest.mark.torture
def test_many_evenings_with_pages_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CN-2
    many_look_alike(make, "many pages", MANY_PAIRS, "evenings with pages")


def test_nobody_else_sees_what_is_done_on_a_phone_in_secret() -> None:  # ALL-1
    for evening in evenings_with_phones("secret phones", EVENINGS):
        trace = trace_of_phones(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"


@pytest.mark.torture
def test_nobody_else_sees_what_is_done_on_many_phones_in_secret() -> None:  # ALL-1
    for evening in evenings_with_phones("many secret phones", MANY_EVENINGS):
        trace = trace_of_phones(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"


LEAKS = [*leaks_of_pages.LEAKS, *leaks_of_links.LEAKS]


@pytest.mark.parametrize("leak", planted("pages", LEAKS))
def test_a_leak_from_pages_and_phones_is_found(leak: Leak) -> None:
    if leak.by == leaks_of_pages.SECRETLY:
        evenings = evenings_with_phones("planted phones", MAX_WORLDS)
        found_in(leak, (partial(trace_of_phones, evening) for evening in evenings))
    else:
        found_in(leak, checks(make, "planted pages", range(MAX_WORLDS)))
