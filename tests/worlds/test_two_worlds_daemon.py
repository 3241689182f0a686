"""ALL-1 at the whole table: sockets, lights, log, files and process tell nothing of the key."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, islice
from typing import Any

import evenings
import leaks_of_word_games
import msgspec
import pytest
from pairs import Worlds, daemon_worlds, look_alike, many_look_alike
from planting import Leak, found_in, planted
from refused_covers import evenings_with_refused_covers, trace_of_refused_covers

PAIRS = 4
SEEDS = (1, 11, 16, 21, 30, *range(31, 90))
"""Evenings to compare, until everything was shown; the first ones show all."""
MANY_PAIRS = 2_000
EVENINGS = 1
MANY_EVENINGS = 300
A_FEW, MOST = 6, 100
"""So many pairs are tried for a planted leak, and looked through to find them."""


def test_evenings_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, ALL-2, ALL-3, ALL-4, ALL-5, CN-18, NC-4, DU-2, AL-11, AL-14
    def shows(worlds: Worlds) -> Iterator[object]:
        yield from (seen.what for seen in worlds.seen_here or ())
        yield from shown(worlds)

    look_alike(daemon_worlds, "the daemon", SEEDS, PAIRS, shows, (*EVERYTHING, *EVERY_GAME))


def shown(worlds: Worlds) -> Iterator[object]:
    """Yield the kinds of games and of moments in the public views."""
    seen = [one.value for one in worlds.seen_here or () if one.what == LISTENER]
    for line in b"".join(seen).splitlines():  # type: ignore[arg-type]
        message = msgspec.json.decode(line)
        view = message["view"]
        if message["service"]:
            yield "service"
        if message.get("marks"):
            yield "marks"
        if view is not None:
            yield view["profile"]
            yield view["phase"]
            yield view["profile"], view["phase"]
            if hands := view.get("hands"):
                is_chosen = [view["next_word"]] != hands[view["turn"] or "red"][:1]
                yield "a card is chosen" if is_chosen else "hands"
            if "nuke" in view:
                yield "armed" if view["nuke"]["armed"] else view["nuke"]["mode"]


LISTENER = "public socket, one that listens"
EVERY_GAME = (
    *("codenames", "nome-in-codice", "deep-undercover", "alias-24"),
    *("place", "clue", "guess", "challenge", "penalty", "cover", "over"),
    *("basic", "mad", "armed"),
    ("deep-undercover", "place"),
    *("hands", "a card is chosen"),
    "service",
    "marks",
)


EVERYTHING = (
    "announced",
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
    "sound",
)


@pytest.mark.torture
def test_many_evenings_that_differ_in_what_is_hidden_look_alike() -> None:
    # ALL-1, ALL-2, ALL-3, ALL-4, ALL-5, CN-18, NC-4, DU-2, AL-11, AL-14
    many_look_alike(daemon_worlds, "many evenings", MANY_PAIRS, "evenings")


def test_a_refused_cover_shows_nothing_to_anybody_else() -> None:  # ALL-1, CN-18
    for evening in evenings_with_refused_covers("covers", EVENINGS, first=8):
        trace = trace_of_refused_covers(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"


@pytest.mark.torture
def test_many_refused_covers_show_nothing_to_anybody_else() -> None:  # ALL-1, CN-18
    for evening in evenings_with_refused_covers("many covers", MANY_EVENINGS):
        trace = trace_of_refused_covers(evening)
        assert not trace, f"{evening.seed}: {trace[0]}"


OF_THEIR_OWN = {
    "alias-24": leaks_of_word_games.IN_ALIAS_24,
    "cover": leaks_of_word_games.IN_A_GROUP,
    "place": leaks_of_word_games.WHERE_CARDS_ARE_LAID_OUT,
}


@cache
def with_leak(what: str, number: int) -> Worlds | None:
    """A pair of evenings, if its games show this."""
    of_plan: dict[str, Any] = {"length": 12, "messy": 0.0}
    seed = f"planted, {what}/{number}"
    happenings = evenings.plan(seed, **of_plan).happenings
    starts = str([happening["ask"] for happening in happenings if "ask" in happening])
    if {"place": "shared", "cover": "cooperative"}.get(what, what) not in starts:
        return None  # it cannot, and need not be spent to know that
    worlds = daemon_worlds(seed, **of_plan)
    return worlds if worlds is not None and what in shown(worlds) else None


def with_games(what: str) -> Iterator[Worlds]:
    """A few pairs of evenings whose games show this."""
    found = (worlds for number in range(MOST) if (worlds := with_leak(what, number)) is not None)
    return islice(found, A_FEW)


@pytest.mark.parametrize("leak", planted("other word games", chain(*OF_THEIR_OWN.values())))
def test_a_leak_from_a_game_of_another_kind_is_found(leak: Leak) -> None:
    (what,) = (what for what, leaks in OF_THEIR_OWN.items() if leak in leaks)
    found_in(leak, (partial(worlds.parted, afresh=True) for worlds in with_games(what)))
