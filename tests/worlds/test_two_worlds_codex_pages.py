"""CX-20, ALL-1 beyond the table: agents' phones, the pages, and the network that they are in.

Two worlds are two deals of Codex, as at the table alone: what a phone shows must be the same but
for what an agent sees there who holds, and that too for whoever knows nothing different. And
nobody else may tell what an agent asks for in secret: there the worlds are one deal, with and
without that.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

import codex_on_phones
import daemon_world
import leaks_of_codex_pages
import pytest
from daemon_world import SCREEN_OF
from leaks_of_pages import SECRETLY
from pairs import Worlds, checks, codex_pages_worlds, look_alike, many_look_alike, shown
from planting import Leak, found_in, planted
from secret_phones import evenings_of_agents, trace_of_agent

PAIRS = 2
MANY_PAIRS = 1_000
EVENINGS = 1
MANY_EVENINGS = 500
SEEDS = (7, 1, 2, 6, 8)
"""Evenings that are looked at for a leak, at most; in the first ones others are the leaders."""


def test_games_of_codex_on_phones_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-11, CX-16, CX-18, CX-19, CX-20
    def shows(worlds: Worlds) -> Iterator[object]:
        in_public = {*shown(worlds)}
        assert in_public >= PHASES, in_public
        assert worlds.here[0] != worlds.there[0]
        yield worlds.there[1]
        for seen in worlds.seen_here or ():
            yield SCREEN_OF if seen.what.startswith(SCREEN_OF) else seen.what

    look_alike(codex_pages_worlds, "codex pages", range(20), PAIRS, shows, EVERYTHING)


PHASES = {"send", "act", "discuss", "vote", "machine", "over", "together", "votes", "revealed"}
EVERYTHING = (
    *(True, False),  # do the agents enter something else in the other world?
    SCREEN_OF,  # of those who see nothing different
    *(f"phone of agent-{number}" for number in range(1, 7)),
    *("announced", "lights", "sound", "pages, /", "pages, a phone", "pages, a viewer"),
    "public socket, that of the pages",
    "sealed socket",
)


@pytest.mark.torture
def test_many_games_of_codex_on_phones_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, CX-5, CX-6, CX-11, CX-16, CX-18, CX-19, CX-20
    many_look_alike(
        codex_pages_worlds, "many codex pages", MANY_PAIRS, "evenings of Codex on phones"
    )


def test_nobody_else_sees_what_an_agent_does_on_a_phone() -> None:  # CX-20
    for evening, seat in islice(evenings_of_agents("secret agents"), EVENINGS):
        trace = trace_of_agent(evening, seat)
        assert not trace, f"{evening.seed}, {seat}: {trace[0]}"


@pytest.mark.torture
def test_nobody_else_sees_what_many_agents_do_on_their_phones() -> None:  # CX-20
    for evening, seat in islice(evenings_of_agents("many secret agents"), MANY_EVENINGS):
        trace = trace_of_agent(evening, seat)
        assert not trace, f"{evening.seed}, {seat}: {trace[0]}"
    print(f"{MANY_EVENINGS} agents did something on a phone that nobody else saw.")


def test_an_evening_is_not_taken_for_what_it_is_not() -> None:
    evening = codex_on_phones.plan("asleep", secretly=True)
    seat = "agent-3"
    asleep = [{"at": 3.0, "phone": seat, "does": "sleep"}, *evening.happenings]
    asleep.sort(key=lambda happening: happening["at"])
    evening = replace(evening, happenings=asleep)
    left_out = codex_on_phones.not_taken(evening, daemon_world.watch(evening).stories.values())
    assert left_out > codex_on_phones.secret_acts(evening, seat)


@pytest.mark.parametrize("leak", planted("codex on phones", leaks_of_codex_pages.LEAKS))
def test_a_leak_from_agents_phones_is_found(leak: Leak) -> None:
    if leak.by == SECRETLY:
        evenings = islice(evenings_of_agents("planted agents"), len(SEEDS))
        found_in(leak, (partial(trace_of_agent, *evening) for evening in evenings))
    else:
        found_in(leak, checks(codex_pages_worlds, "planted codex pages", SEEDS))
