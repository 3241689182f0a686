"""CX-18, ALL-1: nobody at a table of Codex can see anything that they have not been told."""

from collections import Counter
from functools import cache

import pytest
from codex_worlds import World, Worlds, worlds
from leaks_of_codex import LEAKS
from pairs import pairs
from planting import Leak, found_in, planted

from pi_table.games.rules.codex.identikit import Role

PAIRS = 70
MANY_PAIRS = 10_000
MAX_GAMES = 300
"""So many pairs are looked at for a leak, at most."""


@cache
def some_pairs() -> list[Worlds]:
    return [*pairs(worlds, "codex", PAIRS)]


def test_games_of_codex_that_differ_in_what_is_hidden_look_alike() -> None:  # CX-18, ALL-1
    for made in some_pairs():
        assert not (how := made.told_apart()), how


@pytest.mark.torture
def test_many_games_of_codex_that_differ_in_what_is_hidden_look_alike() -> None:  # CX-18, ALL-1
    for made in pairs(worlds, "many codex", MANY_PAIRS):
        assert not (how := made.told_apart()), how
    print(f"{MANY_PAIRS} pairs of games of Codex look alike.")


def test_the_pairs_of_games_of_codex_are_of_every_kind() -> None:
    """Without this, the tests above would be worth little."""
    differing, observing, roles, ends = (Counter[object]() for _ in range(4))
    other_inputs = on_phones = done_by_others = 0
    for made in some_pairs():
        for one, other in zip(made.here.deal, made.there.deal, strict=True):
            differing.update(field for field in one if one[field] != other[field])
            if one["role"] != other["role"]:
                roles[one["role"]] += 1
        observing.update(made.observers or ("public",))
        other_inputs += not made.same_inputs
        on_phones += made.here.options["screens"] == "phones"
        done_by_others += done(made.here) != done(made.there)
        ends[any("right" in repr(seen.value) for seen in made.watch(made.here))] += 1
        for agent in made.observers:
            assert made.here.deal[agent] == made.there.deal[agent]
    assert {*differing} == {"faction", "role", "position", "fragment"}
    assert min(differing.values()) > 20
    assert {*roles} == {role.value for role in Role}
    assert {*observing} == {0, 1, 2, 3, 4, 5, "public"}
    assert min(observing.values()) > 2
    assert PAIRS // 10 < other_inputs < 2 * PAIRS // 3
    assert PAIRS // 10 < on_phones < 2 * PAIRS // 3
    assert done_by_others > 0
    assert len(ends) == 2


def done(world: World) -> list[str]:
    """Return the seats that are done, in order."""
    if world.options["screens"] == "hidden":
        return []
    return [line["seat"] for line in world.lines if line["act"] == "done"]


@cache
def games(number: int) -> Worlds | None:
    return worlds(f"planted codex/{number}")


@pytest.mark.parametrize("leak", planted("rules of codex", LEAKS))
def test_a_leak_from_the_rules_of_codex_is_found(leak: Leak) -> None:
    made = (games(number) for number in range(MAX_GAMES))
    found_in(leak, (pair.parted for pair in made if pair is not None))


@pytest.mark.mutation
def test_without_a_leak_the_same_games_of_codex_look_alike() -> None:
    for number in range(20):
        made = games(number)
        if made is not None:
            assert not (how := made.told_apart()), how
